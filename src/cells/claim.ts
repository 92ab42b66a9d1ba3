import { randomBytes } from 'node:crypto'
import { StartupError } from '../base/startup-error.ts'
import type { Database } from '../database/database.ts'
import {
  type CellRow,
  claimCell,
  confirmRange,
  findCell,
  hasRecords,
  keepCellMode,
  keepCellRange,
  knownTables,
  reserveRange,
} from './cells.sql.ts'
import { remedyOf, requireUnretired } from './retirement.ts'
import { HOME } from './settings.ts'

/** A further cell that is claimed: its name, its database and the setting that names it. */
export interface ClaimedCell {
  name: string
  setting: string
  database: Database
}

/** Makes a database the home cell at its first start. Refuses one that is another cell. */
export async function claimHome(database: Database): Promise<CellRow> {
  const found = (await findCell(database)) ?? (await claimed(database, { name: HOME, number: 0, bank: random() }))
  if (found.number !== 0) {
    throw new StartupError(
      `DATABASE_URL names the database of the cell ${found.name}: name the one of the home cell there`,
    )
  }
  await keepCellRange(database)
  return found
}

/**
 * Makes a database a further cell at its first start, with a range of ids and account numbers of its own. The home cell gives
 * the range out, once: first it is reserved there, then claimed in the cell, then confirmed, so that a start that is
 * interrupted goes on at the next one. Refuses a database that is another cell, or another bank's, or takes the place of a
 * database that was claimed.
 */
export async function claimFurther(home: Database, cell: ClaimedCell): Promise<CellRow> {
  const { name, setting, database } = cell
  const { bank, found } = await requireIntended(home, cell)
  const range = await reserveRange(home, name, found?.number)
  if (!range || (found && range.number !== found.number)) {
    throw new StartupError(
      found
        ? `the range ${found.number} of the cell ${name} belongs to another cell: see docs/scaling.md#ranges`
        : 'there is no range for another cell: a bank has up to 63 cells beside the home cell',
    )
  }
  if (range.retired) throw new StartupError(`the cell ${name} is retired: ${remedyOf(setting)}`)
  // Another process may have claimed the database between the two looks.
  const present = found ?? (range.mark === null ? undefined : await findCell(database))
  if (range.mark !== null && range.mark !== present?.mark) throw replaced(name, setting)
  const row = present ?? (await claimed(database, { name, number: range.number, bank }))
  requireSame(row, { name, bank }, setting)
  if (!(await confirmRange(home, row))) throw replaced(name, setting)
  await keepCellRange(database)
  return row
}

/**
 * Refuses a database that is another cell, or another bank's, or has records and is no cell. Also called before its tables are
 * there: migrations must not change those of another bank.
 */
export async function requireIntended(
  home: Database,
  { name, setting, database }: ClaimedCell,
): Promise<{ bank: string; found: CellRow | undefined }> {
  const { bank } = await claimHome(home)
  const tables = await knownTables(database)
  const found = tables.cell ? await findCell(database) : undefined
  if (found) requireSame(found, { name, bank }, setting)
  else if (tables.organisation && (await hasRecords(database))) {
    throw new StartupError(`${setting} names a database that has records already: a new cell begins with an empty one`)
  }
  return { bank, found }
}

/** Refuses the database of a further cell that has not joined: its ids would be those of the home cell. */
export async function requireClaimed(
  database: Database,
  { name, setting }: Omit<ClaimedCell, 'database'>,
): Promise<void> {
  if (name === HOME) return
  if (await isCell(database, name)) return requireUnretired(database, name)
  throw new StartupError(`the database of ${setting} is no cell yet: start the service once, and it joins`)
}

/**
 * Refuses a database whose bank runs in the other mode; the first start decides. A live bank would otherwise get a demo world
 * and the operations of the sandbox by a lost setting, and a live bank on a sandbox would have invented money.
 */
export async function requireMode(database: Database, mode: 'sandbox' | 'live'): Promise<void> {
  if ((await keepCellMode(database, mode)) === mode) return
  throw new StartupError(
    mode === 'sandbox'
      ? 'the database is that of a live bank: set PURSER_MODE to live, or name another database'
      : 'the database is that of a sandbox: a live bank needs one of its own',
  )
}

/** Whether a database is the cell of a name. */
export async function isCell(database: Database, name: string): Promise<boolean> {
  return (await findCell(database))?.name === name
}

function requireSame(found: CellRow, { name, bank }: Pick<CellRow, 'name' | 'bank'>, setting: string): void {
  if (found.bank !== bank) throw new StartupError(`${setting} names a database of another bank`)
  if (found.number === 0) throw new StartupError(`${setting} names the database of the home cell`)
  if (found.name !== name) {
    throw new StartupError(
      `${setting} names the database of the cell ${found.name}: each cell has a database of its own`,
    )
  }
}

function replaced(name: string, setting: string): StartupError {
  return new StartupError(
    `the cell ${name} has another database: ${setting} must name that one or a restored copy of it, because a new one would give out its ids again`,
  )
}

/** Claims a database. Of several processes that do so at a time one writes the row, and all return it. */
async function claimed(database: Database, cell: Omit<CellRow, 'mark'>): Promise<CellRow> {
  await claimCell(database, { ...cell, mark: random() })
  const row = await findCell(database)
  if (!row) throw new Error('a claimed cell has no row')
  return row
}

function random(): string {
  return randomBytes(16).toString('hex')
}
