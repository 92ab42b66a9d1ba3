import { SWEEP } from '../../bank/organisations/sweep.ts'
import type { Closers } from '../../base/closers.ts'
import { StartupError } from '../../base/startup-error.ts'
import { counted } from '../../base/text.ts'
import type { Config } from '../../config.ts'
import type { Database } from '../../database/database.ts'
import { isCell } from '../claim.ts'
import { listOwned, openMoves } from '../move/state.sql.ts'
import type { CellPlace } from '../settings.ts'
import { visitCell, visitCells } from '../visit.ts'
import { findOpenFile, leftOrganisations, type OpenFile } from './state.sql.ts'

/** Refuses to retire a cell that somebody still needs. Every cell has to be there: an organisation may be on its way from any. */
export async function requireRetirable(config: Config, place: CellPlace, closers: Closers): Promise<void> {
  const { name } = place
  const movesIn = async (database: Database, at: CellPlace) =>
    (await openMoves(database)).filter(({ cell }) => at.name === name || cell === name)
  const [moving] = (await visitCells(config, movesIn, closers)).flat()
  if (moving) {
    const next = `finish it with purser organisations move '${moving.name}', or break it off with --abort`
    throw new StartupError(`a move of ${moving.name} from or to the cell ${name} is not over: ${next}`)
  }
  await visitCell(config, place, (database) => requireEmpty(database, place), closers)
}

async function requireEmpty(database: Database, { name, setting }: CellPlace): Promise<void> {
  if (!(await isCell(database, name))) {
    throw new StartupError(`the cell ${name} has never joined and has no range: remove ${setting}`)
  }
  const [first, ...others] = await listOwned(database)
  if (first) {
    const all = counted(others.length + 1, 'organisation')
    throw new StartupError(
      `the cell ${name} has ${all}: move ${others.length > 0 ? 'them' : 'it'} first, for example with purser organisations move '${first.name}' --to home`,
    )
  }
  const file = await findOpenFile(database)
  if (file) throw new StartupError(`the cell ${name} has the ACH file ${file.id} (${file.name}): ${nextOf(file)}`)
  const seconds = Math.min(...(await leftOrganisations(database)).map((left) => left.seconds))
  const waitS = Math.ceil(SWEEP.graceMs / 1_000 - seconds)
  if (waitS > 0) {
    throw new StartupError(
      `an organisation has left the cell ${name} only now, and requests to it may be under way: try again in ${waitS} s`,
    )
  }
}

function nextOf({ id, state }: OpenFile): string {
  if (state === 'unknown') {
    return `the outcome of its delivery is unknown, note it with purser ach delivered ${id} or purser ach deliver ${id} first`
  }
  if (state === 'taken') return 'it is not applied in all cells yet, try again later'
  return 'it is not delivered yet, try again later'
}
