import { arrayOf } from '../../database/arrays.ts'
import type { Queryable } from '../../database/database.ts'

/** Those of some ACH files that are being built. None of them can be finished before the transaction ends. */
export async function holdBuildingFiles(transaction: Queryable, ids: number[]): Promise<number[]> {
  const rows = await transaction.query<{ id: number }>(
    `select id from ach_file where id = any($1::bigint[]) and state = 'building' for share`,
    [arrayOf('bigint', ids)],
  )
  return rows.map(({ id }) => id)
}

/** Those of some batches of ACH files that are to settle. No other process settles or rejects one before the transaction ends. */
export async function holdUnsettledBatches(transaction: Queryable, ids: number[]): Promise<number[]> {
  const rows = await transaction.query<{ id: number }>(
    `select id from ach_batch where id = any($1::bigint[]) and settled_at is null and rejected_at is null
     order by id for no key update`,
    [arrayOf('bigint', ids)],
  )
  return rows.map(({ id }) => id)
}

export interface SettledBatch {
  id: number
  at: string
}

/** Notes that batches of ACH files have settled. Fails if one had settled before. */
export async function writeSettledBatches(transaction: Queryable, settled: SettledBatch[]): Promise<void> {
  for (const { id, at } of settled) {
    await transaction.query(
      `with settled as (
         update ach_batch set settled_at = $2::timestamptz where id = $1::bigint and settled_at is null returning 1)
       select require((select count(*) from settled) = 1, 'an ACH batch settled twice')`,
      [id, at],
    )
  }
}
