import type { Queryable } from '../../../database/database.ts'
import { type PaymentRow, paymentColumns } from '../../records/payment-columns.ts'
import { dated, entryRows, exceptionRows } from '../../records/received-columns.ts'
import type { AchException, IncomingAchFile, ReceivedEntry } from '../../records/received-records.ts'

/** The first number of the advisory locks of intakes; no other advisory lock begins with it. */
const INTAKE_LOCKS = 7_275_748

/** Waits until no other process takes a file of the organisation. The lock lasts until the transaction ends. */
export async function intakeLock(transaction: Queryable, organisationId: number): Promise<void> {
  await idleWithoutLimit(transaction)
  await transaction.query(`set local lock_timeout = 0`)
  await transaction.query(`select pg_advisory_xact_lock($1::int, $2::int)`, [INTAKE_LOCKS, organisationId % 2 ** 31])
}

/** Lets a transaction that holds locks wait while other connections do the work. */
export async function idleWithoutLimit(transaction: Queryable): Promise<void> {
  await transaction.query(`set local idle_in_transaction_session_timeout = 0`)
}

/** Takes the intake of an organisation if no other process has it, until it is released or the connection ends. */
export async function tryIntakeLock(connection: Queryable, organisationId: number): Promise<boolean> {
  const [row] = await connection.query<{ isFree: boolean }>(
    `select pg_try_advisory_lock($1::int, $2::int) as "isFree"`,
    [INTAKE_LOCKS, organisationId % 2 ** 31],
  )
  return row?.isFree === true
}

export async function releaseIntakeLock(connection: Queryable, organisationId: number): Promise<void> {
  await connection.query(`select pg_advisory_unlock($1::int, $2::int)`, [INTAKE_LOCKS, organisationId % 2 ** 31])
}

/** The organisation that holds the files of a live bank: its first one. */
export async function firstOrganisation(database: Queryable): Promise<number | undefined> {
  const [row] = await database.query<{ id: number | null }>(
    `select min(id) as id from organisation where ended_at is null`,
  )
  return row?.id ?? undefined
}

export async function isOrganisation(database: Queryable, organisationId: number): Promise<boolean> {
  const [row] = await database.query<{ found: boolean }>(
    `select exists (select from organisation where id = $1::bigint and ended_at is null) as found`,
    [organisationId],
  )
  return row?.found === true
}

/** Stores entries that move no money. */
export async function insertEntries(transaction: Queryable, entries: ReceivedEntry[]): Promise<void> {
  await transaction.query(
    `insert into ach_received_entry (${entryRows.names})
     select ${dated(entryRows.names)} from (${entryRows.select}) n`,
    entryRows.values(entries),
  )
}

/** Stores exceptions that hold no money. */
export async function insertExceptions(transaction: Queryable, exceptions: AchException[]): Promise<void> {
  await transaction.query(
    `insert into ach_exception (${exceptionRows.names}) ${exceptionRows.select}`,
    exceptionRows.values(exceptions),
  )
}

export interface TakenFile {
  id: number
  state: 'taken' | 'applied' | 'refused'
}

/** The incoming file with these bytes, or with this header. */
export async function findTaken(
  database: Queryable,
  organisationId: number | null,
  by: { sha256: Buffer } | { header: string },
): Promise<TakenFile | undefined> {
  const [row] = await database.query<TakenFile>(
    'sha256' in by
      ? `select id, state from ach_file
         where coalesce(organisation_id, 0) = coalesce($1::bigint, 0) and direction = 'in' and not arrived and sha256 = $2::bytea`
      : `select id, state from ach_file
         where coalesce(organisation_id, 0) = coalesce($1::bigint, 0) and direction = 'in' and state <> 'refused' and not arrived
           and header = $2::text`,
    [organisationId, 'sha256' in by ? by.sha256 : by.header],
  )
  return row
}

/** Stores a file that was taken, and the exception of one that is refused. */
export async function insertIncoming(
  transaction: Queryable,
  file: IncomingAchFile,
  exceptions: Omit<AchException, 'createdAt'>[],
): Promise<void> {
  const [row] = await transaction.query<{ now: string }>(
    `insert into ach_file (id, organisation_id, key_organisation_id, direction, window_at, part, modifier, created_on, name, state, header,
       sealed_content, sha256, entry_count, debits, credits)
     values ($1::bigint, $2::bigint, $3::bigint, 'in', bank_time($3::bigint), 1, $4::text, $5::date, $6::text, $7::text,
       $8::text, $9::bytea, $10::bytea, $11::int, $12::bigint, $13::bigint)
     returning window_at as now`,
    [
      ...[file.id, file.organisationId, file.keyOrganisationId, file.modifier, file.createdOn, file.name],
      ...[file.state, file.header],
      ...[file.sealedContent, file.sha256, file.entryCount, file.debits, file.credits],
    ],
  )
  const createdAt = row?.now
  if (createdAt === undefined) throw new Error('an insert returned no row')
  await insertExceptions(
    transaction,
    exceptions.map((each) => ({ ...each, createdAt })),
  )
}

