import type { Queryable } from '../../src/database/database.ts'

export interface TableRows {
  name: string
  columns: string[]
  /** Each row as the parenthesised list of an insert. */
  rows: string[]
}

/** All rows of all tables, as SQL literals. Generated columns are left out. */
export async function readRows(database: Queryable): Promise<TableRows[]> {
  const tables = await database.query<{ name: string; columns: string[] }>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'migration'
     group by c.relname order by c.relname`,
  )
  const filled: TableRows[] = []
  for (const { name, columns } of tables) {
    const literals = columns.map((column) => `quote_nullable(${column}::text)`).join(', ')
    const rows = await database.query<{ row: string }>(
      `select '(' || concat_ws(', ', ${literals}) || ')' as row from ${name} order by 1`,
    )
    filled.push({ name, columns, rows: rows.map(({ row }) => row) })
  }
  return filled
}

/** Statements that set every sequence to where it stands. */
export async function readSequenceValues(database: Queryable): Promise<string[]> {
  const rows = await database.query<{ sql: string }>(
    `select format('select setval(%L, %s)', sequencename, last_value) as sql from pg_sequences
     where schemaname = 'public' and last_value is not null order by sequencename`,
  )
  return rows.map(({ sql }) => sql)
}

/** Statements that write down which migrations are applied. */
export async function readMigrationRows(database: Queryable): Promise<string[]> {
  const rows = await database.query<{ sql: string }>(
    `select format('insert into migration (number, name, checksum, contract) values (%s, %L, %L, %L)',
       number, name, checksum, contract) as sql from migration order by number`,
  )
  const table = `create table migration (
  number integer primary key, name text not null, checksum text not null, contract boolean not null,
  applied_at timestamptz not null default now())`
  return [table, ...rows.map(({ sql }) => sql)]
}
