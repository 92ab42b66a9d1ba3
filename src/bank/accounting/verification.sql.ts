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

/** Keeps a result, unless another process has kept a later one. */
export async function saveVerification(
  database: Queryable,
  organisationId: number,
  { checkedAt, durationMs, laws }: VerificationRow,
): Promise<void> {
  await database.query(
    `insert into ledger_verification as v (organisation_id, checked_at, duration_ms, laws)
     values ($1::bigint, $2::timestamptz, $3::integer, $4::json)
     on conflict (organisation_id) do update
     set checked_at = excluded.checked_at, duration_ms = excluded.duration_ms, laws = excluded.laws
     where v.checked_at <= excluded.checked_at`,
    [organisationId, checkedAt, durationMs, JSON.stringify(laws)],
  )
}