/** Notes that every entry of a file was applied, and the totals of those of this database if others have entries, too. */
export async function markApplied(
  database: Queryable,
  fileId: number,
  share?: { entryCount: number; debits: number; credits: number },
): Promise<void> {
  await database.query(
    `update ach_file set state = 'applied', entry_count = coalesce($2::int, entry_count),
       debits = coalesce($3::bigint, debits), credits = coalesce($4::bigint, credits)
     where id = $1::bigint and state = 'taken'`,
    [fileId, share?.entryCount ?? null, share?.debits ?? null, share?.credits ?? null],
  )
}

/**
 * The lines of the file with these bytes whose entries have an outcome: also those of an organisation that has moved here, whose
 * entries were applied in another database.
 */
export async function appliedLines(
  database: Queryable,
  organisationId: number | null,
  sha256: Buffer,
): Promise<Set<number>> {
  const rows = await database.query<{ line: number }>(
    `select line from ach_received_entry where file_id in (
       select id from ach_file
       where coalesce(organisation_id, 0) = coalesce($1::bigint, 0) and direction = 'in' and not arrived and sha256 = $2::bytea
       union all
       select id from ach_file where $1::bigint is null and arrived and sha256 = $2::bytea and direction = 'in')`,
    [organisationId, sha256],
    'once',
  )
  return new Set(rows.map(({ line }) => line))
}

/** The lines whose outcomes are of a row of a file: those that its totals count. */
export async function linesOf(database: Queryable, fileId: number): Promise<Set<number>> {
  const rows = await database.query<{ line: number }>(
    `select line from ach_received_entry where file_id = $1::bigint`,
    [fileId],
    'once',
  )
  return new Set(rows.map(({ line }) => line))
}

export async function countExceptions(database: Queryable, fileId: number): Promise<number> {
  const [row] = await database.query<{ count: number }>(
    `select count(*) as count from ach_exception where file_id = $1::bigint`,
    [fileId],
  )
  return row?.count ?? 0
}

export interface EntryName {
  traceNumber: string
  settlesOn: string
  amount: number
  code: number
}

/** The entries among these that a file with other bytes had. */
export function findRepeated(
  database: Queryable,
  { organisationId, fileId }: { organisationId: number | null; fileId: number },
  entries: EntryName[],
): Promise<EntryName[]> {
  return database.query(
    `select e.trace_number as "traceNumber", e.settles_on::text as "settlesOn", e.amount, e.code::int as code
     from unnest($3::text[], $4::text[], $5::bigint[], $6::int[]) n (trace, day, amount, code)
     join ach_received_entry e on e.trace_number = n.trace and e.settles_on = n.day::date and e.amount = n.amount
       and e.code = n.code
     join ach_file f on f.id = e.file_id
     where coalesce(f.organisation_id, 0) = coalesce($1::bigint, 0) and e.outcome <> 'repeated'
       and f.sha256 is distinct from (select sha256 from ach_file where id = $2::bigint)`,
    [
      ...[organisationId, fileId],
      entries.map(({ traceNumber }) => traceNumber),
      entries.map(({ settlesOn }) => settlesOn),
      entries.map(({ amount }) => amount),
      entries.map(({ code }) => code),
    ],
    'once',
  )
}

/** Leaves out what an organisation that has moved to another database has left behind, until it is deleted. */
const notEnded = 'organisation_id not in (select id from organisation where ended_at is not null)'

/** How long after its settlement an entry can be answered: 60 days and some banking days. */
const ANSWER_DAYS = 75

/** The payments whose entries had these trace numbers, the latest last. Of one organisation, or of all. */
export function paymentsByTrace(
  database: Queryable,
  organisationId: number | null,
  traces: string[],
): Promise<PaymentRow[]> {
  return database.query(
    `select ${paymentColumns} from payment
     where trace_number = any($2::text[]) and ($1::bigint is null or organisation_id = $1) and ${notEnded}
       and settles_at > bank_time(organisation_id) - make_interval(days => ${ANSWER_DAYS})
     order by id`,
    [organisationId, traces],
    'once',
  )
}

export interface NamedAccount {
  id: number
  organisationId: number
  customerId: number
  accountNumber: string
}

/** The customers' accounts with these numbers. Of one organisation, or of all. */
export function accountsByNumber(
  database: Queryable,
  organisationId: number | null,
  numbers: string[],
): Promise<NamedAccount[]> {
  return database.query(
    `select id, organisation_id as "organisationId", customer_id as "customerId", account_number as "accountNumber"
     from account
     where account_number = any($2::text[]) and id > 0 and ($1::bigint is null or organisation_id = $1) and ${notEnded}`,
    [organisationId, numbers],
    'once',
  )
}

export interface OpenException {
  id: number
  organisationId: number
  fileId: number
  line: number | null
  kind: string
  direction: string | null
  amount: number
  paymentId: number | null
  createdAt: string
  detail: string
  /** That of the organisation. */
  epoch: number
}

/** The exceptions that are open, the oldest first. */
export function openExceptions(database: Queryable): Promise<OpenException[]> {
  return database.query(
    `select e.id, e.organisation_id as "organisationId", e.file_id as "fileId", e.line, e.kind, e.direction, e.amount,
       e.payment_id as "paymentId", e.created_at as "createdAt", e.detail, o.epoch
     from ach_exception e join organisation o on o.id = e.organisation_id
     where e.resolved_at is null and o.ended_at is null order by e.id`,
    [],
    'once',
  )
}
