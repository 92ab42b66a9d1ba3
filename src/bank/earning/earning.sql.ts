import type { Queryable } from '../../database/database.ts'
import type { MatchedOffer } from '../../rewards/matching.ts'
import type { MatchedPurchase } from '../../rewards/purchases.ts'

/** The link of a card, if neither it nor its partner user is removed. */
export async function findLiveLink(
  database: Queryable,
  organisationId: number,
  bankCardId: string,
): Promise<{ id: number; partnerUserId: number } | undefined> {
  const [row] = await database.query<{ id: number; partnerUserId: number }>(
    `select l.id, l.partner_user_id as "partnerUserId"
     from partner_user_card l join partner_user u on u.id = l.partner_user_id
     where l.organisation_id = $1::bigint and l.bank_card_id = $2::text and not l.is_removed and not u.is_removed`,
    [organisationId, bankCardId],
  )
  return row
}

const terms = `o.id::text as id, m.name as "merchantName", o.commission_bp as "commissionBp", o.total_bp as "totalBp",
  o.minimum_spend as "minimumSpend", o.maximum_reward as "maximumReward", o.redeemable_once as "redeemableOnce"`
/** The merchants whose offers name the purchase's merchant id; its name leads to others only if there are none. */
const known = `with known as materialized (select distinct merchant_id as id from offer where merchant_ids @> array[$5::text])`
/** A kept plan expects offers of many merchants: `offset 0` keeps it from reading the whole catalogue for them. */
const ofMerchants = `from (select id from known union select id from merchant where normalised_name = $1::text) found
  cross join lateral (select id, name from merchant where id = found.id offset 0) m
  cross join lateral (select * from offer where merchant_id = m.id offset 0) o`
const isOfMerchant = `($5::text is null or case when o.merchant_ids is null
  then m.id in (select id from known) or not exists (select from known) else $5 = any(o.merchant_ids) end)`
const isOfCategory = `coalesce($6::text = any(o.category_codes), true)`
const isLive = `(o.valid_from <= $2::timestamptz and o.expires_at > $2::timestamptz)`
const isHere = `(o.offer_type = 'ONLINE' or coalesce(lower(o.city) = lower($3::text) and lower(o.state) = lower($4::text), false))`

const matches = `(${isLive} and ${isOfMerchant} and ${isOfCategory} and ${isHere})`

function valuesOf({ normalisedName, at, city, state, merchantId, categoryCode }: MatchedPurchase) {
  return [normalisedName, at, city, state, merchantId, categoryCode]
}

/** The offers of a purchase's merchant that were live at its time: national ones, and local ones of its city and state. */
export function matchingOffers(database: Queryable, purchase: MatchedPurchase): Promise<MatchedOffer[]> {
  return database.query(`${known} select ${terms} ${ofMerchants} where ${matches}`, valuesOf(purchase))
}

/** An offer of the merchant of a purchase, or of one with its name. `matchingOffers` finds those that fit in all respects. */
export interface CandidateOffer extends MatchedOffer {
  title: string
  isLive: boolean
  isOfMerchant: boolean
  isOfCategory: boolean
  isHere: boolean
}

/** All offers of a merchant: one of them first, then those that match a purchase, by their commission. */
export function candidateOffers(
  database: Queryable,
  purchase: MatchedPurchase,
  { first, take }: { first: string; take: number },
): Promise<CandidateOffer[]> {
  return database.query(
    `${known} select ${terms}, o.title, ${isLive} as "isLive", ${isOfMerchant} as "isOfMerchant", ${isOfCategory} as "isOfCategory",
       ${isHere} as "isHere" ${ofMerchants}
     order by o.id::text = $7::text desc, ${matches} desc, ${isLive} desc, o.commission_bp desc, o.id limit $8`,
    [...valuesOf(purchase), first, take],
  )
}

/** The ids of purchases that may earn, of their rewards and of the records of their payouts. */
export function nextRewardIds(
  database: Queryable,
  count: number,
): Promise<{ purchase: number; reward: number; rewardPayment: number }[]> {
  return database.query(
    `select nextval(pg_get_serial_sequence('rewardable_transaction', 'id')) as purchase,
       nextval(pg_get_serial_sequence('reward', 'id')) as reward,
       nextval(pg_get_serial_sequence('reward_payment', 'id')) as "rewardPayment" from generate_series(1, $1::int)`,
    [count],
  )
}

/** How many parts of a purchase have earned nothing. */
export async function countUnrewarded(database: Queryable, authorizationId: number, most: number): Promise<number> {
  const rows = await database.query(
    `select from rewardable_transaction b where authorization_id = $1::bigint
       and not exists (select from reward where rewardable_transaction_id = b.id) limit $2`,
    [authorizationId, most],
  )
  return rows.length
}

/** Whose records a refund of an authorization may change. */
interface Earned {
  purchaseId: number
  partnerUserId: number
  activationId: number | null
  campaignId: number | null
}

export function partnerUsersOf(database: Queryable, authorizationId: number): Promise<Earned[]> {
  return database.query(
    `select b.id as "purchaseId", l.partner_user_id as "partnerUserId", r.activation_id as "activationId",
       r.campaign_id as "campaignId"
     from rewardable_transaction b join partner_user_card l on l.id = b.partner_user_card_id
     left join reward r on r.rewardable_transaction_id = b.id
     where b.authorization_id = $1::bigint`,
    [authorizationId],
  )
}

/** A settlement as the bank knows it: one side of a transfer that an authorization caused. */
export async function findSettlement(
  database: Queryable,
  organisationId: number,
  transactionId: number,
): Promise<{ authorizationId: number; amount: number } | undefined> {
  const [row] = await database.query<{ authorizationId: number; amount: number }>(
    `select source_id as "authorizationId", amount from transfer
     where organisation_id = $1::bigint and id = $2::bigint and source_kind = 'card_settlement'`,
    [organisationId, transactionId],
  )
  return row
}
