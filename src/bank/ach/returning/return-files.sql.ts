import { bigint, rowSet, text } from '../../../database/arrays.ts'
import type { Queryable } from '../../../database/database.ts'
import { insertBatches, type OutgoingBatch } from '../batches.sql.ts'

/** The first cut-off of returns of an organisation that are in no file. */
export async function nextReturnCutoff(database: Queryable, organisationId: number): Promise<string | undefined> {
  const [row] = await database.query<{ at: string | null }>(
    `select min(return_cutoff_at) as at from received_payment
     where organisation_id = $1::bigint and return_file_id is null and return_cutoff_at is not null
       and booked_at is not null`,
    [organisationId],
    'once',
  )
  return row?.at ?? undefined
}

/** The returns of an organisation that are in no file, with the earliest cut-offs. */
export function nextReturns(
  database: Queryable,
  organisationId: number,
  limit: number,
): Promise<{ id: number; at: string }[]> {
  return database.query(
    `select id, return_cutoff_at as at from received_payment
     where organisation_id = $1::bigint and return_file_id is null and return_cutoff_at is not null
       and booked_at is not null
     order by return_cutoff_at, id limit $2`,
    [organisationId, limit],
    'once',
  )
}

/** The first cut-off that has passed, of returns of any organisation. */
export async function pastReturnCutoff(database: Queryable): Promise<string | undefined> {
  const [row] = await database.query<{ at: string | null }>(
    `select min(return_cutoff_at) as at from received_payment
     where return_file_id is null and return_cutoff_at <= bank_time(organisation_id) and booked_at is not null
       and not is_moving(organisation_id)`,
    [],
    'once',
  )
  return row?.at ?? undefined
}

/** A received payment that leaves as a return. */
export interface LeavingReturn {
  id: number
  organisationId: number
  fileId: number
  line: number
  direction: 'Credit' | 'Debit'
  returnCode: string
  /** The settlement day of the entry that it answers. */
  settlesOn: string
  settlesAt: string
  /** The entry that it answers, if the organisation has moved. */
  sealedEntry: Buffer | null
  /** A number drawn for the trace number of the return. */
  sequence: number
}

/** The returns of a cut-off that are in no file, of one organisation or of all. They are locked. */
export function takeReturns(
  transaction: Queryable,
  { organisationId, windowAt, limit }: { organisationId: number | null; windowAt: string; limit: number },
): Promise<LeavingReturn[]> {
  return transaction.query(
    `select r.*, nextval('ach_trace')::integer as sequence from (
       select id, organisation_id as "organisationId", file_id as "fileId", line, direction,
         return_code as "returnCode", settles_on::text as "settlesOn", return_settles_at as "settlesAt", sealed_entry as "sealedEntry"
       from received_payment
       where ($1::bigint is null or organisation_id = $1) and return_file_id is null and booked_at is not null
         and return_cutoff_at = $2::timestamptz and not is_moving(organisation_id)
       order by id limit $3 for no key update) r`,
    [organisationId, windowAt, limit],
    'once',
  )
}

export interface StoredFile {
  id: number
  keyOrganisationId: number
  sealedContent: Buffer
}

/** The incoming files with these ids whose bytes are in this database. */
export function filesOf(database: Queryable, ids: number[]): Promise<StoredFile[]> {
  return database.query(
    `select id, key_organisation_id as "keyOrganisationId", sealed_content as "sealedContent"
     from ach_file where id = any($1::bigint[]) and sealed_content is not null`,
    [ids],
    'once',
  )
}

/** The received payments whose returns left with these trace numbers, the latest last. Of one organisation, or of all. */
export function returnsByTrace(
  database: Queryable,
  organisationId: number | null,
  traces: string[],
): Promise<SentBack[]> {
  return database.query(
    `select id, organisation_id as "organisationId", account_id as "accountId", return_trace as "returnTrace", amount,
       settles_on::text as "settlesOn", return_settles_at as "returnSettlesAt"
     from received_payment
     where return_trace = any($2::text[]) and ($1::bigint is null or organisation_id = $1)
       and organisation_id not in (select id from organisation where ended_at is not null)
     order by id`,
    [organisationId, traces],
    'once',
  )
}

