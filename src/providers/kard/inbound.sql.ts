import type { Queryable } from '../../database/database.ts'

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
