import type { Queryable } from '../../database/database.ts'
import type { MatchedOffer } from '../../rewards/matching.ts'
import type { ConsideredOffers } from '../records/records.ts'

/** A reward with the terms that it was earned by, and its purchase. */
export interface ExplainedReward {
  id: number
  partnerUserId: number
  offerId: string
  amount: number
  createdAt: string
  terms: Pick<MatchedOffer, 'merchantName' | 'commissionBp' | 'totalBp' | 'maximumReward'>
  /** The amount of all parts of the purchase so far, which counts for minimums. */
  counted: number
  purchaseMerchant: string
  purchaseCategory: string
  purchaseLocation: string
  merchantId: string | null
  categoryCode: string | null
  purchasedAt: string
  /** The click of the partner user on the offer before the purchase, or else the view or the impression. */
  attribution: string | null
  /** The outcomes as they were when it was judged, if an offer of a campaign was among them. */
  considered: ConsideredOffers | null
}

/** A purchase whose authorization is not known has the merchant of its offer and the time of its reward. */
export async function findExplained(
  database: Queryable,
  organisationId: number,
  id: number,
): Promise<ExplainedReward | undefined> {
  const [row] = await database.query<ExplainedReward>(
    `select r.id, r.partner_user_id as "partnerUserId", r.offer_id as "offerId", r.amount, r.created_at as "createdAt",
       json_build_object('merchantName', r.merchant_name, 'commissionBp', r.commission_basis_points,
         'totalBp', r.total_basis_points, 'maximumReward', r.maximum_reward) as terms,
       coalesce(a.merchant_name, r.merchant_name) as "purchaseMerchant",
       coalesce(a.merchant_category, '') as "purchaseCategory", coalesce(a.merchant_location, '') as "purchaseLocation",
       b.merchant_id as "merchantId", b.category_code as "categoryCode",
       greatest(r.amount, (
         select sum(p.amount)::bigint from rewardable_transaction p
         where p.authorization_id = b.authorization_id and p.partner_user_card_id = b.partner_user_card_id
           and p.created_at <= r.created_at)) as counted,
       coalesce(a.created_at, r.created_at) as "purchasedAt", r.attribution, b.considered
     from reward r join rewardable_transaction b on b.id = r.rewardable_transaction_id
     left join card_authorization a on a.id = b.authorization_id
     where r.organisation_id = $1::bigint and r.id = $2::bigint`,
    [organisationId, id],
  )
  return row
}

/** A settlement as a rewardable transaction. */
export interface RecordedPurchase {
  partnerUserId: number
  merchantId: string | null
  categoryCode: string | null
  /** The amount less refunds. */
  left: number
  counted: number
  createdAt: string
  rewardId: number | null
  considered: ConsideredOffers | null
}

export async function findRecordedPurchase(
  database: Queryable,
  organisationId: number,
  bankTransactionId: string,
): Promise<RecordedPurchase | undefined> {
  const [row] = await database.query<RecordedPurchase>(
    `select l.partner_user_id as "partnerUserId", b.merchant_id as "merchantId", b.category_code as "categoryCode",
       b.amount - b.refunded as left, b.created_at as "createdAt", b.considered, (
         select max(id) from reward where rewardable_transaction_id = b.id) as "rewardId", (
         select sum(p.amount - p.refunded)::bigint from rewardable_transaction p
         where p.authorization_id = b.authorization_id and p.partner_user_card_id = b.partner_user_card_id) as counted
     from rewardable_transaction b join partner_user_card l on l.id = b.partner_user_card_id
     where b.organisation_id = $1::bigint and b.bank_transaction_id = $2::text`,
    [organisationId, bankTransactionId],
  )
  return row
}

/** The titles of offers, of the catalogue or of campaigns. */
export function titlesOf(database: Queryable, offerIds: string[]): Promise<{ id: string; title: string }[]> {
  return database.query(
    `select id::text, title from offer where id = any($1::text[]::bigint[])
     union all
     select id::text, terms ->> 'title' from campaign_offer where id = any($1::text[]::bigint[])`,
    [offerIds],
  )
}

/** The offers among these that the partner user had a live reward from when this reward was earned, as far as their states show. */
export async function redeemedBefore(
  database: Queryable,
  { id, partnerUserId, createdAt }: Pick<ExplainedReward, 'id' | 'partnerUserId' | 'createdAt'>,
  offerIds: string[],
): Promise<Set<string>> {
  const rows = await database.query<{ offerId: string }>(
    `select distinct offer_id as "offerId" from reward
     where partner_user_id = $1::bigint and offer_id = any($4::text[]) and (created_at, id) < ($2::timestamptz, $3::bigint)
       and (state in ('PENDING', 'CONFIRMED', 'PAID') or updated_at >= $2)`,
    [partnerUserId, createdAt, id, offerIds],
  )
  return new Set(rows.map(({ offerId }) => offerId))
}
