import type { LocalOffer } from '../../../client/src/index.ts'
import { Empty, Reading } from '../../components/feedback/empty.tsx'
import { ProblemNote } from '../../components/feedback/problem.tsx'
import { Unavailable } from '../../components/feedback/unavailable.tsx'
import { Card } from '../../components/layout/card.tsx'
import { PageTitle } from '../../components/layout/page-title.tsx'
import { Filters } from '../../components/lists/filters.tsx'
import { type FilterValues, useFilters } from '../../data/filters.ts'
import { useList } from '../../data/list.ts'
import { milesBetween, type Place, zipOf } from '../../data/offers.ts'
import { useCall, useMay } from '../../data/purser.tsx'
import { LazyMap } from '../../pictures/lazy.tsx'
import { OfferCard } from './offer.tsx'
import styles from './offers.module.css'

const tabs = [
  { name: 'Near a ZIP code', path: '/offers' },
  { name: 'National', path: '/offers/national' },
]
const radii = ['1', '2', '5', '10', '25', '50']
/** Names of the sample catalogue. Another catalogue may have others, so that the field takes any text. */
const categories = [
  'Auto',
  'Electronics',
  'Entertainment',
  'Groceries',
  'Health',
  'Home',
  'Restaurants',
  'Shopping',
  'Travel',
]
/** Most offers of a page. */
export const PAGE_SIZE = 200

/** The head of both screens of offers. */
export function OffersHead() {
  return <PageTitle title="Offers" tabs={tabs} />
}

/** The fields that both screens of offers share. */
export const offerFields = [
  { name: 'category', label: 'Category', suggestions: categories },
  { name: 'search', label: 'Merchant or title' },
]

/** The offers around a ZIP code, on a map and as a list. */
export function Offers() {
  const [filters, setFilters] = useFilters(['zip', 'radius', 'category', 'search', 'offer'])
  const may = useMay('listLocalOffers')
  const customers = useList('listCustomers', { query: { sort: '-createdAt', limit: 1 } })
  const own = customers.rows[0]?.address?.postalCode
  const zip =
    zipOf(filters.zip) ?? (filters.zip ? undefined : (zipOf(own) ?? (customers.isPending ? undefined : '10001')))
  const { offer: chosen, ...shown } = filters
  return (
    <>
      <OffersHead />
      <Filters
        values={shown}
        set={setFilters}
        fields={[
          { name: 'zip', label: 'ZIP code', standard: zip },
          { name: 'radius', label: 'Radius', options: radii, labels: milesLabels, standard: '10' },
          ...offerFields,
        ]}
      />
      {!may && <Unavailable title="Offers" scope="rewards:read" absent="This service has no offers." />}
      {may && zip && (
        <Around zip={zip} filters={shown} chosen={chosen} choose={(offer) => setFilters({ ...filters, offer })} />
      )}
      {may && filters.zip && !zip && <p className="muted">A ZIP code has five digits.</p>}
    </>
  )
}

const milesLabels = Object.fromEntries(radii.map((each) => [each, each === '1' ? '1 mile' : `${each} miles`]))

interface AroundProps {
  zip: string
  filters: FilterValues
  chosen: string | undefined
  choose(offerId: string): void
}

function Around({ zip, filters, chosen, choose }: AroundProps) {
  const radius = Number(filters.radius ?? '10')
  const query = {
    zipCode: zip,
    userId: '1',
    page: 0,
    pageSize: PAGE_SIZE,
    radius,
    ...(filters.category && { category: filters.category }),
    ...(filters.search && { search: filters.search }),
  }
  const { data, error } = useCall('listLocalOffers', { query }, { keep: true })
  const offers = data?.localRewardOffers ?? []
  // The ZIP code of a customer may be none that is known; one that was typed should be.
  const known = filters.zip !== undefined || offers.length > 0
  const place = useCall('getZipCode', { params: { zip } }, { enabled: known })
  const centre = place.data?.geoLocation ?? offers[0]?.geoLocation
  const offer = offers.find(({ id }) => id === chosen)
  if (error || place.error) return <ProblemNote error={error ?? place.error} />
  if (!data) return <Reading lines={8} />
  return (
    <>
      <Card
        title={place.data ? `Around ${place.data.city}, ${place.data.state}` : `Around ${zip}`}
        aside={
          <span>{data.nextPage === null ? `${offers.length} offers` : `the nearest ${offers.length} offers`}</span>
        }
      >
        <div className={styles.halves}>
          {centre && (
            <LazyMap
              centre={centre}
              radius={radius}
              dots={offers.map(({ id, merchant, geoLocation }) => ({ id, name: merchant.name, at: geoLocation }))}
              chosen={chosen}
              choose={choose}
            />
          )}
          <OfferList offers={offers} centre={centre} chosen={chosen} choose={choose} />
        </div>
      </Card>
      <div className={offer && 'halves'}>{offer && <OfferCard offer={offer} />}</div>
    </>
  )
}

interface OfferListProps {
  offers: readonly LocalOffer[]
  centre: Place | undefined
  chosen: string | undefined
  choose(offerId: string): void
}

/** The offers of the map as a list, nearest first. */
function OfferList({ offers, centre, chosen, choose }: OfferListProps) {
  if (offers.length === 0) {
    return (
      <Empty title="No offer here">
        <p>Choose a larger radius, another ZIP code or fewer filters.</p>
      </Empty>
    )
  }
  return (
    <ul className={styles.list}>
      {offers.map(({ id, merchant, commission, address, geoLocation }) => (
        <li key={id}>
          <button type="button" data-row="" aria-pressed={id === chosen} onClick={() => choose(id)}>
            <span className={styles.merchant}>{merchant.name}</span>
            <span className={styles.rate}>{commission}%</span>
            <span className="muted">
              {address.street}, {address.city}
            </span>
            <span className="muted">{centre && `${milesBetween(centre, geoLocation).toFixed(1)} mi`}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}
