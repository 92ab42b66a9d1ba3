import { bigint, integer, rowSet, text, timestamptz } from '../../../database/arrays.ts'
import type { Queryable } from '../../../database/database.ts'
import { type PaymentRow, paymentColumns } from '../../../ledger/payment-columns.ts'

/** The pending payments of an organisation with the earliest cut-offs. */
export function nextPending(
  database: Queryable,
  organisationId: number,
  limit: number,
): Promise<{ id: number; at: string }[]> {
  return database.query(
    `select id, cutoff_at as at from payment where organisation_id = $1::bigint and status = 'Pending'
     order by cutoff_at, id limit $2`,
    [organisationId, limit],
    'once',
  )
}

/** The earliest cut-off in live mode that passed so long ago and has pending payments, of all organisations. */
export async function pastCutoff(database: Queryable, ms: number): Promise<string | undefined> {
  const [row] = await database.query<{ at: string | null }>(
    `select min(p.cutoff_at) as at from organisation o cross join lateral (
       select cutoff_at from payment where organisation_id = o.id and status = 'Pending'
       order by cutoff_at limit 1) p
     where o.ended_at is null and not is_moving(o.id)
       and p.cutoff_at <= bank_time(o.id) - make_interval(secs => $1::float8 / 1000)`,
    [ms],
    'once',
  )
  return row?.at ?? undefined
}

/** The organisations with pending payments of a cut-off. */
export async function organisationsAt(database: Queryable, windowAt: string): Promise<number[]> {
  const rows = await database.query<{ id: number }>(
    `select o.id from organisation o where o.ended_at is null and not is_moving(o.id) and exists (
       select from payment p where p.organisation_id = o.id and p.status = 'Pending' and p.cutoff_at = $1::timestamptz)
     order by o.id`,
    [windowAt],
    'once',
  )
  return rows.map(({ id }) => id)
}

export interface PendingPayment {
  id: number
  accountId: number
  amount: number
  /** Payments with the same value share a batch. */
  batch: string
  /** A number drawn for its trace number. */
  sequence: number
}

interface PendingRange {
  organisationId: number
  windowAt: string
  after: number
  limit: number
}

const batchKey = `concat_ws(' ', organisation_id, settles_at, sec_code, description)`

/** Pending payments of a cut-off behind an id, each with the next number of the sequence of trace numbers. */
export function takePending(
  database: Queryable,
  { organisationId, windowAt, after, limit }: PendingRange,
): Promise<PendingPayment[]> {
  return database.query(
    `select p.*, nextval('ach_trace')::integer as sequence
     from (
       select id, account_id as "accountId", amount, ${batchKey} as batch from payment
       where organisation_id = $1::bigint and status = 'Pending' and cutoff_at = $2::timestamptz and id > $3::bigint
       order by id limit $4) p`,
    [organisationId, windowAt, after, limit],
    'once',
  )
}

export interface BuildingFile {
  id: number
  /** Null for a file of all organisations. */
  organisationId: number | null
  /** The organisation with whose key its bytes are sealed. */
  keyOrganisationId: number
  windowAt: string
  part: number
  modifier: string
  createdOn: string
  name: string
}

/** The file of a scope that is being built: of an organisation, or of all. */
export async function findBuilding(database: Queryable, scope: number | null): Promise<BuildingFile | undefined> {
  const [row] = await database.query<BuildingFile>(
    `select id, organisation_id as "organisationId", key_organisation_id as "keyOrganisationId",
       window_at as "windowAt", part, modifier, created_on::text as "createdOn", name
     from ach_file where coalesce(organisation_id, 0) = coalesce($1::bigint, 0) and state = 'building'`,
    [scope],
  )
  return row
}

