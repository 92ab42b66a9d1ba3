import { bigint, rowSet, text } from '../../../database/arrays.ts'
import type { Queryable } from '../../../database/database.ts'
import { type PaymentRow, paymentColumns } from '../../records/payment-columns.ts'

/** A file that left, as the database of a live bank knows it. */
export interface KnownFile {
  id: number
  state: string
  sha256: Buffer | null
}

export async function findOutgoing(database: Queryable, name: string): Promise<KnownFile | undefined> {
  const [row] = await database.query<KnownFile>(
    `select id, state, sha256 from ach_file
     where direction = 'out' and organisation_id is null and not arrived and name = $1::text`,
    [name],
  )
  return row
}

export interface SentRow {
  id: number
  keyOrganisationId: number
  windowAt: string
  part: number
  modifier: string
  createdOn: string
  name: string
  sealedContent: Buffer
  sha256: Buffer
  entryCount: number
  debits: number
  credits: number
}

/** Stores a file whose payments are to be found. It is unknown until they are. */
export async function insertSent(database: Queryable, file: SentRow, state: 'unknown' | 'void'): Promise<void> {
  await database.query(
    `insert into ach_file (id, key_organisation_id, direction, window_at, part, modifier, created_on, name, state,
       sealed_content, sha256, entry_count, debits, credits)
     values ($1::bigint, $2::bigint, 'out', $3::timestamptz, $4::int, $5::text, $6::date, $7::text, $13::text,
       $8::bytea, $9::bytea, $10::int, $11::bigint, $12::bigint)`,
    [
      ...[file.id, file.keyOrganisationId, file.windowAt, file.part, file.modifier, file.createdOn, file.name],
      ...[file.sealedContent, file.sha256, file.entryCount, file.debits, file.credits, state],
    ],
  )
}

/** Gives a file that was being built when the database was backed up, or was thought not to have left, its bytes. */
export async function fillBuilding(database: Queryable, file: Omit<SentRow, 'windowAt' | 'part'>): Promise<void> {
  await database.query(
    `update ach_file set state = 'unknown', key_organisation_id = $2::bigint, sealed_content = $3::bytea, sha256 = $4::bytea,
       entry_count = $5::int, debits = $6::bigint, credits = $7::bigint
     where id = $1::bigint and state in ('building', 'void')`,
    [file.id, file.keyOrganisationId, file.sealedContent, file.sha256, file.entryCount, file.debits, file.credits],
  )
}

export function paymentsByIds(database: Queryable, ids: number[]): Promise<PaymentRow[]> {
  return database.query(`select ${paymentColumns} from payment where id = any($1::bigint[])`, [ids], 'once')
}

/** A received payment whose return may have left. */
export interface ReturnedPayment {
  id: number
  organisationId: number
  traceNumber: string
  amount: number
  direction: 'Credit' | 'Debit'
  status: string
  settlesAt: string | null
  fileId: number | null
}

export function receivedByTraces(database: Queryable, traces: string[]): Promise<ReturnedPayment[]> {
  return database.query(
    `select id, organisation_id as "organisationId", trace_number as "traceNumber", amount, direction, status,
       return_settles_at as "settlesAt", return_file_id as "fileId"
     from received_payment where trace_number = any($1::text[])`,
    [traces],
    'once',
  )
}

const entryRows = rowSet<{ paymentId: number; organisationId: number; batchId: number }>({
  payment_id: bigint(({ paymentId }) => paymentId),
  organisation_id: bigint(({ organisationId }) => organisationId),
  batch_id: bigint(({ batchId }) => batchId),
})

const returnRows = rowSet<{ id: number; batchId: number; trace: string }>({
  id: bigint(({ id }) => id),
  batch_id: bigint(({ batchId }) => batchId),
  trace: text(({ trace }) => trace),
})

