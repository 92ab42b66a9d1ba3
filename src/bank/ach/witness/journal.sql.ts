import type { Queryable } from '../../../database/database.ts'

/** The number of a database among those of the bank; 0 for the first database. */
export async function databaseNumber(database: Queryable): Promise<number> {
  const [row] = await database.query<{ number: number }>('select number from cell')
  return row?.number ?? 0
}

/** Whether the database has the table of the journal: not before its migrations. */
export async function hasJournal(database: Queryable): Promise<boolean> {
  const [row] = await database.query<{ found: boolean }>(`select to_regclass('ach_journal') is not null as found`)
  return row?.found === true
}

/** The latest line that the database knows. */
export interface LastLine {
  /** 0 before the first one. */
  line: number
  fileId: number | null
  /** Whether its effect has not begun: the journal may lack it. */
  isPending: boolean
}

export async function lastLine(database: Queryable): Promise<LastLine> {
  const [row] = await database.query<LastLine>(
    `select j.line, j.file_id as "fileId", j.file_id is null or f.state in ('built', 'delivering') as "isPending"
     from ach_journal j left join ach_file f on f.id = j.file_id order by j.line desc limit 1`,
  )
  return row ?? { line: 0, fileId: null, isPending: false }
}

/** The digest of a line, as the database knows it. */
export async function digestAt(database: Queryable, line: number): Promise<string | undefined> {
  const [row] = await database.query<{ digest: string }>(
    `select encode(sha256(convert_to(entry, 'UTF8')), 'hex') as digest from ach_journal where line = $1::int`,
    [line],
  )
  return row?.digest
}

/** The lines after one, in their order. */
export async function linesAfter(database: Queryable, line: number): Promise<string[]> {
  const rows = await database.query<{ entry: string }>(
    'select entry from ach_journal where line > $1::int order by line',
    [line],
    'once',
  )
  return rows.map(({ entry }) => entry)
}

export async function insertLine(
  transaction: Queryable,
  { line, entry, fileId }: { line: number; entry: string; fileId: number | null },
): Promise<void> {
  await transaction.query('insert into ach_journal (line, entry, file_id) values ($1::int, $2::text, $3::bigint)', [
    line,
    entry,
    fileId,
  ])
}

/** The facts of a file in its line: its totals, its last trace number, and the organisation of each batch by its number. */
export interface NotedFile {
  name: string
  sha256: string
  createdOn: string
  modifier: string
  windowAt: string
  entries: number
  debits: number
  credits: number
  lastTrace: string | null
  organisations: Record<string, number>
}

export async function notedFile(transaction: Queryable, fileId: number): Promise<NotedFile | undefined> {
  const [row] = await transaction.query<NotedFile>(
    `select f.name, encode(f.sha256, 'hex') as sha256, f.created_on::text as "createdOn", f.modifier,
       f.window_at as "windowAt", f.entry_count as entries, f.debits, f.credits,
       coalesce(
         (select max(trace_number) from payment where ach_file_id = f.id),
         (select max(return_trace) from received_payment where return_file_id = f.id),
         (select max(t.number) from account_verification v, unnest(v.trace_numbers) t (number)
          where v.ach_batch_id in (select id from ach_batch where file_id = f.id))) as "lastTrace",
       coalesce((select json_object_agg(number, organisation_id order by number) from ach_batch where file_id = f.id), '{}'::json)
         as organisations
     from ach_file f where f.id = $1::bigint`,
    [fileId],
    'once',
  )
  return row
}

/**
 * Whether the database was restored or promoted after its last delivery. A bank that has delivered nothing has nothing to
 * deliver twice.
 */
export async function isRewound(database: Queryable): Promise<boolean> {
  const [row] = await database.query<{ rewound: boolean }>(
    `select exists (
       select from database_history h where h.number > 1
         and h.found_at > (select max(delivered_at) from ach_file where direction = 'out' and not arrived)) as rewound`,
  )
  return row?.rewound === true
}

/** The first number of the advisory lock of the journal; no other advisory lock begins with it. */
const JOURNAL_LOCK = 7_275_755

/** Takes the lock under which lines are written, until the transaction ends, if it is free. */
export async function journalLock(transaction: Queryable): Promise<boolean> {
  const [row] = await transaction.query<{ free: boolean }>(`select pg_try_advisory_xact_lock($1::int, 0) as free`, [
    JOURNAL_LOCK,
  ])
  return row?.free === true
}
