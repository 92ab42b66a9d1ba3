import type { Queryable } from '../../database/database.ts'

export interface VerificationTokenRow {
  id: number
  customerId: number
  createdAt: string
  expiresAt: string
}

/** Stores the hash of a token for ten minutes of real time; undefined if the customer does not exist. */
export async function insertVerificationToken(
  transaction: Queryable,
  token: { id: number; hash: Buffer; organisationId: number; customerId: number },
): Promise<VerificationTokenRow | undefined> {
  const [row] = await transaction.query<VerificationTokenRow>(
    `insert into verification_token (id, hash, organisation_id, customer_id, created_at, expires_at)
     select $1::bigint, $2::bytea, organisation_id, id, now_at, now_at + interval '10 minutes'
     from customer, date_trunc('milliseconds', clock_timestamp()) as now_at
     where organisation_id = $3::bigint and id = $4::bigint
     returning id, customer_id as "customerId", created_at as "createdAt", expires_at as "expiresAt"`,
    [token.id, token.hash, token.organisationId, token.customerId],
  )
  return row
}
