import type { Queryable } from '../../database/database.ts'

/** Whether a notification was stored by its id alone, as version 0.1.0 did. Two types may share an id. */
export async function wasReceived(transaction: Queryable, formerId: string, type: string): Promise<boolean> {
  const rows = await transaction.query(
    `select 1 from inbound_event where provider = 'kard' and upstream_id = $1::text and type = $2::text`,
    [formerId, type],
  )
  return rows.length > 0
}

export async function findPartnerUserId(
  transaction: Queryable,
  organisationId: number,
  userId: number,
): Promise<number | null> {
  const [row] = await transaction.query<{ id: number }>(
    `select id from partner_user where organisation_id = $1::bigint and user_id = $2::bigint`,
    [organisationId, userId],
  )
  return row?.id ?? null
}

export async function findRewardableTransactionId(
  transaction: Queryable,
  organisationId: number,
  bankTransactionIds: string[],
): Promise<number | null> {
  const [row] = await transaction.query<{ id: number }>(
    `select id from rewardable_transaction
     where organisation_id = $1::bigint and bank_transaction_id = any($2::text[]) order by id limit 1`,
    [organisationId, bankTransactionIds],
  )
  return row?.id ?? null
}
