import type { Closers } from '../../base/closers.ts'
import { StartupError } from '../../base/startup-error.ts'
import { type CellPlace, cellsOf } from '../../config/cells.ts'
import type { Config } from '../../config.ts'
import type { Database } from '../../database/database.ts'
import { visitDatabase } from '../../database/visit.ts'
import { UsageError } from '../command.ts'
import { findOwned, type OrganisationRow } from './move/state.sql.ts'

/** An organisation and the cell that owns it. */
export interface Owned {
  place: CellPlace
  organisation: OrganisationRow
}

/** Runs `work` on the database of each cell in turn, and returns the results in the order of the cells. */
export async function visitCells<T>(
  config: Config,
  work: (database: Database, place: CellPlace) => Promise<T>,
  closers: Closers,
): Promise<T[]> {
  const results: T[] = []
  for (const place of cellsOf(config)) {
    results.push(await visitDatabase(place, (database) => work(database, place), closers))
  }
  return results
}

/** The cell that owns an organisation. Where a move is not over, two have it, and the later epoch counts. */
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

/** The cell of a name, in any case. */
export function cellNamed(config: Config, name: string): CellPlace {
  const cells = cellsOf(config)
  const found = cells.find((cell) => cell.name === name.toLowerCase())
  if (found) return found
  throw new UsageError(`there is no cell ${name}: ${cells.map((cell) => cell.name).join(', ')}`)
}
