import type { Queryable } from '../../database/database.ts'

/** The sums of a day, as text: they can be larger than a number holds exactly. */
export interface DailyTotals {
  purchases: string
  purchaseAmount: string
  rewards: string
  userAmount: string
  issuerAmount: string
  payouts: string
  payoutAmount: string
  ledgerPayoutAmount: string
  ledgerClawBackAmount: string
  fundingBalance: string
}

/** The sums of a day in UTC, from the records and from the ledger. */
export async function dailyTotals(database: Queryable, organisationId: number, date: string): Promise<DailyTotals> {
  const [row] = await database.query<DailyTotals>(
    `with bought as (
       select count(*)::text as count, coalesce(sum(amount), 0)::text as amount from rewardable_transaction
       where organisation_id = $1::bigint and created_at >= $2::timestamptz and created_at < $2::timestamptz + interval '1 day'),
     earned as (
       select count(*)::text as count, coalesce(sum(user_amount), 0)::text as user_amount,
         coalesce(sum(issuer_amount), 0)::text as issuer_amount
       from reward where organisation_id = $1 and created_at >= $2 and created_at < $2 + interval '1 day'),
     paid as (
       select count(*)::text as count, coalesce(sum(p.amount), 0)::text as amount
       from reward_payment r join payment p on p.id = r.payment_id
       where r.organisation_id = $1 and r.created_at >= $2 and r.created_at < $2 + interval '1 day'),
     moved as (
       select coalesce(sum(amount) filter (where source_kind = 'reward'), 0)::text as payouts,
         coalesce(sum(amount) filter (where source_kind = 'reward_clawback'), 0)::text as claw_backs
       from transfer where organisation_id = $1 and created_at >= $2 and created_at < $2 + interval '1 day'
         and source_kind in ('reward', 'reward_clawback'))
     select bought.count as purchases, bought.amount as "purchaseAmount", earned.count as rewards,
       earned.user_amount as "userAmount", earned.issuer_amount as "issuerAmount", paid.count as payouts,
       paid.amount as "payoutAmount", moved.payouts as "ledgerPayoutAmount", moved.claw_backs as "ledgerClawBackAmount",
       (select coalesce(sum(balance), 0)::text from account
        where organisation_id = $1 and kind = 'rewards_funding' and id < 0) as "fundingBalance"
     from bought, earned, paid, moved`,
    [organisationId, `${date}T00:00:00.000Z`],
  )
  if (!row) throw new Error('the sums answered no row')
  return row
}
