import type { Queryable } from '../../database/database.ts'
import { named } from '../../database/lists.ts'
import type { OperationHours } from '../../rewards/offers/offer.ts'
import type { Place, SearchBox } from '../../rewards/offers/place.ts'

export interface OfferRow {
  id: number
  title: string
  terms: string
  redeemableOnce: boolean
  commissionBp: number
  expiresAt: string
  merchantId: number
  merchantName: string
  merchantDescription: string
  websiteUrl: string
  imgUrl: string
}

export interface LocalOfferRow extends OfferRow {
  operationHours: OperationHours
  street: string
  city: string
  state: string
  zip: string
  lat: number
  long: number
  phone: string
}

export interface OfferFilter {
  category: string | null
  search: string | null
}

export interface OfferPage {
  take: number
  offset: number
}

const columns = `o.id, o.title, o.terms, o.redeemable_once as "redeemableOnce", o.commission_bp as "commissionBp",
  o.expires_at as "expiresAt", m.id as "merchantId", m.name as "merchantName", m.description as "merchantDescription",
  m.website_url as "websiteUrl", m.img_url as "imgUrl"`
const placeColumns = `o.operation_hours as "operationHours", o.street, o.city, o.state, o.zip, o.lat, o.long, o.phone`

/** Asked once a statement: as a join, a plan may ask for the time again with every row. */
const bank = `bank as materialized (select bank_time($organisationId::bigint) as now)`
const isLive = `o.valid_from <= (select now from bank) and o.expires_at > (select now from bank)`
const isOfCategory = `($category::text is null or lower(o.category) = lower($category))`
/** A text without accents and in small letters: `cafe` finds `Café`. */
const plain = (text: string) => `regexp_replace(normalize(lower(${text}), NFD), '[\\u0300-\\u036f]', '', 'g')`
const holdsSearch = `(strpos(${plain('m.name')}, ${plain('$search::text')}) > 0 or strpos(${plain('o.title')}, ${plain('$search::text')}) > 0)`

/** Whatever the order, offers that are equal in it follow by id, so that no page repeats or skips one. */
const orders = {
  distance: 'o.distance, o.id',
  '-distance': 'o.distance desc, o.id',
  commission: 'o.commission_bp, o.id',
  '-commission': 'o.commission_bp desc, o.id',
  expirationDate: 'o.expires_at, o.id',
  '-expirationDate': 'o.expires_at desc, o.id',
  merchantName: 'lower(m.name) collate "C", o.id',
  '-merchantName': 'lower(m.name) collate "C" desc, o.id',
}
export type LocalOrder = keyof typeof orders
export type NationalOrder = Exclude<LocalOrder, 'distance' | '-distance'>

/**
 * The page is chosen on narrow rows, and only what is on it is joined with the rest: in a large city thousands of
 * offers lie in the circle.
 */
export function listLocalOfferRows(
  database: Queryable,
  organisationId: number,
  circle: SearchBox & Place & { radius: number },
  filter: OfferFilter,
  order: LocalOrder,
  page: OfferPage,
): Promise<LocalOfferRow[]> {
  const byMerchant = filter.search !== null || order.endsWith('merchantName')
  const text = `with ${bank}, near as materialized (
       select o.id, o.merchant_id, o.title, o.commission_bp, o.expires_at,
         miles_between($lat::float8, $long::float8, o.lat, o.long) as distance
       from offer o
       where o.offer_type = 'INSTORE' and o.band = any($bands::int[]) and o.long between $west::float8 and $east::float8
         and ${isLive} and ${isOfCategory}
     ), page as materialized (
       select o.* from near o ${byMerchant ? 'join merchant m on m.id = o.merchant_id' : ''}
       where o.distance <= $radius::float8 and ${filter.search === null ? 'true' : holdsSearch}
       order by ${orders[order]} limit $take offset $offset
     )
     select ${columns}, ${placeColumns}
     from (select o.*, page.distance from page join offer o on o.id = page.id) o join merchant m on m.id = o.merchant_id
     order by ${orders[order]}`
  return database.query(...named(text, { organisationId }, circle, filter, page))
}

export function listNationalOfferRows(
  database: Queryable,
  organisationId: number,
  filter: OfferFilter,
  order: NationalOrder,
  page: OfferPage,
): Promise<OfferRow[]> {
  const text = `with ${bank}
     select ${columns} from offer o join merchant m on m.id = o.merchant_id
     where o.offer_type = 'ONLINE' and ${isLive} and ${isOfCategory}
       and ${filter.search === null ? 'true' : holdsSearch}
     order by ${orders[order]} limit $take offset $offset`
  return database.query(...named(text, { organisationId }, filter, page))
}

export interface EarningMerchant {
  name: string
  category: string
}

/** The merchant of the national offer with the highest commission that is live at a time and takes this amount. */
export async function findEarningMerchantRow(
  database: Queryable,
  at: string,
  amount: number,
): Promise<EarningMerchant | undefined> {
  const [row] = await database.query<EarningMerchant>(
    `select m.name, o.category from offer o join merchant m on m.id = o.merchant_id
     where o.offer_type = 'ONLINE' and o.valid_from <= $1::timestamptz and o.expires_at > $1::timestamptz
       and o.minimum_spend <= $2::bigint and $2::bigint * o.commission_bp >= 10000
     order by o.commission_bp desc, o.id limit 1`,
    [at, amount],
  )
  return row
}
