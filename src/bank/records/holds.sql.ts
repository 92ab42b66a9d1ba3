import { arrayOf, bigint, boolean, integer, rowSet, text, timestamptz } from '../../database/arrays.ts'
import type { Queryable } from '../../database/database.ts'
import type { Rows } from '../books.ts'
import type { LedgerHold } from '../records.ts'
import { holdColumns } from './hold-columns.ts'

/** Reads holds by id. Most batches have none, so an empty list costs no round trip. */
export async function readHolds(transaction: Queryable, ids: number[]): Promise<LedgerHold[]> {
  if (ids.length === 0) return []
  return transaction.query(`select ${holdColumns} from account_hold where id = any($1::bigint[])`, [
    arrayOf('bigint', ids),
  ])
}

const newHolds = rowSet<LedgerHold>({
  id: bigint(({ id }) => id),
  organisation_id: bigint(({ organisationId }) => organisationId),
  account_id: bigint(({ accountId }) => accountId),
  customer_id: bigint(({ customerId }) => customerId),
  status: text(({ status }) => status),
  amount: bigint(({ amount }) => amount),
  reason: text(({ reason }) => reason),
  description: text(({ description }) => description),
  created_at: timestamptz(({ createdAt }) => createdAt),
  expires_at: timestamptz(({ expiresAt }) => expiresAt),
  by_bank: boolean(({ byBank }) => byBank),
  version: integer(({ version }) => version),
})
const insertHolds = `insert into account_hold (${newHolds.names}) ${newHolds.select}`

const endedHolds = rowSet<LedgerHold>({
  id: bigint(({ id }) => id),
  status: text(({ status }) => status),
  ended_at: timestamptz(({ endedAt }) => endedAt),
  version: integer(({ version }) => version),
})
/** By `ended_at`: the status would lead PostgreSQL 16 to read the index of all active holds. */
const endHolds = `
  with ended as (
    update account_hold h set status = n.status, ended_at = n.ended_at, version = n.version
    from (${endedHolds.select}) n
    where h.id = n.id and h.id = any($1::bigint[]) and h.ended_at is null
    returning 1)
  select require((select count(*) from ended) = $${endedHolds.next}::bigint, 'a hold ended twice')`

/** Writes new holds and the ends of others. Fails where a hold has ended before. */
export async function writeHolds(
  transaction: Queryable,
  { holds, endedHolds: ended }: Pick<Rows, 'holds' | 'endedHolds'>,
): Promise<void> {
  if (holds.length > 0) await transaction.query(insertHolds, newHolds.values(holds))
  if (ended.length > 0) await transaction.query(endHolds, [...endedHolds.values(ended), ended.length])
}
