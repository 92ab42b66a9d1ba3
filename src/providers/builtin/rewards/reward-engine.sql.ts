import { LAST_INSTANT } from '../../../base/clock.ts'
import type { Queryable } from '../../../database/database.ts'
import type { MatchedOffer } from '../../../rewards/matching.ts'

/** The live link of a card, whose partner user takes part. */
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

/** Numbers for a purchase that may earn: its own, its reward's and its payout record's. */
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

export async function nextRewardPaymentIds(database: Queryable, count: number): Promise<number[]> {
  const rows = await database.query<{ id: number }>(
    `select nextval(pg_get_serial_sequence('reward_payment', 'id')) as id from generate_series(1, $1::int)`,
    [count],
  )
  return rows.map(({ id }) => id)
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

export interface DueReward {
  id: number
  authorizationId: number
  accountId: number
  partnerUserId: number
  dueAt: string
}

/** Rewards whose payout is due by a time, in the order in which it is. */
export function dueRewards(
  database: Queryable,
  organisationId: number,
  until: string,
  most: number,
): Promise<DueReward[]> {
  return database.query(
    `select r.id, b.authorization_id as "authorizationId", a.account_id as "accountId",
       r.partner_user_id as "partnerUserId", r.payout_due_at as "dueAt"
     from reward r
     join rewardable_transaction b on b.id = r.rewardable_transaction_id
     join card_authorization a on a.id = b.authorization_id
     where r.organisation_id = $1::bigint and r.state = 'PENDING' and r.payout_due_at <= $2::timestamptz
     order by r.payout_due_at, r.id limit $3`,
    [organisationId, until, most],
  )
}

/**
 * Makes a payout due again after as long as the reward has existed, at least a day: an advance over years then meets it a
 * few times. It is never due again where that would lie past the end of bank time.
 */
export async function putOffPayout(database: Queryable, organisationId: number, rewardId: number): Promise<void> {
  await database.query(
    `update reward set payout_due_at = nullif(least(next.at, $3::timestamptz), $3::timestamptz)
     from (select now + greatest(interval '1 day', now - created_at) as at
       from reward, bank_time($1::bigint) as now where id = $2::bigint) next
     where organisation_id = $1 and id = $2 and state = 'PENDING'`,
    [organisationId, rewardId, LAST_INSTANT],
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

export interface DailyTotals {
  purchases: number
  purchaseAmount: number
  rewards: number
  userAmount: number
  issuerAmount: number
  payouts: number
  payoutAmount: number
  ledgerPayoutAmount: number
  ledgerClawBackAmount: number
  fundingBalance: number
}

/** A day's sums, once from the records and once from the ledger. */
export async function dailyTotals(
  database: Queryable,
  organisationId: number,
  day: { start: string; end: string },
): Promise<DailyTotals> {
  const [row] = await database.query<DailyTotals>(
    `with bought as (
       select count(*) as count, coalesce(sum(amount), 0)::bigint as amount from rewardable_transaction
       where organisation_id = $1::bigint and created_at >= $2::timestamptz and created_at < $3::timestamptz),
     earned as (
       select count(*) as count, coalesce(sum(user_amount), 0)::bigint as user_amount,
         coalesce(sum(issuer_amount), 0)::bigint as issuer_amount
       from reward where organisation_id = $1 and created_at >= $2 and created_at < $3),
     paid as (
       select count(*) as count, coalesce(sum(p.amount), 0)::bigint as amount
       from reward_payment r join payment p on p.id = r.payment_id
       where r.organisation_id = $1 and r.created_at >= $2 and r.created_at < $3),
     moved as (
       select coalesce(sum(amount) filter (where source_kind = 'reward'), 0)::bigint as payouts,
         coalesce(sum(amount) filter (where source_kind = 'reward_clawback'), 0)::bigint as claw_backs
       from transfer where organisation_id = $1 and created_at >= $2 and created_at < $3
         and source_kind in ('reward', 'reward_clawback'))
     select bought.count as purchases, bought.amount as "purchaseAmount", earned.count as rewards,
       earned.user_amount as "userAmount", earned.issuer_amount as "issuerAmount", paid.count as payouts,
       paid.amount as "payoutAmount", moved.payouts as "ledgerPayoutAmount", moved.claw_backs as "ledgerClawBackAmount",
       (select coalesce(sum(balance), 0)::bigint from account
        where organisation_id = $1 and kind = 'rewards_funding' and id < 0) as "fundingBalance"
     from bought, earned, paid, moved`,
    [organisationId, day.start, day.end],
  )
  if (!row) throw new Error('the sums answered no row')
  return row
}
