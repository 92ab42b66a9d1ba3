import type { Queryable } from '../database/database.ts'

/** The cell that a database is. */
export interface CellRow {
  name: string
  /** The number of its range; 0 is the home cell. */
  number: number
  /** The same in all cells of a bank. */
  bank: string
  /** Made at random: distinguishes this database from another one that claims the same range. */
  mark: string
}

export async function findCell(database: Queryable): Promise<CellRow | undefined> {
  const [row] = await database.query<CellRow>('select name, number, bank, mark from cell')
  return row
}

/** The tables by which a database is recognised. One that is empty has none, and a bank from before there were cells no `cell`. */
export async function knownTables(database: Queryable): Promise<{ cell: boolean; organisation: boolean }> {
  const [row] = await database.query<{ cell: boolean; organisation: boolean }>(
    `select to_regclass('cell') is not null as cell, to_regclass('organisation') is not null as organisation`,
    [],
    'once',
  )
  return row ?? { cell: false, organisation: false }
}

/** Makes the database a cell if it is none yet. */
export async function claimCell(database: Queryable, { name, number, bank, mark }: CellRow): Promise<void> {
  await database.query('select claim_cell($1::text, $2::int, $3::text, $4::text)', [name, number, bank, mark])
}

/** Writes the mode of the bank if the cell has none yet. Returns the mode that it has. */
export async function keepCellMode(database: Queryable, mode: string): Promise<string> {
  const [row] = await database.query<{ mode: string }>('select keep_cell_mode($1::text) as mode', [mode])
  return row?.mode ?? mode
}

/** Gives sequences of new migrations the range of the cell. */
export async function keepCellRange(database: Queryable): Promise<void> {
  await database.query('select keep_cell_range()')
}

/** Whether a database has records, which have ids of the home cell's range. */
export async function hasRecords(database: Queryable): Promise<boolean> {
  const [row] = await database.query<{ found: boolean }>('select exists (select from organisation) as found')
  return row?.found === true
}

/** A range that the home cell has given out. */
export interface CellRange {
  number: number
  /** Null until a database has claimed it. */
  mark: string | null
  retired: boolean
}

/** Reserves a range for a cell, the next free one unless `number` names one, and returns the one that the cell has. */
export async function reserveRange(
  home: Queryable,
  name: string,
  number: number | undefined,
): Promise<CellRange | undefined> {
  await home.query(
    `insert into cell_range (number, name)
     select min(free), $1::text from generate_series(1, 63) free
     where free = coalesce($2::int, free) and not exists (select from cell_range where number = free or name = $1::text)
     having count(*) > 0 on conflict do nothing`,
    [name, number ?? null],
  )
  const [row] = await home.query<CellRange>(
    'select number, mark, retired_at is not null as retired from cell_range where name = $1::text',
    [name],
  )
  return row
}

/** Notes which database has claimed a range. False if another one has. */
export async function confirmRange(home: Queryable, { name, number, mark }: CellRow): Promise<boolean> {
  const rows = await home.query(
    `update cell_range set mark = $3::text
     where name = $1::text and number = $2::int and (mark is null or mark = $3::text) returning 1`,
    [name, number, mark],
  )
  return rows.length === 1
}

/** The ranges that the home cell has given out, with the names of their cells. */
export function listRanges(home: Queryable): Promise<(CellRange & { name: string })[]> {
  return home.query('select number, name, mark, retired_at is not null as retired from cell_range order by number')
}

/** Notes in the home cell that a cell is retired. */
export async function retireRange(home: Queryable, name: string): Promise<void> {
  await home.query(
    'update cell_range set retired_at = clock_timestamp() where name = $1::text and retired_at is null',
    [name],
  )
}

/** Lets a further cell take no new organisations from now on. False if it has some. */
export async function retireCell(database: Queryable): Promise<boolean> {
  const [row] = await database.query<{ done: boolean }>('select retire_cell() as done')
  return row?.done === true
}

/** Whether this database takes no new organisations, because its cell is retired or about to be. */
export async function isRetired(database: Queryable): Promise<boolean> {
  const [row] = await database.query<{ found: boolean }>(
    'select exists (select from cell where retired_at is not null) as found',
  )
  return row?.found === true
}

/** The names of the cells that are retired; none in a database whose tables are missing or of an older version. */
export async function retiredNames(home: Queryable): Promise<string[]> {
  const [column] = await home.query<{ found: boolean }>(
    `select exists (select from pg_attribute where attrelid = to_regclass('cell_range') and attname = 'retired_at') as found`,
    [],
    'once',
  )
  if (!column?.found) return []
  const rows = await home.query<{ name: string }>(
    'select name from cell_range where retired_at is not null',
    [],
    'once',
  )
  return rows.map(({ name }) => name)
}
