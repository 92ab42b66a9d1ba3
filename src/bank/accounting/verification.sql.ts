import type { Queryable } from '../../database/database.ts'
import type { Verdict } from '../../ledger/verify.ts'

export interface VerificationRow {
  checkedAt: string
  durationMs: number
  laws: Verdict[]
}

export async function findVerification(
  database: Queryable,
  organisationId: number,
): Promise<VerificationRow | undefined> {
  const [row] = await database.query<VerificationRow>(
    `select checked_at as "checkedAt", duration_ms as "durationMs", laws from ledger_verification
     where organisation_id = $1::bigint`,
    [organisationId],
  )
  return row
}

/** Any fixed number that no other advisory lock uses. */
const CHECKS_LOCK = 7_275_742

/** Begins a transaction that waits for a check; false if another process has one. */
export async function beginChecks(transaction: Queryable): Promise<boolean> {
  await transaction.query(`set local idle_in_transaction_session_timeout = 0`)
  const [row] = await transaction.query<{ locked: boolean }>(`select pg_try_advisory_xact_lock($1::bigint) as locked`, [
    CHECKS_LOCK,
  ])
  return row?.locked === true
}

/** The organisation that was not checked for the longest time, if that is more than a day of its bank time. */
export async function findLeastChecked(database: Queryable): Promise<number | undefined> {
  const [row] = await database.query<{ id: number }>(
    `select o.id from organisation o left join ledger_verification v on v.organisation_id = o.id
     where o.ended_at is null and coalesce(v.checked_at, o.created_at) < bank_time(o.id) - interval '1 day'
     order by v.checked_at nulls first, o.id limit 1`,
  )
  return row?.id
}

/** Keeps a result, unless another process has kept a later one or the organisation has ended. */
export async function saveVerification(
  database: Queryable,
  organisationId: number,
  { checkedAt, durationMs, laws }: VerificationRow,
): Promise<void> {
  await database.query(
    `insert into ledger_verification as v (organisation_id, checked_at, duration_ms, laws)
     select id, $2::timestamptz, $3::integer, $4::json from organisation where id = $1::bigint and ended_at is null
     on conflict (organisation_id) do update
     set checked_at = excluded.checked_at, duration_ms = excluded.duration_ms, laws = excluded.laws
     where v.checked_at <= excluded.checked_at`,
    [organisationId, checkedAt, durationMs, JSON.stringify(laws)],
  )
}
