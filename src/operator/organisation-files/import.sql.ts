import { movedTables } from '../../cells/move/tables.ts'
import type { Queryable } from '../../database/database.ts'
import { indexOfEvents } from './tables.ts'

/** No other advisory lock has this number. */
const IMPORT_LOCK = 7_275_764

/** Lets one import at a time look for what the bank has, and lifts the limit of a pause between two statements. */
export async function beginImport(transaction: Queryable): Promise<void> {
  await transaction.query('set local idle_in_transaction_session_timeout = 0')
  await transaction.query('select pg_advisory_xact_lock($1::bigint)', [IMPORT_LOCK])
}

/** The organisation that an archive has become. */
export async function findImport(transaction: Queryable, archive: string): Promise<number | undefined> {
  const [row] = await transaction.query<{ id: number }>(
    'select id from organisation_import where archive = $1::uuid',
    [archive],
    'once',
  )
  return row?.id
}

/** The organisation in the way of another one with an id and a name: the one that has either of them. */
export async function findInTheWay(
  transaction: Queryable,
  { id, name }: { id: number; name: string },
): Promise<{ name: string } | undefined> {
  const [row] = await transaction.query<{ name: string }>(
    'select name from organisation where id = $1::bigint or name = $2::text limit 1',
    [id, name],
    'once',
  )
  return row
}

/** Whether the bank has only organisations that came from archives: others have ids that it has given out itself. */
export async function hasOnlyImports(transaction: Queryable): Promise<boolean> {
  const [row] = await transaction.query<{ only: boolean }>(
    'select not exists (select from organisation where id not in (select id from organisation_import)) as only',
    [],
    'once',
  )
  return row?.only === true
}

/**
 * Whether the bank has given out no ids since the last import: its sequence is new, or stands where that import has left it, or
 * where this one leaves it. A sequence is not taken back with its transaction.
 */
export async function isUnused(transaction: Queryable, highest: number): Promise<boolean> {
  const [row] = await transaction.query<{ unused: boolean }>(
    `select not s.is_called or s.last_value = m.value or s.last_value = greatest(m.value, $1::bigint / 100 * 100) as unused
     from record_id s cross join (select coalesce(max(record_id), 0) as value from organisation_import) m`,
    [highest],
    'once',
  )
  return row?.unused === true
}

/** The columns of each table that has rows of organisations, and of that of the organisations. */
export async function readColumns(transaction: Queryable): Promise<Map<string, string[]>> {
  const rows = await transaction.query<{ name: string; columns: string[] }>(
    `select c.relname::text as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relname = any($1::text[]) group by c.relname`,
    [['organisation', ...movedTables.map(({ name }) => name)]],
    'once',
  )
  return new Map(rows.map(({ name, columns }) => [name, columns]))
}

export async function insertOrganisationRow(transaction: Queryable, row: string): Promise<void> {
  await transaction.query(
    'insert into organisation select * from json_populate_record(null::organisation, $1::json)',
    [row],
    'once',
  )
}

/** Inserts the files of the former bank in which the organisation has entries, which refer to them. Their totals follow. */
export async function insertFiles(transaction: Queryable, rows: string): Promise<void> {
  await transaction.query(
    `insert into ach_file (id, key_organisation_id, direction, window_at, part, modifier, created_on, name, state, header, sha256,
       delivered_at, arrived)
     select id, key_organisation_id, direction, window_at, part, modifier, created_on, name, state, header, sha256, delivered_at,
       true from json_populate_recordset(null::ach_file, $1::json)
     on conflict do nothing`,
    [rows],
    'once',
  )
  await transaction.query(
    `select require(not exists (
       select from json_populate_recordset(null::ach_file, $1::json) r left join ach_file f on f.id = r.id and f.arrived
       where f.id is null), 'an ACH file of the archive has the number of another one')`,
    [rows],
    'once',
  )
}

/** Inserts rows of a table, from lines of an archive. */
export async function insertLines(transaction: Queryable, table: string, lines: string[]): Promise<void> {
  const present = table === indexOfEvents ? 'on conflict do nothing' : ''
  await transaction.query(
    `insert into ${table} overriding system value
     select r.* from json_array_elements($1::json) e cross join lateral json_populate_record(null::${table}, e -> 'row') r
     ${present}`,
    [`[${lines.join(',')}]`],
    'once',
  )
}

/** The columns that name a record, and the table of the record. */
const references: Record<string, string> = {
  account_id: 'account',
  debit_account_id: 'account',
  credit_account_id: 'account',
  to_account_id: 'account',
  customer_id: 'customer',
  card_id: 'card',
  replaces_card_id: 'card',
  external_account_id: 'external_account',
  payment_id: 'payment',
  received_payment_id: 'received_payment',
  recurring_payment_id: 'recurring_payment',
  application_id: 'application',
  document_id: 'document',
  endpoint_id: 'webhook_endpoint',
  api_key_id: 'api_key',
  partner_user_id: 'partner_user',
  partner_user_card_id: 'partner_user_card',
  rewardable_transaction_id: 'rewardable_transaction',
  reward_id: 'reward',
  batch_id: 'ach_batch',
  file_id: 'ach_file',
}

