import { arrayOf, bigint, boolean, integer, rowSet, text, timestamptz } from '../../database/arrays.ts'
import type { Queryable } from '../../database/database.ts'
import type { RecordBook } from '../../ledger/kinds.ts'
import type { LedgerHold } from './records.ts'

/** The columns of a hold under the names of its record. */
export const holdColumns = `id, organisation_id as "organisationId", account_id as "accountId",
  customer_id as "customerId", status, amount, reason, description, created_at as "createdAt",
  expires_at as "expiresAt", ended_at as "endedAt", by_bank as "byBank", version`

export function readHolds(transaction: Queryable, ids: number[]): Promise<LedgerHold[]> {
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

/** Writes new holds and the ends of others. Fails if a hold has ended before. */
export async function writeHolds(
  transaction: Queryable,
  { inserted, updated: ended }: Pick<RecordBook<LedgerHold>, 'inserted' | 'updated'>,
): Promise<void> {
  if (inserted.length > 0) await transaction.query(insertHolds, newHolds.values(inserted))
  if (ended.length > 0) await transaction.query(endHolds, [...endedHolds.values(ended), ended.length])
}
