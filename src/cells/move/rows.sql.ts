import type { Queryable } from '../../database/database.ts'
import { movedTables, switchedTables } from './tables.ts'

/** The row of the organisation and those of the tables that are copied at the switch, each table as JSON. */
export interface SwitchedRows {
  organisation: string
  tables: { name: string; rows: string }[]
}

export async function readSwitched(database: Queryable, id: number): Promise<SwitchedRows | undefined> {
  const parts = switchedTables.map(
    ({ name, rows }) =>
      `select '${name}' as name, coalesce(json_agg(t), '[]')::text as rows from ${name} t where ${rows}`,
  )
  const all = await database.query<{ name: string; rows: string }>(
    `select '' as name, to_json(o)::text as rows from organisation o where id = $1::bigint and ended_at is null
     union all ${parts.join(' union all ')}`,
    [id],
    'once',
  )
  const organisation = all.find(({ name }) => name === '')
  return organisation && { organisation: organisation.rows, tables: all.filter(({ name }) => name !== '') }
}

/** Puts the rows into the cell that the organisation moves to, and so makes it the owner. */
export async function writeSwitched(
  transaction: Queryable,
  { id, epoch }: { id: number; epoch: number },
  { organisation, tables }: SwitchedRows,
): Promise<void> {
  const rowsOf = new Map(tables.map(({ name, rows }) => [name, rows]))
  for (const { name } of switchedTables) {
    await transaction.query(
      `insert into ${name} select * from json_populate_recordset(null::${name}, $1::json)`,
      [rowsOf.get(name) ?? '[]'],
      'once',
    )
  }
  const [{ columns } = { columns: '' }] = await transaction.query<{ columns: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as columns from pg_attribute
     where attrelid = 'organisation'::regclass and attnum > 0 and not attisdropped`,
    [],
    'once',
  )
  await transaction.query(
    `update organisation set (${columns}) = (select ${columns} from json_populate_record(null::organisation, $2::json))
     where id = $1::bigint`,
    [id, organisation],
    'once',
  )
  await transaction.query('update organisation set epoch = $2::int where id = $1::bigint', [id, epoch])
}

/** Notes the numbers of another cell's range that the organisation brings along, so that its rows are not deleted too early. */
export async function markArrived(transaction: Queryable, id: number): Promise<void> {
  await transaction.query('select mark_arrived($1::bigint)', [id], 'once')
}

/** The number of rows of each table, and figures over accounts and events that change with every change. */
export interface Fingerprint {
  counts: Record<string, number>
  accounts: string
  events: string
}

export async function fingerprintOf(database: Queryable, id: number): Promise<Fingerprint> {
  const counts = movedTables.map(
    ({ name, rows }) => `select '${name}' as name, count(*)::text as value from ${name} where ${rows}`,
  )
  const rows = await database.query<{ name: string; value: string }>(
    `${counts.join(' union all ')}
     union all
     select ' accounts', concat_ws(' ', sum(balance), sum(hold), sum(seq), sum(version)) from account where organisation_id = $1
     union all
     select ' events', (select concat_ws(' ', sequence, encode(link, 'hex')) from event_counter
       where organisation_id = $1::bigint)`,
    [id],
    'once',
  )
  const values = new Map(rows.map(({ name, value }) => [name, value]))
  return {
    counts: Object.fromEntries(movedTables.map(({ name }) => [name, Number(values.get(name))])),
    accounts: values.get(' accounts') ?? '',
    events: values.get(' events') ?? '',
  }
}

/** Whether rows of former versions are still being converted in the background. */
export async function isConverting(database: Queryable): Promise<boolean> {
  const [row] = await database.query<{ found: boolean }>(
    'select exists (select from copy_move) or exists (select from reseal where not done) as found',
    [],
    'once',
  )
  return row?.found === true
}

/** The migrations that a database has. */
export async function migrationsOf(database: Queryable): Promise<string[]> {
  const rows = await database.query<{ name: string }>('select name from migration order by name', [], 'once')
  return rows.map(({ name }) => name)
}