/** The entries of a file that are in batches, and those that are lost. */
export async function storedEntries(database: Queryable, fileId: number): Promise<{ batched: number; lost: number }> {
  const [row] = await database.query<{ batched: number; lost: number }>(
    `select (select coalesce(sum(entry_count), 0)::int from ach_batch where file_id = $1::bigint) as batched,
       (select count(*)::int from ach_received_entry
        where file_id = $1::bigint and kind in ('lostPayment', 'lostReturn')) as lost`,
    [fileId],
  )
  return row ?? { batched: 0, lost: 0 }
}

/** Ends the unknown state of a file that has left. It counts as delivered at its cut-off, not now. */
export async function noteDelivered(transaction: Queryable, fileId: number): Promise<void> {
  await transaction.query(
    `update ach_file set state = 'delivered', delivered_at = coalesce(delivered_at, window_at)
     where id = $1::bigint and state in ('built', 'delivering', 'unknown')`,
    [fileId],
  )
}

/** The organisations among these that are in this database. */
export async function organisationsHere(database: Queryable, ids: number[]): Promise<Set<number>> {
  const rows = await database.query<{ id: number }>(
    'select id from organisation where id = any($1::bigint[]) and ended_at is null',
    [ids],
  )
  return new Set(rows.map(({ id }) => id))
}

export async function insertEntries(
  transaction: Queryable,
  entries: { paymentId: number; organisationId: number; batchId: number }[],
): Promise<void> {
  const rows = `insert into ach_entry (${entryRows.names}) ${entryRows.select}`
  for (let at = 0; at < entries.length; at += 5_000)
    await transaction.query(rows, entryRows.values(entries.slice(at, at + 5_000)), 'once')
}

export async function noteReturns(
  transaction: Queryable,
  fileId: number,
  returns: { id: number; batchId: number; trace: string }[],
): Promise<void> {
  await transaction.query(
    `update received_payment r set return_file_id = $${returnRows.next}::bigint, return_batch_id = n.batch_id,
       return_trace = n.trace
     from (${returnRows.select}) n where r.id = n.id and r.return_file_id is null`,
    [...returnRows.values(returns), fileId],
    'once',
  )
}

/** Moves the sequence of trace numbers past one that was used: forward by less than half of its numbers, never back. */
export async function passTrace(database: Queryable, { drawn, of }: { drawn: number; of: number }): Promise<void> {
  await database.query(
    `with now as (select last_value as value, is_called from ach_trace),
       ahead as (select ($1::bigint - value % $2::bigint + $2::bigint) % $2::bigint as by, value, is_called from now)
     select setval('ach_trace', (value + by - 1) % 9999996 + 1) from ahead
     where by < $2::bigint / 2 and (by > 0 or not is_called)`,
    [drawn, of],
  )
}

/** The payments that leave next, and how many of them have one of these cut-offs. */
export async function waitingPayments(
  database: Queryable,
  cutoffs: string[],
): Promise<{ count: number; amount: number; known: number }> {
  const [row] = await database.query<{ count: number; amount: number; known: number }>(
    `select count(*)::int as count, coalesce(sum(amount), 0)::bigint as amount,
       (count(*) filter (where cutoff_at = any($1::timestamptz[])))::int as known
     from payment where status = 'Pending'`,
    [cutoffs],
    'once',
  )
  return row ?? { count: 0, amount: 0, known: 0 }
}

/** Replaces the lines of the journal after one, and returns whether there is more than the folder has. */
export async function replaceLines(
  transaction: Queryable,
  after: number,
  lines: { entry: string; fileId: number | null }[],
): Promise<void> {
  await transaction.query('delete from ach_journal where line > $1::int', [after])
  for (const [at, { entry, fileId }] of lines.entries())
    await transaction.query('insert into ach_journal (line, entry, file_id) values ($1::int, $2::text, $3::bigint)', [
      after + at + 1,
      entry,
      fileId,
    ])
}

/** Lets a file that has not left be delivered. */
export async function deliverAgain(transaction: Queryable, name: string): Promise<void> {
  await transaction.query(
    `update ach_file set state = 'built', delivered_at = null
     where direction = 'out' and organisation_id is null and not arrived and name = $1::text
       and state in ('delivering', 'unknown', 'delivered')`,
    [name],
  )
}