/** The modifiers of a scope that are used on a day, and the last part of a cut-off. */
export async function filesOfDay(
  database: Queryable,
  { organisationId, windowAt, createdOn }: Pick<BuildingFile, 'organisationId' | 'windowAt' | 'createdOn'>,
): Promise<{ used: string; lastPart: number }> {
  const [row] = await database.query<{ used: string; lastPart: number }>(
    `select (
       select coalesce(string_agg(modifier, ''), '') from ach_file
       where coalesce(organisation_id, 0) = coalesce($1::bigint, 0) and created_on = $3::date and direction = 'out' and not arrived
     ) as used, (
       select coalesce(max(part), 0) from ach_file
       where coalesce(organisation_id, 0) = coalesce($1::bigint, 0) and window_at = $2::timestamptz and direction = 'out' and not arrived
     ) as "lastPart"`,
    [organisationId, windowAt, createdOn],
  )
  return row ?? { used: '', lastPart: 0 }
}

export async function insertBuilding(database: Queryable, file: BuildingFile): Promise<void> {
  const { id, organisationId, keyOrganisationId, windowAt, part, modifier, createdOn, name } = file
  await database.query(
    `insert into ach_file (id, organisation_id, key_organisation_id, direction, window_at, part, modifier, created_on,
       name, state)
     values ($1::bigint, $2::bigint, $3::bigint, 'out', $4::timestamptz, $5::int, $6::text, $7::date, $8::text, 'building')
     on conflict do nothing`,
    [id, organisationId, keyOrganisationId, windowAt, part, modifier, createdOn, name],
  )
}

/** Deletes the row of a file that no payment left with, because all were canceled. */
export async function deleteBuilding(transaction: Queryable, fileId: number): Promise<void> {
  // Behind the lock, all payments of the file can be seen.
  await transaction.query(`select from ach_file where id = $1::bigint for update`, [fileId])
  await transaction.query(
    `delete from ach_file where id = $1::bigint and state = 'building'
       and not exists (select from payment where ach_file_id = $1::bigint)`,
    [fileId],
  )
}

/** Payments of a file behind an id. */
export function paymentsInFile(
  database: Queryable,
  { fileId, after, limit }: { fileId: number; after: number; limit: number },
): Promise<PaymentRow[]> {
  return database.query(
    `select ${paymentColumns} from payment where ach_file_id = $1::bigint and id > $2::bigint order by id limit $3`,
    [fileId, after, limit],
    'once',
  )
}

/** The load of a file: its payments, their amount and the keys of its batches. */
export interface FileLoad {
  count: number
  amount: number
  batches: Set<string>
}

export async function loadOf(database: Queryable, fileId: number): Promise<FileLoad> {
  const rows = await database.query<{ batch: string; count: number; amount: number }>(
    `select ${batchKey} as batch, count(*) as count, sum(amount)::bigint as amount
     from payment where ach_file_id = $1::bigint group by 1`,
    [fileId],
    'once',
  )
  return {
    count: rows.reduce((sum, { count }) => sum + count, 0),
    amount: rows.reduce((sum, { amount }) => sum + amount, 0),
    batches: new Set(rows.map(({ batch }) => batch)),
  }
}

/** The company of an organisation; null where the settings have it. */
export async function findCompany(
  database: Queryable,
  organisationId: number,
): Promise<{ name: string | null; companyId: string | null }> {
  const [row] = await database.query<{ name: string | null; companyId: string | null }>(
    `select ach_company_name as name, ach_company_id as "companyId" from organisation where id = $1::bigint`,
    [organisationId],
  )
  return row ?? { name: null, companyId: null }
}

export interface BuiltFile {
  id: number
  keyOrganisationId: number
  sealedContent: Buffer
  sha256: Buffer
  entryCount: number
  debits: number
  credits: number
}

export interface BuiltBatch {
  id: number
  organisationId: number
  fileId: number
  number: number
  companyName: string
  companyId: string
  secCode: string
  description: string
  effectiveDate: string
  entryCount: number
  debits: number
  credits: number
  settlesAt: string
  paymentIds: number[]
}