/** The columns by which rows of the organisation name a record of another one. */
export async function findStrangers(
  transaction: Queryable,
  id: number,
  columns: Map<string, string[]>,
): Promise<string[]> {
  const checks = movedTables.flatMap(({ name, rows }) =>
    (columns.get(name) ?? []).flatMap((column) => {
      const owner = references[column]
      if (!owner) return []
      const named = `select x.${column} as id from ${name} x where x.${column} is not null and (${rows})`
      return `select '${name}.${column}' as stranger where exists (
        select from (${named}) n join ${owner} o on o.id = n.id where o.organisation_id <> $1::bigint)`
    }),
  )
  const found = await transaction.query<{ stranger: string }>(checks.join(' union all '), [id], 'once')
  return found.map(({ stranger }) => stranger)
}

/** The lowest and the highest number of the sequence record_id in the rows of an organisation, and its highest account number. */
export interface UsedNumbers {
  lowest: number
  highest: number
  /** Whether all are of the first range, which every bank begins with. */
  inRange: boolean
  accountNumber: number
}

/** Tables whose ids come from the sequence record_id. Those of an identity column have a sequence of their own. */
const numbered = movedTables
  .map(({ name }) => name)
  .filter((name) => !['decision_reason', 'denied_request', 'webhook_delivery'].includes(name))

const identities = ['decision_reason', 'denied_request', 'webhook_delivery'] as const

export async function readNumbers(
  transaction: Queryable,
  id: number,
  columns: Map<string, string[]>,
): Promise<UsedNumbers> {
  const own = numbered
    .filter((name) => columns.get(name)?.includes('id') && columns.get(name)?.includes('organisation_id'))
    .map((name) => `select abs(id) as id from ${name} where organisation_id = $1::bigint`)
  const [row] = await transaction.query<UsedNumbers>(
    `select min(n.id) as lowest, max(n.id) as highest, number_range(max(n.id)) = 0 as "inRange",
       (select coalesce(max(account_number::numeric), 0)::bigint from account
        where organisation_id = $1::bigint and account_number ~ '^[0-9]{10,12}$') as "accountNumber"
     from (select $1::bigint as id union all ${own.join(' union all ')}
       union all select unnest(array_remove(person_id || makers || maker_inviters, null)) from api_key where organisation_id = $1::bigint
       union all select unnest(proposer_inviters) from proposal where organisation_id = $1::bigint) n`,
    [id],
    'once',
  )
  if (!row) throw new Error('numbers without a row')
  return row
}

/** Moves the sequences past the numbers that came. Returns where the one of the ids stands. */
export async function raiseSequences(
  transaction: Queryable,
  { highest, accountNumber }: Pick<UsedNumbers, 'highest' | 'accountNumber'>,
): Promise<number> {
  // The sequence gives out blocks of 100, and its values begin them.
  const [row] = await transaction.query<{ recordId: number }>(
    `select setval('record_id', greatest(s.last_value, $1::bigint / 100 * 100)) as "recordId" from record_id s`,
    [highest],
    'once',
  )
  if (!row) throw new Error('a sequence without a value')
  if (accountNumber > 0) {
    await transaction.query(
      `select setval('account_number', greatest(s.last_value, $1::bigint)) from account_number s`,
      [accountNumber],
      'once',
    )
  }
  for (const table of identities) {
    await transaction.query(
      `select setval(pg_get_serial_sequence('${table}', 'id'), m.id) from (select max(id) as id from ${table}) m
       where m.id is not null`,
      [],
      'once',
    )
  }
  return row.recordId
}

/** Lets proposals expire that wait: the persons who made them would be strangers here, and could sign them themselves. */
export async function expireProposals(transaction: Queryable, id: number): Promise<void> {
  await transaction.query(
    `update proposal set expires_at = greatest(created_at, least(expires_at, bank_time(organisation_id)))
     where organisation_id = $1::bigint and state = 'Waiting'`,
    [id],
    'once',
  )
}

/** Ends the access of persons, who are not in an archive; of all keys and webhooks too, if the former bank goes on. */
export async function endAccess(transaction: Queryable, id: number, { all }: { all: boolean }): Promise<void> {
  await transaction.query(
    `update api_key set revoked_at = clock_timestamp(), deleted = true, version = version + 1
     where organisation_id = $1::bigint and revoked_at is null and ($2::boolean or person_id is not null)`,
    [id, all],
    'once',
  )
  if (!all) return
  await transaction.query(
    `update webhook_endpoint set deleted_at = bank_time(organisation_id), version = version + 1
     where organisation_id = $1::bigint and deleted_at is null`,
    [id],
    'once',
  )
}

/** Notes an organisation that has come from an archive, and the head of its chain there. */
export async function noteImport(
  transaction: Queryable,
  { id, archive, recordId, figures }: { id: number; archive: string; recordId: number; figures: object[] },
): Promise<void> {
  await transaction.query(
    `insert into organisation_import (id, archive, head, link, record_id, figures)
     select o.id, $2::uuid, coalesce(c.sequence, o.events_after), c.link, $3::bigint, $4::jsonb
     from organisation o left join event_counter c on c.organisation_id = o.id where o.id = $1::bigint`,
    [id, archive, recordId, JSON.stringify(figures)],
    'once',
  )
}
