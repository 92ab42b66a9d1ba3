import type { Queryable } from '../../../database/database.ts'
import type { MatchedOffer } from '../../../rewards/matching.ts'

/** The link of a card, where neither it nor its partner user is removed. */
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

/** The offers of a merchant that were live at a time: national ones, and local ones of the purchase's city and state. */
export function matchingOffers(
  database: Queryable,
  purchase: { normalisedName: string; at: string; city: string | null; state: string | null },
): Promise<MatchedOffer[]> {
  return database.query(
    `select o.id::text as id, m.name as "merchantName", o.commission_bp as "commissionBp", o.total_bp as "totalBp",
       o.minimum_spend as "minimumSpend", o.maximum_reward as "maximumReward", o.redeemable_once as "redeemableOnce"
     from merchant m join offer o on o.merchant_id = m.id
     where m.normalised_name = $1::text and o.valid_from <= $2::timestamptz and o.expires_at > $2::timestamptz
       and (o.offer_type = 'ONLINE' or (lower(o.city) = lower($3::text) and lower(o.state) = lower($4::text)))`,
    [purchase.normalisedName, purchase.at, purchase.city, purchase.state],
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