const batchRows = rowSet<BuiltBatch>({
  id: bigint(({ id }) => id),
  organisation_id: bigint(({ organisationId }) => organisationId),
  file_id: bigint(({ fileId }) => fileId),
  number: integer(({ number }) => number),
  company_name: text(({ companyName }) => companyName),
  company_id: text(({ companyId }) => companyId),
  sec_code: text(({ secCode }) => secCode),
  description: text(({ description }) => description),
  effective_date: timestamptz(({ effectiveDate }) => `${effectiveDate}T00:00:00.000Z`),
  entry_count: integer(({ entryCount }) => entryCount),
  debits: bigint(({ debits }) => debits),
  credits: bigint(({ credits }) => credits),
  settles_at: timestamptz(({ settlesAt }) => settlesAt),
})
const insertBatches = `
  insert into ach_batch (${batchRows.names}, created_at)
  select id, organisation_id, file_id, number, company_name, company_id, sec_code, description,
    (effective_date at time zone 'UTC')::date, entry_count, debits, credits, settles_at,
    (select window_at from ach_file where id = file_id)
  from (${batchRows.select}) b`

const entryRows = rowSet<{ paymentId: number; organisationId: number; batchId: number }>({
  payment_id: bigint(({ paymentId }) => paymentId),
  organisation_id: bigint(({ organisationId }) => organisationId),
  batch_id: bigint(({ batchId }) => batchId),
})

/** Entries that are inserted in one statement. */
const ENTRIES = 5_000

/**
 * Stores a file that has been built. Fails where another process has stored it, or has put a payment into it that the
 * bytes lack: such a process waits for the lock of the file's row, or has committed before it was taken.
 */
export async function insertBuilt(transaction: Queryable, file: BuiltFile, batches: BuiltBatch[]): Promise<void> {
  await transaction.query(
    `with built as (
       update ach_file set state = 'built', sealed_content = $2::bytea, sha256 = $3::bytea, entry_count = $4::int,
         debits = $5::bigint, credits = $6::bigint, key_organisation_id = $7::bigint
       where id = $1::bigint and state = 'building' returning 1)
     select require((select count(*) from built) = 1, 'an ACH file was built twice')`,
    [file.id, file.sealedContent, file.sha256, file.entryCount, file.debits, file.credits, file.keyOrganisationId],
  )
  await transaction.query(
    `select require((select count(*) from payment where ach_file_id = $1::bigint) = $2::int,
       'a payment came into an ACH file while it was written')`,
    [file.id, file.entryCount],
  )
  await transaction.query(insertBatches, batchRows.values(batches), 'once')
  const entries = batches.flatMap(({ id: batchId, organisationId, paymentIds }) =>
    paymentIds.map((paymentId) => ({ paymentId, organisationId, batchId })),
  )
  const insertEntries = `insert into ach_entry (${entryRows.names}) ${entryRows.select}`
  for (let at = 0; at < entries.length; at += ENTRIES) {
    await transaction.query(insertEntries, entryRows.values(entries.slice(at, at + ENTRIES)), 'once')
  }
}

export interface UnsettledBatch {
  /** The side of the received payments that the batch returns; null for a batch of payments. */
  returnSide: 'Credit' | 'Debit' | null
  id: number
  amount: number
  settlesAt: string
}

/** The batches of an organisation that settle next. Rejected ones do not settle. */
export function nextUnsettled(database: Queryable, organisationId: number, limit: number): Promise<UnsettledBatch[]> {
  return database.query(
    `select id, debits + credits as amount, settles_at as "settlesAt", return_side as "returnSide" from ach_batch
     where organisation_id = $1::bigint and settled_at is null and rejected_at is null
     order by settles_at, id limit $2`,
    [organisationId, limit],
    'once',
  )
}

export interface RejectedBatch {
  id: number
  rejectedAt: string
  isOfReturns: boolean
}

/** The rejected batches of an organisation whose payments are still to be given back, or whose returns are to leave again. */
export function nextUnrefunded(database: Queryable, organisationId: number): Promise<RejectedBatch[]> {
  return database.query(
    `select id, rejected_at as "rejectedAt", return_side is not null as "isOfReturns" from ach_batch
     where organisation_id = $1::bigint and rejected_at is not null and refunded_at is null
     order by rejected_at, id limit 100`,
    [organisationId],
    'once',
  )
}

