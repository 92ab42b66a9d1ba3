import type { Closers } from '../base/closers.ts'
import type { Config } from '../config.ts'
import { type Database, DatabaseUnavailable } from '../database/database.ts'
import { ownedEpochs } from './move/state.sql.ts'
import { ofOwners, visitCells } from './visit.ts'

const ATTEMPTS = 5

/**
 * Runs `work` on the database of each cell in turn, with the organisations that another cell owns: between the halves of a switch
 * both cells have one. Begins again if an organisation moved meanwhile, which could count twice or not at all.
 */
export async function visitOwned<T>(
  config: Config,
  work: (database: Database, elsewhere: number[]) => Promise<T>,
  closers: Closers,
): Promise<T[]> {
  if (config.cells.length === 0) return visitCells(config, (database) => work(database, []), closers)
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const { owners, all } = await ownersOf(config, closers)
    const elsewhere = (name: string) =>
      all.filter(({ id, cell }) => cell === name && owners.get(id) !== name).map(({ id }) => id)
    const results = await visitCells(config, (database, { name }) => work(database, elsewhere(name)), closers)
    const later = (await ownersOf(config, closers)).owners
    const hasMoved = all.some(({ id }) => later.has(id) && later.get(id) !== owners.get(id))
    if (!hasMoved) return results
  }
  throw new DatabaseUnavailable('organisations move between cells again and again: try again later')
}

/** The organisations of each cell, and the cell that owns each. */
async function ownersOf(config: Config, closers: Closers) {
  const found = await visitCells(
    config,
    async (database, { name: cell }) => (await ownedEpochs(database)).map((row) => ({ ...row, cell })),
    closers,
  )
  const all = found.flat()
  return { all, owners: new Map(ofOwners(all).map(({ id, cell }) => [id, cell])) }
}
