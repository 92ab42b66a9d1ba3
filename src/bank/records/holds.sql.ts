import { arrayOf, recordColumns } from '../../database/arrays.ts'
import type { Queryable } from '../../database/database.ts'
import type { RecordBook } from '../../ledger/kinds.ts'
import type { LedgerHold } from './records.ts'

const columns = recordColumns<LedgerHold>({
  id: 'bigint',
  organisationId: 'bigint',
  accountId: 'bigint',
  customerId: 'bigint',
  status: 'text',
  amount: 'bigint',
  reason: 'text',
  description: 'text',
  createdAt: 'timestamptz',
  expiresAt: 'timestamptz',
  endedAt: 'timestamptz',
  byBank: 'boolean',
  version: 'integer',
})
export const holdColumns = columns.selected

export function readHolds(transaction: Queryable, ids: number[]): Promise<LedgerHold[]> {
  return transaction.query(`select ${holdColumns} from account_hold where id = any($1::bigint[])`, [
    arrayOf('bigint', ids),
  ])
}

const newHolds = columns.rows()
const insertHolds = `insert into account_hold (${newHolds.names}) ${newHolds.select}`

const endedHolds = columns.rows('id', 'status', 'endedAt', 'version')
/** By `ended_at`: the status would lead PostgreSQL 16 to read the index of all active holds. */
const endHolds = `
  with ended as (
    update account_hold h set status = n.status, ended_at = n.ended_at, version = n.version
    from (${endedHolds.select}) n
    where h.id = n.id and h.id = any($1::bigint[]) and h.ended_at is null
    returning 1)
  select require((select count(*) from ended) = $${endedHolds.next}::bigint, 'a hold ended twice')`

/** Writes new holds and the ends of others. Fails if a hold has ended before. */
export async function writeHolds(
  transaction: Queryable,
  { inserted, updated: ended }: Pick<RecordBook<LedgerHold>, 'inserted' | 'updated'>,
): Promise<void> {
  if (inserted.length > 0) await transaction.query(insertHolds, newHolds.values(inserted))
  if (ended.length > 0) await transaction.query(endHolds, [...endedHolds.values(ended), ended.length])
}
