import { StartupError } from '../base/startup-error.ts'
import type { Database } from '../database/database.ts'
import { type CellRange, isRetired, listRanges, retireCell, retiredNames, retireRange } from './cells.sql.ts'

/** A range that the home cell has given out, and the name of its cell. */
export type NamedRange = CellRange & { name: string }

/** The ranges that the home cell has given out, also those of cells that are retired. */
export function rangesOf(home: Database): Promise<NamedRange[]> {
  return listRanges(home)
}

/** Begins to retire a cell: it takes no new organisations from now on. Refuses one that has organisations. */
export async function beginRetirement(database: Database, name: string): Promise<void> {
  if (await retireCell(database)) return
  throw new StartupError(`the cell ${name} has got an organisation meanwhile: try again`)
}

/** Notes in the home cell that a cell is retired: its name and its range are never given out again. */
export function endRetirement(home: Database, name: string): Promise<void> {
  return retireRange(home, name)
}

/** The names of the cells that are retired, as the home cell knows. */
export function retiredIn(home: Database): Promise<string[]> {
  return retiredNames(home)
}

/** Refuses a cell that takes no new organisations any more. */
export async function requireUnretired(database: Database, name: string): Promise<void> {
  if (await isRetired(database)) throw new StartupError(`the cell ${name} is retired and takes no new organisations`)
}

/** The remedy for a variable that names a retired cell. */
export function remedyOf(setting: string): string {
  return `remove ${setting} and the variable of its standby; a new cell needs another name`
}

/**
 * The cells without those that are retired, of which `say` hears. They have no organisations: a restart or a command that comes
 * before their variables are removed must not fail for them.
 */
export async function presentCells<Cell extends { name: string; setting: string }>(
  cells: Cell[],
  home: Database,
  say: (line: string) => void = () => undefined,
): Promise<Cell[]> {
  const retired = cells.length > 0 ? await retiredIn(home) : []
  const isRetired = ({ name }: Cell) => retired.includes(name)
  for (const { name, setting } of cells.filter(isRetired)) {
    say(`warning: the cell ${name} is retired and is not opened: ${remedyOf(setting)}`)
  }
  return cells.filter((cell) => !isRetired(cell))
}
