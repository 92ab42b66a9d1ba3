import type { Queryable } from '../../../database/database.ts'

/** Stores the hash of a token for ten minutes of real time; false when there is no such customer. */
export async function insertVerificationToken(
  transaction: Queryable,
  token: { hash: Buffer; organisationId: number; customerId: number },
): Promise<boolean> {
  const rows = await transaction.query(
    `insert into verification_token (hash, organisation_id, customer_id, created_at, expires_at)
     select $1::bytea, organisation_id, id, now_at, now_at + interval '10 minutes'
     from customer, date_trunc('milliseconds', clock_timestamp()) as now_at
     where organisation_id = $2::bigint and id = $3::bigint
     returning true`,
    [token.hash, token.organisationId, token.customerId],
  )
  return rows.length === 1
}
