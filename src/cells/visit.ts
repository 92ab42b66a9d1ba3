import { exitCodes, UsageError } from '../../ground/failure.ts'
import type { Output } from '../../ground/output.ts'
import type { Closers } from '../base/closers.ts'
import { StartupError } from '../base/startup-error.ts'
import type { Config } from '../config.ts'
import { type Database, DatabaseUnavailable } from '../database/database.ts'
import { visitDatabase } from '../database/visit.ts'
import { pingConnection } from './move/locks.sql.ts'
import { findOwned, type OrganisationRow } from './move/state.sql.ts'
import { type CellPlace, cellsOf } from './settings.ts'

/** An organisation and the cell that owns it. */
export interface Owned {
  place: CellPlace
  organisation: OrganisationRow
}

/**
 * Runs `work` on the database of each cell in turn, and returns the results in the order of the cells. Fails if a cell is away,
 * unless `away` hears of it.
 */
export async function visitCells<T>(
  config: Config,
  work: (database: Database, place: CellPlace) => Promise<T>,
  closers: Closers,
  away?: (error: DatabaseUnavailable) => void,
): Promise<T[]> {
  const results: T[] = []
  for (const place of cellsOf(config)) {
    try {
      results.push(await visitCell(config, place, (database) => work(database, place), closers))
    } catch (error) {
      if (!away || !(error instanceof DatabaseUnavailable) || config.cells.length === 0) throw error
      away(error)
    }
  }
  return results
}

/** Notes cells that are away: a list shows those that are there, and the command ends with 5. */
export function notingAway(out: Pick<Output, 'note'>) {
  const noted = new Set<string>()
  return {
    note: ({ message }: DatabaseUnavailable) => {
      if (!noted.has(message)) out.note(`not shown: ${message}`)
      noted.add(message)
    },
    code: () => (noted.size > 0 ? exitCodes.retry : 0),
  }
}

/** Runs `work` on the database of a cell. The error names a cell that is away, if the bank has several. */
export function visitCell<T>(
  config: Config,
  place: CellPlace,
  work: (database: Database) => Promise<T>,
  closers: Closers,
): Promise<T> {
  return visitDatabase(place, (database) => naming(config, place, work(database)), closers)
}

async function naming<T>({ cells }: Config, { name }: CellPlace, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable) || cells.length === 0) throw error
    throw new DatabaseUnavailable(`the cell ${name} is away: ${error.message}`, { cause: error })
  }
}

/** Runs `work` on the database of each cell but one. Fails if a cell is away. */
export async function visitOthers<T>(
  config: Config,
  one: CellPlace,
  work: (database: Database) => Promise<T>,
  closers: Closers,
): Promise<T[]> {
  const results: T[] = []
  for (const place of cellsOf(config)) {
    if (place.name !== one.name) results.push(await visitCell(config, place, work, closers))
  }
  return results
}

/** The cell that owns an organisation. If a move is not over, two have it, and the later epoch counts. */
export async function findOwner(config: Config, name: string, closers: Closers): Promise<Owned | undefined> {
  const found = await visitCells(
    config,
    async (database, place) => ({ place, organisation: await findOwned(database, name) }),
    closers,
  )
  const owned = found.flatMap(({ place, organisation }) => (organisation ? [{ place, organisation }] : []))
  return owned.sort((one, other) => other.organisation.epoch - one.organisation.epoch)[0]
}

export async function requireOwner(config: Config, name: string, closers: Closers): Promise<Owned> {
  const owner = await findOwner(config, name, closers)
  if (!owner) throw new StartupError(`there is no organisation ${name}: purser organisations list shows all of them`)
  return owner
}

/** The cell in which `has` finds something; the home cell if it finds nothing, so that its refusal says so. */
export async function placeWith(
  config: Config,
  has: (database: Database) => Promise<boolean>,
  closers: Closers,
): Promise<CellPlace> {
  const [home, ...further] = cellsOf(config)
  for (const place of further) if (await visitCell(config, place, has, closers)) return place
  return home
}

/** The cell of an organisation, by its name; the home cell if none has it. */
export async function placeOfOrganisation(config: Config, name: string, closers: Closers): Promise<CellPlace> {
  const [home, ...further] = cellsOf(config)
  return further.length === 0 ? home : ((await findOwner(config, name, closers))?.place ?? home)
}

/** Runs `work` with the databases of all cells at the same time, the home cell's first. Each has answered before. */
export async function withAllCells<T>(
  config: Config,
  work: (databases: Database[]) => Promise<T>,
  closers: Closers,
): Promise<T> {
  const places = cellsOf(config)
  const open = (databases: Database[]): Promise<T> => {
    const place = places[databases.length]
    if (!place) return work(databases)
    const visit = async (database: Database) => {
      await naming(config, place, pingConnection(database))
      return open([...databases, database])
    }
    return visitDatabase(place, visit, closers)
  }
  return open([])
}

/** Of rows that two cells have, because a move stands between the halves of its switch, the one of the owner: the later epoch. */
export function ofOwners<Row extends { id: unknown; epoch: number }>(rows: Row[]): Row[] {
  const latest = new Map<unknown, number>()
  for (const { id, epoch } of rows) latest.set(id, Math.max(epoch, latest.get(id) ?? 0))
  return rows.filter(({ id, epoch }) => epoch === latest.get(id))
}

/** Adds the name of the cell to rows of it, in lists of a bank that has several. */
export function labelled<Row extends object>(config: Config, read: (database: Database) => Promise<Row[]>) {
  return async (database: Database, { name: cell }: CellPlace): Promise<(Row & { cell?: string })[]> => {
    const rows = await read(database)
    return config.cells.length > 0 ? rows.map((row) => ({ ...row, cell })) : rows
  }
}

/** The column of the cell, in lists of a bank that has several. */
export function cellColumn(config: Config): { cell?: string } {
  return config.cells.length > 0 ? { cell: 'CELL' } : {}
}

/** The cell of a name, in any case. */
export function cellNamed(config: Config, name: string): CellPlace {
  const cells = cellsOf(config)
  const found = cells.find((cell) => cell.name === name.toLowerCase())
  if (found) return found
  throw new UsageError(`there is no cell ${name}; the cells are ${cells.map((cell) => cell.name).join(', ')}`)
}
