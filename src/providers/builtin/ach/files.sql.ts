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

export interface PendingPayment {
  id: number
  accountId: number
  amount: number
  /** The last seven digits of its trace number. */
  sequence: number
}

interface PendingRange {
  organisationId: number
  windowAt: string
  after: number
  limit: number
}

/** Pending payments of a cut-off behind an id, each with the next number of the sequence of trace numbers. */
export function takePending(
  database: Queryable,
  { organisationId, windowAt, after, limit }: PendingRange,
): Promise<PendingPayment[]> {
  return database.query(
    `select p.*, nextval('ach_trace')::integer as sequence
     from (
       select id, account_id as "accountId", amount from payment
       where organisation_id = $1::bigint and status = 'Pending' and cutoff_at = $2::timestamptz and id > $3::bigint
       order by id limit $4) p`,
    [organisationId, windowAt, after, limit],
    'once',
  )
}

export interface BuildingFile {
  id: number
  organisationId: number
  windowAt: string
  part: number
  modifier: string
  createdOn: string
  name: string
}

/** The file of an organisation that is being built. */
export async function findBuilding(database: Queryable, organisationId: number): Promise<BuildingFile | undefined> {
  const [row] = await database.query<BuildingFile>(
    `select id, organisation_id as "organisationId", window_at as "windowAt", part, modifier,
       created_on::text as "createdOn", name
     from ach_file where organisation_id = $1::bigint and state = 'building'`,
    [organisationId],
  )
  return row
}

/** How many files of an organisation there are of a cut-off, and of a day. */
export async function countFiles(
  database: Queryable,
  { organisationId, windowAt, createdOn }: Pick<BuildingFile, 'organisationId' | 'windowAt' | 'createdOn'>,
): Promise<{ ofWindow: number; ofDay: number }> {
  const [row] = await database.query<{ ofWindow: number; ofDay: number }>(
    `select count(*) filter (where window_at = $2::timestamptz) as "ofWindow", count(*) as "ofDay"
     from ach_file where organisation_id = $1::bigint and created_on = $3::date and direction = 'out'`,
    [organisationId, windowAt, createdOn],
  )
  return row ?? { ofWindow: 0, ofDay: 0 }
}

export async function insertBuilding(database: Queryable, file: BuildingFile): Promise<void> {
  await database.query(
    `insert into ach_file (id, organisation_id, direction, window_at, part, modifier, created_on, name, state)
     values ($1::bigint, $2::bigint, 'out', $3::timestamptz, $4::int, $5::text, $6::date, $7::text, 'building')
     on conflict do nothing`,
    [file.id, file.organisationId, file.windowAt, file.part, file.modifier, file.createdOn, file.name],
  )
}

/** Deletes the row of a file that no payment left with, because all were canceled. */
export async function deleteBuilding(database: Queryable, fileId: number): Promise<void> {
  await database.query(`delete from ach_file where id = $1::bigint and state = 'building'`, [fileId])
}

export function paymentsInFile(database: Queryable, fileId: number): Promise<PaymentRow[]> {
  return database.query(
    `select ${paymentColumns} from payment where ach_file_id = $1::bigint order by id`,
    [fileId],
    'once',
  )
}

export async function sumInFile(database: Queryable, fileId: number): Promise<{ count: number; amount: number }> {
  const [row] = await database.query<{ count: number; amount: number }>(
    `select count(*) as count, coalesce(sum(amount), 0)::bigint as amount from payment where ach_file_id = $1::bigint`,
    [fileId],
    'once',
  )
  return row ?? { count: 0, amount: 0 }
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
  insert into ach_batch (${batchRows.names})
  select id, organisation_id, file_id, number, company_name, company_id, sec_code, description,
    (effective_date at time zone 'UTC')::date, entry_count, debits, credits, settles_at
  from (${batchRows.select}) b`

const entryRows = rowSet<{ paymentId: number; organisationId: number; batchId: number }>({
  payment_id: bigint(({ paymentId }) => paymentId),
  organisation_id: bigint(({ organisationId }) => organisationId),
  batch_id: bigint(({ batchId }) => batchId),
})

/** Stores a file that has been built. Fails where another process has stored it. */
export async function insertBuilt(transaction: Queryable, file: BuiltFile, batches: BuiltBatch[]): Promise<void> {
  await transaction.query(
    `with built as (
       update ach_file set state = 'built', sealed_content = $2::bytea, sha256 = $3::bytea, entry_count = $4::int,
         debits = $5::bigint, credits = $6::bigint
       where id = $1::bigint and state = 'building' returning 1)
     select require((select count(*) from built) = 1, 'an ACH file was built twice')`,
    [file.id, file.sealedContent, file.sha256, file.entryCount, file.debits, file.credits],
  )
  await transaction.query(insertBatches, batchRows.values(batches), 'once')
  const entries = batches.flatMap(({ id: batchId, organisationId, paymentIds }) =>
    paymentIds.map((paymentId) => ({ paymentId, organisationId, batchId })),
  )
  const insertEntries = `insert into ach_entry (${entryRows.names}) ${entryRows.select}`
  await transaction.query(insertEntries, entryRows.values(entries), 'once')
}

export interface UnsettledBatch {
  id: number
  amount: number
  settlesAt: string
}

/** The batches of an organisation that settle next. Those of a file that was refused do not settle. */
export function nextUnsettled(database: Queryable, organisationId: number, limit: number): Promise<UnsettledBatch[]> {
  return database.query(
    `select b.id, b.debits + b.credits as amount, b.settles_at as "settlesAt"
     from ach_batch b join ach_file f on f.id = b.file_id
     where b.organisation_id = $1::bigint and b.settled_at is null and f.state not in ('rejected', 'void')
     order by b.settles_at, b.id limit $2`,
    [organisationId, limit],
    'once',
  )
}

/** Payments of a batch that are still clearing, behind an id. */
export function clearingIn(
  database: Queryable,
  { batchId, after, limit }: { batchId: number; after: number; limit: number },
): Promise<{ id: number; accountId: number }[]> {
  return database.query(
    `select p.id, p.account_id as "accountId" from ach_entry e join payment p on p.id = e.payment_id
     where e.batch_id = $1::bigint and e.payment_id > $2::bigint and p.status = 'Clearing'
     order by e.payment_id limit $3`,
    [batchId, after, limit],
    'once',
  )
}

export interface DeliverableFile {
  id: number
  organisationId: number
  name: string
  sealedContent: Buffer
  sha256: Buffer
}

/** Files that wait for their delivery. */
export async function undelivered(database: Queryable, limit: number): Promise<number[]> {
  const rows = await database.query<{ id: number }>(
    `select id from ach_file where state in ('built', 'delivering') order by id limit $1`,
    [limit],
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
    `select id, organisation_id as "organisationId", name, sealed_content as "sealedContent", sha256
     from ach_file where id = $1::bigint and state in ('built', 'delivering')`,
    [id],
  )
  return file
}

/** Moves a file to its next state; returns false where its state does not allow it. */
export async function moveFile(
  database: Queryable,
  { id, from, to }: { id: number; from: string[]; to: string },
): Promise<boolean> {
  const rows = await database.query(
    `update ach_file set state = $3::text,
       delivered_at = case when $3::text = 'delivered' then bank_time(organisation_id) else delivered_at end
     where id = $1::bigint and state = any($2::text[]) returning id`,
    [id, from, to],
  )
  return rows.length === 1
}

/** The first number of the advisory locks of deliveries; no other advisory lock begins with it. */
const DELIVERY_LOCKS = 7_275_747
