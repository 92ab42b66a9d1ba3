import { LAST_INSTANT } from '../../base/clock.ts'
import type { Queryable } from '../../database/database.ts'

export async function nextRewardPaymentIds(database: Queryable, count: number): Promise<number[]> {
  const rows = await database.query<{ id: number }>(
    `select nextval(pg_get_serial_sequence('reward_payment', 'id')) as id from generate_series(1, $1::int)`,
    [count],
  )
  return rows.map(({ id }) => id)
}

export interface DueReward {
  id: number
  authorizationId: number
  accountId: number
  partnerUserId: number
  dueAt: string
}

/** Rewards whose payout is due by a time, in the order of their due times. */
export function dueRewards(
  database: Queryable,
  organisationId: number,
  until: string,
  limit: number,
): Promise<DueReward[]> {
  return database.query(
    `select r.id, b.authorization_id as "authorizationId", a.account_id as "accountId",
       r.partner_user_id as "partnerUserId", r.payout_due_at as "dueAt"
     from reward r
     join rewardable_transaction b on b.id = r.rewardable_transaction_id
     join card_authorization a on a.id = b.authorization_id
     where r.organisation_id = $1::bigint and r.state = 'PENDING' and r.payout_due_at <= $2::timestamptz
     order by r.payout_due_at, r.id limit $3`,
    [organisationId, until, limit],
  )
}

/**
 * Makes a payout due again after as long as the reward has existed, at least a day: an advance over years then meets it a
 * few times. It is never due again if that would lie past the end of bank time.
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
