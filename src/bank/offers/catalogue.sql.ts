import { bigint, boolean, float8, integer, rowSet, text, timestamptz } from '../../database/arrays.ts'
import type { Queryable } from '../../database/database.ts'
import type { OperationHours } from '../../rewards/offers/offer.ts'

/** Whether the catalogue has offers or merchants. */
export async function hasCatalogue(database: Queryable): Promise<boolean> {
  const [row] = await database.query<{ found: boolean }>(
    `select exists (select 1 from offer) or exists (select 1 from merchant) as found`,
  )
  return row?.found === true
}

/** Lets each statement of the transaction take the time that it needs, as on a slow server. */
export async function liftTimeLimit(transaction: Queryable): Promise<void> {
  await transaction.query(`select set_config('statement_timeout', '0', true)`)
}

/** Takes lines of an id and the columns of the merchants. */
export async function copyMerchants(transaction: Queryable, lines: string): Promise<void> {
  await transaction.query(
    `copy merchant (id, external_key, name, normalised_name, description, website_url, img_url) from stdin`,
    [lines],
    'copy',
  )
}

/**
 * Takes lines of an id, the id of the merchant, dates, hours and the other columns. A superuser, as on the embedded server,
 * need not have every offer's merchant looked up, which would take a third of the time.
 */
export async function copyOffers(transaction: Queryable, lines: string): Promise<void> {
  await transaction.query(
    `select set_config('session_replication_role', 'replica', true) from pg_roles
     where rolname = current_user and rolsuper`,
  )
  await transaction.query(
    `copy offer (id, merchant_id, valid_from, expires_at, operation_hours, external_key, offer_type, title, terms, category,
       redeemable_once, commission_bp, total_bp, minimum_spend, maximum_reward, street, city, state, zip, lat, long, phone)
     from stdin`,
    [lines],
    'copy',
  )
}

/** The database's real time: bank times begin around it. */
export async function databaseTime(database: Queryable): Promise<string> {
  const [row] = await database.query<{ now: string }>(`select clock_timestamp() as now`)
  if (!row) throw new Error('no time')
  return row.now
}

export interface NewMerchantRow {
  id: number
  key: string
  name: string
  normalisedName: string
  description: string
  websiteUrl: string
  imgUrl: string
}

const merchantSet = rowSet<NewMerchantRow>({
  id: bigint(({ id }) => id),
  external_key: text(({ key }) => key),
  name: text(({ name }) => name),
  normalised_name: text(({ normalisedName }) => normalisedName),
  description: text(({ description }) => description),
  website_url: text(({ websiteUrl }) => websiteUrl),
  img_url: text(({ imgUrl }) => imgUrl),
})

/** A merchant that is there already keeps its id and takes the rest. */
export async function upsertMerchants(transaction: Queryable, merchants: NewMerchantRow[]): Promise<void> {
  await transaction.query(
    `insert into merchant (${merchantSet.names}) ${merchantSet.select}
     on conflict (external_key) do update set name = excluded.name, normalised_name = excluded.normalised_name,
       description = excluded.description, website_url = excluded.website_url, img_url = excluded.img_url,
       version = merchant.version + 1`,
    merchantSet.values(merchants),
  )
}

export interface NewOfferRow {
  id: number
  key: string
  merchantKey: string
  offerType: 'INSTORE' | 'ONLINE'
  title: string
  terms: string
  category: string
  redeemableOnce: boolean
  commissionBp: number
  totalBp: number
  validFrom: string
  expiresAt: string
  minimumSpend: number
  maximumReward: number | null
  merchantIds: string[] | null
  categoryCodes: string[] | null
  operationHours?: OperationHours
  street?: string
  city?: string
  state?: string
  zip?: string
  lat?: number
  long?: number
  phone?: string
}

const offerSet = rowSet<NewOfferRow>({
  id: bigint(({ id }) => id),
  external_key: text(({ key }) => key),
  merchant_key: text(({ merchantKey }) => merchantKey),
  offer_type: text(({ offerType }) => offerType),
  title: text(({ title }) => title),
  terms: text(({ terms }) => terms),
  category: text(({ category }) => category),
  redeemable_once: boolean(({ redeemableOnce }) => redeemableOnce),
  commission_bp: integer(({ commissionBp }) => commissionBp),
  total_bp: integer(({ totalBp }) => totalBp),
  valid_from: timestamptz(({ validFrom }) => validFrom),
  expires_at: timestamptz(({ expiresAt }) => expiresAt),
  minimum_spend: bigint(({ minimumSpend }) => minimumSpend),
  maximum_reward: bigint(({ maximumReward }) => maximumReward),
  merchant_ids: text(({ merchantIds }) => merchantIds && JSON.stringify(merchantIds)),
  category_codes: text(({ categoryCodes }) => categoryCodes && JSON.stringify(categoryCodes)),
  operation_hours: text(({ operationHours }) => (operationHours ? JSON.stringify(operationHours) : null)),
  street: text(({ street }) => street ?? null),
  city: text(({ city }) => city ?? null),
  state: text(({ state }) => state ?? null),
  zip: text(({ zip }) => zip ?? null),
  lat: float8(({ lat }) => lat ?? null),
  long: float8(({ long }) => long ?? null),
  phone: text(({ phone }) => phone ?? null),
})

/** A list that the set has as JSON, because it has no arrays of arrays. */
const listOf = (column: string) =>
  `case when ${column} is not null then array(select jsonb_array_elements_text(${column}::jsonb)) end`

export async function upsertOffers(transaction: Queryable, offers: NewOfferRow[]): Promise<void> {
  await transaction.query(
    `insert into offer (id, external_key, merchant_id, offer_type, title, terms, category, redeemable_once,
       commission_bp, total_bp, valid_from, expires_at, minimum_spend, maximum_reward, merchant_ids, category_codes,
       operation_hours, street, city, state, zip, lat, long, phone)
     select line.id, line.external_key, m.id, offer_type, title, terms, category, redeemable_once, commission_bp,
       total_bp, valid_from, expires_at, minimum_spend, maximum_reward, ${listOf('merchant_ids')},
       ${listOf('category_codes')}, operation_hours::json, street, city, state, zip, lat, long, phone
     from (${offerSet.select}) as line join merchant m on m.external_key = line.merchant_key
     on conflict (external_key) do update set merchant_id = excluded.merchant_id, offer_type = excluded.offer_type,
       title = excluded.title, terms = excluded.terms, category = excluded.category,
       redeemable_once = excluded.redeemable_once, commission_bp = excluded.commission_bp,
       total_bp = excluded.total_bp, valid_from = excluded.valid_from, expires_at = excluded.expires_at,
       minimum_spend = excluded.minimum_spend, maximum_reward = excluded.maximum_reward,
       merchant_ids = excluded.merchant_ids, category_codes = excluded.category_codes,
       operation_hours = excluded.operation_hours, street = excluded.street, city = excluded.city,
       state = excluded.state, zip = excluded.zip, lat = excluded.lat, long = excluded.long, phone = excluded.phone,
       version = offer.version + 1`,
    offerSet.values(offers),
  )
}

/**
 * So that the first plans after a load know how much there is. Autovacuum adds the columns of `offer` that no statement
 * compares within minutes; here they would take two thirds of the time.
 */
export async function analyzeCatalogue(transaction: Queryable): Promise<void> {
  await transaction.query(
    `analyze merchant, offer (merchant_id, offer_type, category, commission_bp, valid_from, expires_at, band, long)`,
  )
}
