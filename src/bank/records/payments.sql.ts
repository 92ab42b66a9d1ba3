import { arrayOf, bigint, integer, jsonb, rowSet, text } from '../../database/arrays.ts'
import type { Queryable } from '../../database/database.ts'
import { type Changed, lastVersions } from '../../ledger/kinds.ts'
import { type PaymentRow, paymentColumns, paymentFromRow, waitsFor } from './payment-columns.ts'
import type { LedgerPayee, LedgerPayment } from './records.ts'

export function readPayees(transaction: Queryable, ids: number[]): Promise<LedgerPayee[]> {
  return transaction.query(
    `select id, customer_id as "customerId", name, routing_number as "routingNumber",
       account_number as "accountNumber", account_type as "accountType", type,
       review is not distinct from 'PendingReview' as "underReview", known
     from external_account where id = any($1::bigint[]) and deleted_at is null`,
    [arrayOf('bigint', ids)],
  )
}

const selectPayments = `
  select ${paymentColumns}, ${waitsFor('payment')} from payment where id = any($1::bigint[])`

export async function readPayments(transaction: Queryable, ids: number[]): Promise<LedgerPayment[]> {
  if (ids.length === 0) return []
  const rows = await transaction.query<PaymentRow>(selectPayments, [arrayOf('bigint', ids)])
  return rows.map((row) => paymentFromRow(row))
}

/** The payments of accounts that have not left. Planned for its values: most accounts have few, and some a long history. */
export async function readPending(transaction: Queryable, accountIds: number[]): Promise<LedgerPayment[]> {
  if (accountIds.length === 0) return []
  const rows = await transaction.query<PaymentRow>(
    `select ${paymentColumns} from payment
     where account_id = any($1::bigint[]) and status = 'Pending'
       and organisation_id in (select organisation_id from account where id = any($1))
     order by id`,
    [accountIds],
    'once',
  )
  return rows.map((row) => paymentFromRow(row))
}

/** The retries and the reversals of payments. */
export async function readLinked(transaction: Queryable, ids: number[]): Promise<LedgerPayment[]> {
  if (ids.length === 0) return []
  const rows = await transaction.query<PaymentRow>(
    `select ${paymentColumns} from payment where (link ->> 'paymentId')::bigint = any($1::bigint[]) order by id`,
    [arrayOf('bigint', ids)],
  )
  return rows.map((row) => paymentFromRow(row))
}

const links = rowSet<LedgerPayment>({
  id: bigint(({ id }) => id),
  link: jsonb(({ link }) => JSON.stringify(link)),
})

/** Writes the links of new payments. Nearly all payments have none, and their insert lacks the column. */
export async function writeLinks(transaction: Queryable, inserted: LedgerPayment[]): Promise<void> {
  await transaction.query(
    `update payment p set link = n.link from (${links.select}) n where p.id = n.id and p.id = any($1::bigint[])`,
    links.values(inserted),
  )
}

const changedPayments = rowSet<Changed<LedgerPayment>>({
  id: bigint(({ row }) => row.id),
  status: text(({ row }) => row.status),
  return_code: text(({ row }) => row.returnCode),
  ach_file_id: bigint(({ row }) => row.achFileId),
  trace_number: text(({ row }) => row.traceNumber),
  version: integer(({ row }) => row.version),
  expected_version: integer(({ expectedVersion }) => expectedVersion),
})
const updatePayments = `
  with changed as (
    update payment p
    set status = n.status, return_code = n.return_code, ach_file_id = n.ach_file_id, trace_number = n.trace_number,
      version = n.version
    from (${changedPayments.select}) n
    where p.id = n.id and p.id = any($1::bigint[]) and p.version = n.expected_version
    returning 1)
  select require((select count(*) from changed) = $${changedPayments.next}::bigint, 'a payment changed under its lock')`

/** Writes payments in their last states. Fails if one is no longer in the version that it was read with. */
export async function writeChangedPayments(transaction: Queryable, updated: LedgerPayment[]): Promise<void> {
  if (updated.length === 0) return
  const changes = lastVersions(updated)
  await transaction.query(updatePayments, [...changedPayments.values(changes), changes.length])
}
