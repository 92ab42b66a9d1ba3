import { randomUUID } from 'node:crypto'
import { UsageError } from '../../../ground/failure.ts'
import { openProgress } from '../../base/progress.ts'
import { StartupError } from '../../base/startup-error.ts'
import type { Config } from '../../config.ts'
import { DatabaseUnavailable } from '../../database/database.ts'
import type { OperatorCall, OperatorCommand } from '../../operator/command.ts'
import { encryptionKeysOf } from '../../secrets/secret-file.ts'
import { type MoveCell, visitMoveCell } from '../move/cell.ts'
import { breakOff, breakOffAtSource } from '../move/clean-up.ts'
import { clearLeftArrival, leftArrivals } from '../move/left-arrivals.ts'
import { moveOrganisation } from '../move/move.ts'
import { requireMovable } from '../move/requirements.ts'
import type { Move } from '../move/run.ts'
import { type MoveRow, unfinishedMoves } from '../move/state.sql.ts'
import { type CellPlace, cellsOf } from '../settings.ts'
import { cellNamed, findOwner, visitCells } from '../visit.ts'

type Parts = Pick<OperatorCall, 'config' | 'out' | 'closers'>

interface Wanted {
  name: string
  to: string | undefined
  reach: string | undefined
}

/** A move that is to be made, gone on with, or broken off. */
interface Plan {
  id: number
  name: string
  epoch: number
  from: CellPlace
  to: CellPlace
  /** The state in which a killed command has left it. */
  state: MoveRow['state'] | undefined
}

/** Moves an organisation to another cell while the service runs, or breaks its move off. */
export const move: OperatorCommand = async (call) => {
  const [name = ''] = call.args
  const { to, reach } = call.options as { to?: string; reach?: string }
  const isEnd = call.options.abort === true
  if ((to === undefined) !== isEnd) throw new UsageError('name the cell with --to, or break a move off with --abort')
  const wanted = { name, to, reach }
  return isEnd ? abort(call, wanted) : start(call, wanted)
}

/** Moves an organisation, or goes on with its move. `reached` is called between the steps: tests kill the command there. */
export async function start(
  surroundings: Parts,
  wanted: Wanted,
  reached: Move['reached'] = () => undefined,
): Promise<void> {
  const { config, out } = surroundings
  const settings = config()
  const plan = await planOf(settings, wanted, surroundings)
  const { id, name, epoch, from, to, state } = plan
  const keys = await encryptionKeysOf(settings)
  const { pausedMs } = await withCells(plan, surroundings, async (source, target) => {
    if (state !== 'switching' && state !== 'switched') await requireMovable(source, target, { id, name }, keys)
    const reach = wanted.reach ?? from.databaseUrl ?? ''
    const progress = openProgress(`moving ${name}`)
    const run = randomUUID()
    const ends = noteInterruption(surroundings, name)
    const outgoing = settings.mode === 'live' && settings.ach !== 'instant' ? settings.ach.outgoing : undefined
    const made: Move = { id, name, epoch, run, source, target, keys, reach, outgoing, progress, reached }
    return moveOrganisation(made, state).finally(ends)
  })
  out.result(
    { organisation: name, id: String(id), from: from.name, to: to.name, pausedMs: Math.round(pausedMs) },
    `${name} is in the cell ${to.name} now. Writes were paused for ${(pausedMs / 1_000).toFixed(1)} s. Its rows in the cell ${from.name} are deleted in the background.`,
  )
}

/** Says after a Ctrl-C what has become of a move. Returns a function to call at its end. */
function noteInterruption({ closers, out }: Parts, name: string): () => void {
  let isOver = false
  closers.add(async () => {
    const next = 'run the same command to go on with it, or with --abort in place of --to to break it off'
    if (!isOver) out.note(`the move of ${name} was interrupted: ${next}`)
  })
  return () => {
    isOver = true
  }
}

