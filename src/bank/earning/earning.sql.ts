import type { Queryable } from '../../database/database.ts'
import type { MatchedOffer } from '../../rewards/matching.ts'

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

/** A purchase, for the search of offers. */
interface MatchedPurchase {
  normalisedName: string
  at: string
  city: string | null
  state: string | null
}

const terms = `o.id::text as id, m.name as "merchantName", o.commission_bp as "commissionBp", o.total_bp as "totalBp",
  o.minimum_spend as "minimumSpend", o.maximum_reward as "maximumReward", o.redeemable_once as "redeemableOnce"`
const ofMerchant = `from merchant m join offer o on o.merchant_id = m.id where m.normalised_name = $1::text`
const isLive = `(o.valid_from <= $2::timestamptz and o.expires_at > $2::timestamptz)`
const isHere = `(o.offer_type = 'ONLINE' or coalesce(lower(o.city) = lower($3::text) and lower(o.state) = lower($4::text), false))`

/** The offers of a merchant that were live at a time: national ones, and local ones of the purchase's city and state. */
export function matchingOffers(database: Queryable, purchase: MatchedPurchase): Promise<MatchedOffer[]> {
  return database.query(`select ${terms} ${ofMerchant} and ${isLive} and ${isHere}`, [
    purchase.normalisedName,
    purchase.at,
    purchase.city,
    purchase.state,
  ])
}

/** An offer of the merchant of a purchase. `matchingOffers` finds those that are live and here. */
export interface CandidateOffer extends MatchedOffer {
  title: string
  isLive: boolean
  isHere: boolean
}

/** All offers of a merchant: one of them first, then those that match a purchase, by their commission. */
export function candidateOffers(
  database: Queryable,
  purchase: MatchedPurchase,
  { first, take }: { first: string; take: number },
): Promise<CandidateOffer[]> {
  return database.query(
    `select ${terms}, o.title, ${isLive} as "isLive", ${isHere} as "isHere" ${ofMerchant}
     order by o.id::text = $5::text desc, ${isLive} and ${isHere} desc, ${isLive} desc, o.commission_bp desc, o.id limit $6`,
    [purchase.normalisedName, purchase.at, purchase.city, purchase.state, first, take],
  )
}

/** The ids of a purchase that may earn, of its reward and of the record of its payout. */
export async function nextRewardIds(
  database: Queryable,
): Promise<{ purchase: number; reward: number; rewardPayment: number }> {
  const [row] = await database.query<{ purchase: number; reward: number; rewardPayment: number }>(
    `select nextval(pg_get_serial_sequence('rewardable_transaction', 'id')) as purchase,
       nextval(pg_get_serial_sequence('reward', 'id')) as reward,
       nextval(pg_get_serial_sequence('reward_payment', 'id')) as "rewardPayment"`,
  )
  if (!row) throw new Error('the sequences answered no row')
  return row
}

export function partnerUsersOf(
  database: Queryable,
  authorizationId: number,
): Promise<{ purchaseId: number; partnerUserId: number }[]> {
  return database.query(
    `select b.id as "purchaseId", l.partner_user_id as "partnerUserId"
     from rewardable_transaction b join partner_user_card l on l.id = b.partner_user_card_id
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
