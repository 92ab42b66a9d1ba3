import type { Queryable } from '../../../database/database.ts'
import type { OperationHours } from '../../../rewards/offers/offer.ts'
import type { ZipCode } from '../../../rewards/offers/sample-catalogue.ts'

export async function hasZipCodes(database: Queryable): Promise<boolean> {
  const [row] = await database.query<{ found: boolean }>(`select exists (select 1 from zip_code) as found`)
  return row?.found === true
}

/** As JSON text, which goes to the server as it came from the child that read it. */
export async function insertZipCodes(database: Queryable, zipCodes: string): Promise<void> {
  await database.query(
    `insert into zip_code (zip, lat, long, city, state)
     select zip, lat, long, city, state
     from json_to_recordset($1::json) as line (zip text, lat float8, long float8, city text, state text)
     on conflict (zip) do nothing`,
    [zipCodes],
  )
}

export function listZipCodes(database: Queryable): Promise<ZipCode[]> {
  return database.query(`select zip, lat, long, city, state from zip_code order by zip`)
}

export async function hasOffers(database: Queryable): Promise<boolean> {
  const [row] = await database.query<{ found: boolean }>(`select exists (select 1 from offer) as found`)
  return row?.found === true
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

/** A merchant that is there already keeps its id and takes the rest. */
export async function upsertMerchants(transaction: Queryable, merchants: NewMerchantRow[]): Promise<void> {
  await transaction.query(
    `insert into merchant (id, external_key, name, normalised_name, description, website_url, img_url)
     select id, key, name, "normalisedName", description, "websiteUrl", "imgUrl"
     from json_to_recordset($1::json) as line (id bigint, key text, name text, "normalisedName" text, description text,
       "websiteUrl" text, "imgUrl" text)
     on conflict (external_key) do update set name = excluded.name, normalised_name = excluded.normalised_name,
       description = excluded.description, website_url = excluded.website_url, img_url = excluded.img_url,
       version = merchant.version + 1`,
    [JSON.stringify(merchants)],
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
  operationHours?: OperationHours
  street?: string
  city?: string
  state?: string
  zip?: string
  lat?: number
  long?: number
  phone?: string
}

export async function upsertOffers(transaction: Queryable, offers: NewOfferRow[]): Promise<void> {
  await transaction.query(
    `insert into offer (id, external_key, merchant_id, offer_type, title, terms, category, redeemable_once,
       commission_bp, total_bp, valid_from, expires_at, minimum_spend, maximum_reward, operation_hours, street, city,
       state, zip, lat, long, phone)
     select line.id, line.key, m.id, "offerType", title, terms, category, "redeemableOnce", "commissionBp", "totalBp",
       "validFrom", "expiresAt", "minimumSpend", "maximumReward", "operationHours", street, city, state, zip, lat, long,
       phone
     from json_to_recordset($1::json) as line (id bigint, key text, "merchantKey" text, "offerType" text, title text,
       terms text, category text, "redeemableOnce" boolean, "commissionBp" int, "totalBp" int,
       "validFrom" timestamptz, "expiresAt" timestamptz, "minimumSpend" bigint, "maximumReward" bigint,
       "operationHours" json, street text, city text, state text, zip text, lat float8, long float8, phone text)
     join merchant m on m.external_key = line."merchantKey"
     on conflict (external_key) do update set merchant_id = excluded.merchant_id, offer_type = excluded.offer_type,
       title = excluded.title, terms = excluded.terms, category = excluded.category,
       redeemable_once = excluded.redeemable_once, commission_bp = excluded.commission_bp,
       total_bp = excluded.total_bp, valid_from = excluded.valid_from, expires_at = excluded.expires_at,
       minimum_spend = excluded.minimum_spend, maximum_reward = excluded.maximum_reward,
       operation_hours = excluded.operation_hours, street = excluded.street, city = excluded.city,
       state = excluded.state, zip = excluded.zip, lat = excluded.lat, long = excluded.long, phone = excluded.phone,
       version = offer.version + 1`,
    [JSON.stringify(offers)],
  )
}

/** So that the first plans after a load know how much there is. */
export async function analyzeCatalogue(transaction: Queryable): Promise<void> {
  await transaction.query(`analyze merchant, offer, zip_code`)
}
