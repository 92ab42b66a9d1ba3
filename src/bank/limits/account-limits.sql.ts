import type { Queryable } from '../../database/database.ts'
import type { LedgerLimits } from '../../ledger/records.ts'
import { MOST, NEAR, type NearLimit } from '../../tools/attention.ts'

export interface LimitsRow {
  id: number
  organisationId: number
  version: number
  limits: LedgerLimits | null
  /** Bank time. */
  now: string
}

const columns = `id, organisation_id as "organisationId", version, limits, bank_time(organisation_id) as now`

export async function findLimits(
  database: Queryable,
  organisationId: number,
  accountId: number,
): Promise<LimitsRow | undefined> {
  const [row] = await database.query<LimitsRow>(
    `select ${columns} from account where organisation_id = $1::bigint and id = $2::bigint and id > 0`,
    [organisationId, accountId],
  )
  return row
}

/** Locks the account: a payment that is decided at the same time sees the limits before or after the change. */
export async function lockLimits(
  transaction: Queryable,
  organisationId: number,
  accountId: number,
): Promise<LimitsRow | undefined> {
  const [row] = await transaction.query<LimitsRow>(
    `select ${columns} from account
     where organisation_id = $1::bigint and id = $2::bigint and id > 0 for no key update`,
    [organisationId, accountId],
  )
  return row
}

export async function updateLimits(
  transaction: Queryable,
  accountId: number,
  limits: LedgerLimits | null,
): Promise<LimitsRow> {
  const [row] = await transaction.query<LimitsRow>(
    `update account set limits = $2::jsonb, version = version + 1 where id = $1::bigint returning ${columns}`,
    [accountId, limits && JSON.stringify(limits)],
  )
  if (!row) throw new Error('an update of a locked account returned no row')
  return row
}

/** Counts the payments of an account anew, from a day on. */
export async function recountUsage(transaction: Queryable, accountId: number, since: string): Promise<void> {
  await transaction.query(`delete from payment_usage where account_id = $1::bigint`, [accountId])
  await transaction.query(
    `insert into payment_usage (account_id, organisation_id, day, amount)
     select account_id, organisation_id, (created_at at time zone 'UTC')::date, sum(amount)::bigint from payment
     where account_id = $1::bigint and created_at >= $2::text::date::timestamp at time zone 'UTC'
       and type = 'achPayment' and direction = 'Credit' and status not in ('Canceled', 'Rejected')
     group by 1, 2, 3`,
    [accountId, since],
    'once',
  )
}

/** The amounts that count for the limits of an account, on a day and in its month. */
export async function usageOf(
  database: Queryable,
  accountId: number,
  day: string,
): Promise<{ day: number; month: number }> {
  const [row] = await database.query<{ day: number; month: number }>(
    `select coalesce(sum(amount) filter (where day = $2::text::date), 0)::bigint as day,
       coalesce(sum(amount), 0)::bigint as month
     from payment_usage
     where account_id = $1::bigint and day >= date_trunc('month', $2::text::date)
       and day < date_trunc('month', $2::text::date) + interval '1 month'`,
    [accountId, day],
  )
  return row ?? { day: 0, month: 0 }
}

/** Accounts that paid today and have used most of a limit of the day or the month, the fullest first. */
export function listNearLimits(database: Queryable, organisationId: number, today: string): Promise<NearLimit[]> {
  return database.query(
    `select a.id::text as id, s.period, s.used, s."limit"
     from (
       select account_id, amount from payment_usage where organisation_id = $1::bigint and day = $2::text::date
       order by account_id limit ${MOST}) d
     join account a on a.id = d.account_id
     cross join lateral (
       select sum(amount)::bigint as amount from payment_usage
       where account_id = d.account_id and day >= date_trunc('month', $2::text::date) and day <= $2::text::date) m
     cross join lateral (
       select l.* from (values
         ('day', d.amount, least((a.limits -> 'day' ->> 'soft')::bigint, (a.limits -> 'day' ->> 'hard')::bigint)),
         ('month', m.amount, least((a.limits -> 'month' ->> 'soft')::bigint, (a.limits -> 'month' ->> 'hard')::bigint))
       ) l (period, used, "limit")
       where l."limit" is not null order by l.used::float8 / greatest(l."limit", 1) desc limit 1) s
     where s.used >= ${NEAR} * s."limit" order by s.used::float8 / greatest(s."limit", 1) desc, a.id limit ${MOST + 1}`,
    [organisationId, today],
    'once',
  )
}