async function abort(surroundings: Parts, { name }: Wanted): Promise<void> {
  const { config, out } = surroundings
  // The cell that the organisation was to leave knows the move; the other one may be away.
  const away: DatabaseUnavailable[] = []
  const progress = openProgress(`breaking off the move of ${name}`)
  const plan = await unfinished(config(), name, surroundings, (error) => away.push(error))
  if (!plan) {
    if (await clearLeft(surroundings, name, progress)) return
    throw away[0] ?? new StartupError(`there is no move of ${name} to break off`)
  }
  const { id, from, to, state } = plan
  const reached = () => undefined
  const keys = await encryptionKeysOf(config())
  try {
    await withCells(plan, surroundings, (source, target) =>
      breakOff({ id, name, run: '', source, target, keys, progress, reached }),
    )
  } catch (error) {
    // Without the other cell only a move that has not come to its switch can be broken off for certain.
    if (!(error instanceof DatabaseUnavailable) || state === 'switching' || state === 'switched') throw error
    await visitMoveCell(from, (source) => breakOffAtSource(source.work, id), surroundings.closers)
    out.note(`the cell ${to.name} does not answer: run the command again when it does, to delete the rows that it has`)
  }
  progress.clear()
  out.result({ organisation: name, id: String(id), cell: from.name }, `${name} stays in the cell ${from.name}.`)
}

/** Deletes rows that are left in a cell which was away when the move was broken off. False if there are none. */
async function clearLeft(surroundings: Parts, name: string, progress: Move['progress']): Promise<boolean> {
  const { config, out, closers } = surroundings
  const left = (await leftArrivals(cellsOf(config()), closers)).filter((each) => each.name === name)
  const keys = left.length > 0 ? await encryptionKeysOf(config()) : []
  for (const arrival of left) {
    await withCells(arrival, surroundings, (source, target) =>
      clearLeftArrival(arrival, { source, target, keys, progress }),
    )
    progress.clear()
    out.result(
      { organisation: name, id: String(arrival.id), cleared: arrival.to.name },
      `The rows of ${name} that the move had left in the cell ${arrival.to.name} are deleted.`,
    )
  }
  return left.length > 0
}

async function planOf(settings: Config, { name, to }: Wanted, surroundings: Parts): Promise<Plan> {
  const place = cellNamed(settings, to ?? '')
  const found = await unfinished(settings, name, surroundings)
  if (found) {
    if (found.to.name === place.name) return found
    const { from } = found
    throw new StartupError(
      `${name} is on its way from ${from.name} to ${found.to.name}: finish that move first, or break it off with --abort`,
    )
  }
  const owner = await findOwner(settings, name, surroundings.closers)
  if (!owner) throw new StartupError(`there is no organisation ${name}: purser organisations list shows all of them`)
  const { id, epoch } = owner.organisation
  if (owner.place.name === place.name) throw new StartupError(`${name} is in the cell ${place.name} already`)
  return { id, name, epoch: epoch + 1, from: owner.place, to: place, state: undefined }
}

/** The move of an organisation that a command has begun and not finished. */
async function unfinished(
  settings: Config,
  name: string,
  { closers }: Parts,
  away?: (error: DatabaseUnavailable) => void,
): Promise<Plan | undefined> {
  const cells = cellsOf(settings)
  const found = await visitCells(
    settings,
    async (database, place) => (await unfinishedMoves(database)).map((row) => ({ row, place })),
    closers,
    away,
  )
  const [unfinishedMove] = found.flat().filter(({ row }) => row.name === name)
  if (!unfinishedMove) return undefined
  const { row, place } = unfinishedMove
  const to = cells.find((cell) => cell.name === row.cell)
  if (!to) throw new StartupError(`${name} is on its way to the cell ${row.cell}, which is not configured`)
  return { id: row.id, name, epoch: row.epoch, from: place, to, state: row.state }
}

function withCells<T>(
  { from, to }: Pick<Plan, 'from' | 'to'>,
  { closers }: Parts,
  work: (source: MoveCell, target: MoveCell) => Promise<T>,
): Promise<T> {
  return visitMoveCell(from, (source) => visitMoveCell(to, (target) => work(source, target), closers), closers)
}