/** A received payment that was sent back. */
export interface SentBack {
  id: number
  organisationId: number
  accountId: number | null
  returnTrace: string
  amount: number
  settlesOn: string
  returnSettlesAt: string
}

export interface ReturnFile {
  id: number
  organisationId: number | null
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

export interface ReturnBatch extends OutgoingBatch {
  returnSide: 'Credit' | 'Debit'
}

const entryRows = rowSet<{ id: number; batchId: number; trace: string }>({
  id: bigint(({ id }) => id),
  batch_id: bigint(({ batchId }) => batchId),
  trace: text(({ trace }) => trace),
})

/** Stores a file of returns with its batches, and notes it with the received payments. */
export async function insertReturnFile(
  transaction: Queryable,
  file: ReturnFile,
  batches: ReturnBatch[],
  entries: { id: number; batchId: number; trace: string }[],
): Promise<void> {
  await insertBuiltFile(transaction, file, batches)
  await transaction.query(
    `with returned as (
       update received_payment r set return_file_id = $${entryRows.next}::bigint, return_batch_id = n.batch_id,
         return_trace = n.trace
       from (${entryRows.select}) n where r.id = n.id and r.return_file_id is null returning 1)
     select require((select count(*) from returned) = $${entryRows.next + 1}::bigint, 'a return left twice')`,
    [...entryRows.values(entries), file.id, entries.length],
    'once',
  )
}

/** Stores a file that has been built at once, with its batches. */
export async function insertBuiltFile(
  transaction: Queryable,
  file: ReturnFile,
  batches: OutgoingBatch[],
): Promise<void> {
  await transaction.query(
    `insert into ach_file (id, organisation_id, key_organisation_id, direction, window_at, part, modifier, created_on, name,
       state, sealed_content, sha256, entry_count, debits, credits)
     values ($1::bigint, $2::bigint, $3::bigint, 'out', $4::timestamptz, $5::int, $6::text, $7::date, $8::text, 'built',
       $9::bytea, $10::bytea, $11::int, $12::bigint, $13::bigint)`,
    [
      ...[
        file.id,
        file.organisationId,
        file.keyOrganisationId,
        file.windowAt,
        file.part,
        file.modifier,
        file.createdOn,
      ],
      ...[file.name, file.sealedContent, file.sha256, file.entryCount, file.debits, file.credits],
    ],
  )
  await insertBatches(transaction, batches)
}

export interface ReturnedReceived {
  id: number
  accountId: number | null
  customerId: number | null
}

/** The received payments of a batch whose return has not settled, after an id. */
export function returningIn(
  database: Queryable,
  { batchId, after, limit }: { batchId: number; after: number; limit: number },
): Promise<ReturnedReceived[]> {
  return database.query(
    `select id, account_id as "accountId", customer_id as "customerId" from received_payment
     where return_batch_id = $1::bigint and id > $2::bigint and status = 'MarkedForReturn' order by id limit $3`,
    [batchId, after, limit],
    'once',
  )
}

/** Takes the returns of a rejected batch out of their file, so that they leave with a cut-off to come. */
export async function releaseReturns(
  transaction: Queryable,
  { batchId, cutoff, settles }: { batchId: number; cutoff: string; settles: string },
): Promise<void> {
  await transaction.query(
    `update received_payment set return_file_id = null, return_batch_id = null, return_trace = null,
       return_cutoff_at = $2::timestamptz, return_settles_at = $3::timestamptz
     where return_batch_id = $1::bigint and status = 'MarkedForReturn'`,
    [batchId, cutoff, settles],
    'once',
  )
}

/** The first number of the advisory lock under which the returns of all organisations leave. */
const RETURN_LOCK = 7_275_754

export async function returnLock(transaction: Queryable): Promise<boolean> {
  const [row] = await transaction.query<{ free: boolean }>(`select pg_try_advisory_xact_lock($1::int, 0) as free`, [
    RETURN_LOCK,
  ])
  return row?.free === true
}