/** Notes that the money of all payments of a rejected batch is back, or that its returns leave again. */
export async function noteRefunded(database: Queryable, batchId: number): Promise<void> {
  await database.query(
    `update ach_batch set refunded_at = bank_time(organisation_id)
     where id = $1::bigint and rejected_at is not null and refunded_at is null`,
    [batchId],
  )
}

/**
 * Payments of a batch behind an id, and whether each is still clearing. Entries are counted off before their payments are
 * looked up: a join of both is planned over the whole batch, for each portion of it.
 */
export function entriesIn(
  database: Queryable,
  { batchId, after, limit }: { batchId: number; after: number; limit: number },
): Promise<{ id: number; accountId: number; isClearing: boolean }[]> {
  return database.query(
    `select p.id, p.account_id as "accountId", p.status = 'Clearing' as "isClearing"
     from (
       select payment_id from ach_entry where batch_id = $1::bigint and payment_id > $2::bigint
       order by payment_id limit $3) e
     cross join lateral (select id, account_id, status from payment where id = e.payment_id offset 0) p
     order by p.id`,
    [batchId, after, limit],
    'once',
  )
}

export interface DeliverableFile {
  id: number
  organisationId: number | null
  keyOrganisationId: number
  state: 'built' | 'delivering'
  name: string
  sealedContent: Buffer
  sha256: Buffer
}

/** Files behind an id that wait for their delivery, of one organisation or of all. */
export async function undelivered(
  database: Queryable,
  { organisationId, after, limit }: { organisationId: number | null; after: number; limit: number },
): Promise<number[]> {
  const rows = await database.query<{ id: number }>(
    `select id from ach_file where state in ('built', 'delivering') and id > $1::bigint
       and ($3::bigint is null or organisation_id = $3)
     order by id limit $2`,
    [after, limit, organisationId],
  )
  return rows.map(({ id }) => id)
}

/** Takes a file for its delivery until the transaction ends. Another process has it where it is not found. */
export async function holdFile(transaction: Queryable, id: number): Promise<DeliverableFile | undefined> {
  const [row] = await transaction.query<{ free: boolean }>(
    `select pg_try_advisory_xact_lock($1::int, $2::int) as free`,
    [DELIVERY_LOCKS, id % 2 ** 31],
  )
  if (!row?.free) return undefined
  const [file] = await transaction.query<DeliverableFile>(
    `select id, organisation_id as "organisationId", key_organisation_id as "keyOrganisationId", state, name,
       sealed_content as "sealedContent", sha256
     from ach_file where id = $1::bigint and state in ('built', 'delivering')`,
    [id],
  )
  return file
}

/**
 * Moves a file to its next state; returns false where its state does not allow it. A file of a sandbox that has reached
 * the other banks is read by them.
 */
export async function moveFile(
  database: Queryable,
  { id, from, to }: { id: number; from: string[]; to: string },
): Promise<boolean> {
  const rows = await database.query(
    `update ach_file set state = $3::text,
       delivered_at = case when $3::text = 'delivered' then coalesce(bank_time(organisation_id), clock_timestamp()) else delivered_at end,
       answer_at = case
         when $3::text = 'acknowledged' and state = 'delivered' then answer_at
         when $3::text in ('delivered', 'acknowledged') and organisation_id is not null then window_at end
     where id = $1::bigint and state = any($2::text[]) returning id`,
    [id, from, to],
  )
  return rows.length === 1
}

/** Takes the lock under which the files of all organisations are built, until the transaction ends, if it is free. */
export async function buildLock(transaction: Queryable): Promise<boolean> {
  const [row] = await transaction.query<{ free: boolean }>(`select pg_try_advisory_xact_lock($1::int, 0) as free`, [
    BUILD_LOCK,
  ])
  return row?.free === true
}

/** The first numbers of the advisory locks of builds and deliveries; no other advisory lock begins with them. */
const BUILD_LOCK = 7_275_753
const DELIVERY_LOCKS = 7_275_747
