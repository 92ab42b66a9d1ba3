import type { Queryable } from '../../database/database.ts'
import type { LocalOffer, NationalOffer } from '../../rewards/offers/offer.ts'
import { searchBox } from '../../rewards/offers/place.ts'
import type { RewardsProvider } from '../../rewards/provider.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { attributionsOf } from './attributions.ts'
import {
  type EarningMerchant,
  findEarningMerchantRow,
  type LocalOfferRow,
  listLocalOfferRows,
  listNationalOfferRows,
  type OfferFilter,
  type OfferPage,
  type OfferRow,
} from './offers.sql.ts'
import { findZipCode } from './zip-codes.ts'

const DEFAULT_RADIUS_MILES = 10
const DEFAULT_PAGE_SIZE = 20

export function offersOf(parts: Pick<BankParts, 'database' | 'runOnce'>): RewardsProvider {
  const { database } = parts
  return {
    ...attributionsOf(parts),
    async listLocalOffers({ organisationId }, query) {
      const centre = findZipCode(query.zipCode.slice(0, 5))
      if (!centre) return { localRewardOffers: [], nextPage: null }
      const radius = query.radius ?? DEFAULT_RADIUS_MILES
      const order = query.sort ?? 'distance'
      const within = (miles: number) =>
        listLocalOfferRows(
          database,
          organisationId,
          { ...centre, radius: miles, ...searchBox(centre, miles) },
          filterOf(query),
          order,
          windowOf(query),
        )
      // In a large city the nearest offers fill the page, and thousands of others need not be read.
      const nearest = order === 'distance' ? await within(radius / 4) : []
      const rows = nearest.length === windowOf(query).take ? nearest : await within(radius)
      const { items, nextPage } = pageOfOffers(rows, query)
      return { localRewardOffers: items.map(localOffer), nextPage }
    },

    async listNationalOffers({ organisationId }, query) {
      const order = query.sort ?? '-commission'
      const rows = await listNationalOfferRows(database, organisationId, filterOf(query), order, windowOf(query))
      const { items, nextPage } = pageOfOffers(rows, query)
      return { nationalRewardOffers: items.map(nationalOffer), nextPage }
    },
  }
}

/** Finds a merchant at which a purchase of this amount earns by a national offer: the one with the highest commission. */
export function findEarningMerchant(
  database: Queryable,
  at: string,
  amount: number,
): Promise<EarningMerchant | undefined> {
  return findEarningMerchantRow(database, at, amount)
}

function filterOf({ category, search }: { category?: string; search?: string }): OfferFilter {
  return { category: category?.trim() ?? null, search: search?.trim() ?? null }
}

interface Paged {
  page: number
  pageSize?: number
}

/** Reads one offer more than the page holds: it shows whether another page follows. */
function windowOf({ page, pageSize = DEFAULT_PAGE_SIZE }: Paged): OfferPage {
  return { take: pageSize + 1, offset: page * pageSize }
}

function pageOfOffers<Row>(rows: Row[], { page, pageSize = DEFAULT_PAGE_SIZE }: Paged) {
  return { items: rows.slice(0, pageSize), nextPage: rows.length > pageSize ? page + 1 : null }
}

function localOffer(row: LocalOfferRow): LocalOffer {
  return {
    ...headOf(row),
    offerType: 'INSTORE',
    ...conditionsOf(row),
    operationHours: row.operationHours,
    address: { street: row.street, city: row.city, state: row.state, zip: row.zip },
    geoLocation: { lat: row.lat, long: row.long },
    phone: row.phone,
  }
}

function nationalOffer(row: OfferRow): NationalOffer {
  return { ...headOf(row), offerType: 'ONLINE', ...conditionsOf(row) }
}

function headOf({ id, title, terms, redeemableOnce }: OfferRow) {
  return { id: String(id), title, terms, redeemableOnce }
}

function conditionsOf(row: OfferRow) {
  return {
    // An integer divided by 100 is the double nearest to its two decimals, and prints as them.
    commission: row.commissionBp / 100,
    expirationDate: row.expiresAt,
    merchant: {
      id: String(row.merchantId),
      name: row.merchantName,
      description: row.merchantDescription,
      websiteURL: row.websiteUrl,
      imgUrl: row.imgUrl,
    },
  }
}
