import { setTimeout as sleep } from 'node:timers/promises'
import { keepEntries, lacksEntries } from '../../bank/ach/returning/kept-entries.ts'
import { clock } from '../../base/clock.ts'
import { StartupError } from '../../base/startup-error.ts'
import { LockTimeout } from '../../database/database.ts'
import { openSeals } from '../../secrets/seals.ts'
import type { MoveCell } from './cell.ts'
import { type FileUnderWay, findUnderWay } from './files.sql.ts'
import type { Move } from './run.ts'

/** A file is built and delivered, or applied, within seconds. */
const WAIT_MS = 60_000
const POLL_MS = 200

type Organisation = Pick<Move, 'id' | 'name'>

/** Waits until no file with entries of the organisation is under way. Refuses if it takes long, or takes the operator. */
export async function awaitFiles({ name: cell, work }: MoveCell, { id, name }: Organisation): Promise<void> {
  const startMs = clock.elapsedMs()
  for (let file = await findUnderWay(work, id); file; file = await findUnderWay(work, id)) {
    if (file.state === 'unknown' || clock.elapsedMs() - startMs > WAIT_MS) {
      throw new StartupError(`${name} has entries in the ${textOf(file)} in the cell ${cell}: ${nextOf(file)}`)
    }
    await sleep(POLL_MS)
  }
}

/** Prepares the shares of files for the pause: none is under way, and what returns need of received entries is with them. */
export async function prepareFiles(move: Move): Promise<void> {
  const { id, source, keys, progress } = move
  await awaitFiles(source, move)
  const seals = openSeals(source.work, keys)
  await keepEntries({ database: source.work, seals }, id, (files) =>
    progress.at(0, 1, `keeping entries of ACH files, ${files} files so far`),
  )
}

/** Throws if a file came while the move was prepared: writes go on for a while, and the pause begins again. */
export async function requirePrepared({ id, name, source }: Move): Promise<void> {
  const file = await findUnderWay(source.work, id)
  if (file) throw new LockTimeout(`${name} has entries in the ${textOf(file)}: ${nextOf(file)}`)
  if (await lacksEntries(source.work, id)) throw new LockTimeout(`${name} has received entries meanwhile: try again`)
}

function textOf({ id, name, state }: FileUnderWay): string {
  return `ACH file ${id} (${name}), which is ${state}`
}

function nextOf({ id, state }: FileUnderWay): string {
  if (state === 'unknown') return `note its outcome with purser ach delivered ${id} or purser ach deliver ${id} first`
  if (state === 'taken') return 'move it when all cells have taken their entries'
  return 'move it when the file is delivered'
}
