import { setTimeout as sleep } from 'node:timers/promises'
import { handOverToHome } from '../../bank/ach/spread/hand-over-to-home.ts'
import { sweepFree } from '../../bank/organisations/sweep.ts'
import { clock } from '../../base/clock.ts'
import { openProgress } from '../../base/progress.ts'
import { StartupError } from '../../base/startup-error.ts'
import type { Database } from '../../database/database.ts'
import { visitDatabase } from '../../database/visit.ts'
import { agreed } from '../../operator/ask.ts'
import type { OperatorCall, OperatorCommand } from '../../operator/command.ts'
import { requireKey } from '../../secrets/marker.ts'
import { openSeals, type Seals } from '../../secrets/seals.ts'
import { encryptionKeysOf } from '../../secrets/secret-file.ts'
import { type MoveCell, visitMoveCell } from '../move/cell.ts'
import { beginRetirement, endRetirement, rangesOf, remedyOf } from '../retirement.ts'
import { type CellPlace, cellsOf, HOME } from '../settings.ts'
import { cellNamed } from '../visit.ts'
import { requireRetirable } from './requirements.ts'
import { leftOrganisations } from './state.sql.ts'

type Parts = Pick<OperatorCall, 'config' | 'options' | 'out' | 'closers' | 'confirm'>

/** Called between the steps. A test breaks the command off there. */
type Reached = (step: string) => void

/** Retires a further cell that has no organisations any more, for good. */
export const retire: OperatorCommand = (call) => start(call, call.args[0] ?? '')

/** Retires a cell, or goes on where a killed command has left it. */
export async function start(call: Parts, cell: string, reached: Reached = () => undefined): Promise<void> {
  const { config, out, closers } = call
  const settings = config()
  const name = cell.toLowerCase()
  if (name === HOME) throw new StartupError('the home cell cannot be retired: it gives the other cells their ranges')
  const [homePlace] = cellsOf(settings)
  const work = async (home: Database): Promise<void> => {
    // A cell that is retired may be away, and its variable may be removed.
    if ((await rangesOf(home)).some((range) => range.name === name && range.retired)) return
    const place = cellNamed(settings, name)
    const question = `Retire the cell ${name} for good? Its name and its range of ids are never used again.`
    await requireRetirable(settings, place, closers)
    if (!(await agreed(call, question))) throw new StartupError('nothing was changed')
    const keys = await encryptionKeysOf(settings)
    await requireKey(home, keys)
    await visitMoveCell(
      place,
      async (own) => {
        await requireKey(own.work, keys)
        // Again: no move begins any more.
        await requireRetirable(settings, place, closers)
        const seals = (database: Database) => ({ database, seals: openSeals(database, keys) })
        await empty(place, own, { cell: seals(own.work), home: seals(home) }, reached)
      },
      closers,
    )
    await endRetirement(home, name)
    reached('retired')
  }
  await visitDatabase(homePlace, work, closers)
  const setting = settings.cells.find((cell) => cell.name === name)?.setting
  const next = setting ? ` Now ${remedyOf(setting)}. Restart all processes, and stop its server after that.` : ''
  out.result({ cell: name, retired: true }, `The cell ${name} is retired.${next}`)
}

interface Sealed {
  database: Database
  seals: Seals
}

/** Refuses new organisations, gives the ACH files to the home cell, and deletes the rows of organisations that have left. */
async function empty(
  place: CellPlace,
  { held, work }: MoveCell,
  { cell, home }: { cell: Sealed; home: Sealed },
  reached: Reached,
): Promise<void> {
  await beginRetirement(work, place.name)
  reached('fenced')
  const progress = openProgress(`retiring ${place.name}`)
  await handOverToHome(cell, home, (files) => {
    progress.at(0, 2, `handing over ACH files, ${files} so far`)
    reached('file')
  })
  reached('handed over')
  await sweepAll(held, cell, (rows) =>
    progress.at(1, 2, `deleting rows of organisations that have left, ${rows} so far`),
  )
  progress.clear()
  reached('swept')
}

const POLL_MS = 200
/** How long the command waits if a process of the service deletes the same rows. */
const PATIENCE_MS = 60_000

/** Deletes the rows of all organisations that have left, behind the locks that the service takes for it, too. */
async function sweepAll(held: Database, cell: Sealed, deleted: (rows: number) => void): Promise<void> {
  let freeMs = clock.elapsedMs()
  let left = await leftOrganisations(cell.database)
  while (left.length > 0) {
    const ids = left.map(({ id }) => id)
    if ((await sweepFree(cell, held, ids, deleted)) > 0) freeMs = clock.elapsedMs()
    left = await leftOrganisations(cell.database)
    if (left.length > 0 && clock.elapsedMs() - freeMs > PATIENCE_MS) {
      throw new StartupError('the service is still deleting rows of organisations that have left: try again later')
    }
    if (left.length > 0) await sleep(POLL_MS)
  }
}
