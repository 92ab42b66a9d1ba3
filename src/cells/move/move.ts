import { setTimeout as sleep } from 'node:timers/promises'
import { noteMove } from '../../bank/ach/witness/witness.ts'
import { clock } from '../../base/clock.ts'
import { messageOf } from '../../base/message-of.ts'
import { StartupError } from '../../base/startup-error.ts'
import { LockTimeout } from '../../database/database.ts'
import { verifyOrganisation } from '../../ledger/verify.ts'
import { breakOff, clearTarget, endReplication, tidyUp } from './clean-up.ts'
import { prepareFiles, requirePrepared } from './files.ts'
import { guardTables, widenIdentities } from './guards.sql.ts'
import { lowerFence, raiseFence } from './locks.sql.ts'
import {
  arrivedMark,
  copyProgress,
  createPublications,
  createSlot,
  createSubscription,
  dropSubscription,
  filledTables,
  raiseMark,
} from './replication.sql.ts'
import { advance, type Move } from './run.ts'
import { beginArriving, beginLeaving, findEnded, type MoveState, takeOver } from './state.sql.ts'
import { endAtSource, switchOver, tryArrival } from './switch.ts'
import { replicatedTables } from './tables.ts'

export interface Moved {
  /** For how long writes were refused. */
  pausedMs: number
}

/** The steps that progress shows. */
const STEPS = 6
const POLL_MS = 100
/** The copy follows closely enough if a change arrives within this time. */
const CLOSE_MS = 500
const FENCE_MS = 5_000
const ARRIVAL_MS = 10_000
const PAUSES = 5
/** The last attempt copies all tables. */
const LOG_ATTEMPTS = 3
/** Laws that took no longer than this are checked again while writes are paused. */
const QUICK_LAWS_MS = 1_000
const ANY_MS = 86_400_000

/** Moves an organisation, from its beginning or from where a killed command left it. */
export async function moveOrganisation(move: Move, state: MoveState | undefined): Promise<Moved> {
  let paused: Moved = { pausedMs: 0 }
  if (state === 'switching' || state === 'switched') await takeOver(move.source.held, move.id, move.run)
  if (state !== 'switched') {
    try {
      paused = state === 'switching' ? await finishSwitch(move) : await copyAndSwitch(move)
    } catch (error) {
      await giveUp(move, error)
      throw error
    }
  }
  move.progress.at(5, STEPS, 'tidying up')
  await tidyUp(move)
  move.progress.clear()
  return paused
}

async function copyAndSwitch(move: Move): Promise<Moved> {
  await prepareFiles(move)
  await begin(move)
  await copied(move)
  const laws = await checkLaws(move)
  for (let attempt = 1; ; attempt++) {
    // Files may have come since the beginning.
    await prepareFiles(move)
    try {
      return await pause(move, { laws })
    } catch (error) {
      // A transaction of the organisation takes long, or its changes have not arrived: it goes on for a while.
      if (!(error instanceof LockTimeout) || attempt === PAUSES) throw error
      await move.reached('retry')
      await lowerFence(move.source.held)
      await advance(move, ['pausing'], 'copying')
      await sleep(1_000)
      await arrival(move, ANY_MS)
    }
  }
}

/** Starts the copy. Remains of a former attempt are removed first. */
async function begin(move: Move): Promise<void> {
  const { id, run, source, target, reach, progress, reached } = move
  progress.at(0, STEPS, 'preparing both cells')
  await clearTarget(move)
  await endReplication(source.work, id)
  await beginLeaving(source.held, { ...move, cell: target.name }, run)
  await reached('begun')
  await target.held.transaction((transaction) => beginArriving(transaction, { ...move, cell: source.name }, run))
  await reached('arriving')
  await guardTables(source.work, id)
  await guardTables(target.work, id)
  await reached('guarded')
  await widenIdentities(source.work, id)
  await beginLog(move)
  await createSubscription(target.work, id, reach)
  await reached('subscribed')
}

/**
 * Publishes the tables, and keeps the log from now on by a slot. A table that was empty before and is empty now has nothing to
 * copy; if one got its first row in between, all of it begins again.
 */
async function beginLog({ id, source, reached }: Move): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const filled =
      attempt < LOG_ATTEMPTS ? await filledTables(source.work, id) : replicatedTables.map(({ name }) => name)
    await createPublications(source.work, id, filled)
    await reached('published')
    await createSlot(source.work, id)
    await reached('slot')
    if ((await filledTables(source.work, id)).every((name) => filled.includes(name))) return
    await endReplication(source.work, id)
  }
}

/** Waits until all rows are copied and changes arrive at once. */
async function copied(move: Move): Promise<void> {
  const { id, target, progress, reached } = move
  for (;;) {
    const { ready, all, enabled, copying } = await copyProgress(target.work, id)
    if (!enabled) {
      throw new StartupError(`the server of the cell ${target.name} has stopped the copy: its log says why`)
    }
    if (ready === all && all > 0) break
    const tables = copying.length > 0 ? `: ${copying.join(', ')}` : ''
    progress.at(1 + ready / Math.max(1, all), STEPS, `copying, ${ready} of ${all} tables are there${tables}`)
    await sleep(POLL_MS)
  }
  await reached('copied')
  for (let behindMs = ANY_MS; behindMs > CLOSE_MS; ) {
    progress.at(2, STEPS, 'following the changes')
    behindMs = await arrival(move, ANY_MS)
  }
  await reached('followed')
}

/** Waits until all changes that are committed have arrived, and returns how long that took. */
async function arrival({ id, source, target }: Move, limitMs: number): Promise<number> {
  const startMs = clock.elapsedMs()
  const mark = await raiseMark(source.work, id)
  while ((await arrivedMark(target.work, id)) < mark) {
    const { enabled } = await copyProgress(target.work, id)
    if (!enabled) throw new StartupError(`the server of the cell ${target.name} has stopped the copy: its log says why`)
    if (clock.elapsedMs() - startMs > limitMs) throw new LockTimeout('the changes have not arrived in time')
    await sleep(5)
  }
  return clock.elapsedMs() - startMs
}

/** Checks the laws in both cells while writes go on. Returns whether that was quick. */
async function checkLaws(move: Move): Promise<boolean> {
  const { id, name, source, progress } = move
  progress.at(3, STEPS, 'checking the laws of the ledger in both cells')
  const { laws } = await verifyOrganisation(source.work, id, ANY_MS)
  const broken = laws.filter(({ holds }) => !holds).map(({ law }) => law)
  if (broken.length > 0) {
    // The rows of an organisation that was deleted or reset meanwhile keep no law.
    if ((await findEnded(source.work, id))?.ended !== false) throw new StartupError(`${name} has ended`)
    throw new StartupError(
      `laws of the ledger do not hold for ${name} in the cell ${source.name}: ${broken.join('; ')}`,
    )
  }
  const startMs = clock.elapsedMs()
  await tryArrival(move).catch((error: unknown) => {
    // A row that the service wrote at the same time.
    if (error instanceof LockTimeout) return tryArrival(move)
    throw error
  })
  return clock.elapsedMs() - startMs < QUICK_LAWS_MS
}

/** Refuses writes, waits for the last changes, compares both cells, and switches. */
async function pause(move: Move, { laws }: { laws: boolean }): Promise<Moved> {
  const { id, source, target, outgoing, progress, reached } = move
  progress.at(4, STEPS, 'writes are paused')
  const startMs = clock.elapsedMs()
  await advance(move, ['copying'], 'pausing')
  await raiseFence(source.held, FENCE_MS)
  await reached('paused')
  await requirePrepared(move)
  await arrival(move, ARRIVAL_MS)
  await reached('caught up')
  // From here on nothing that happens to the rows of one cell reaches the other.
  await dropSubscription(target.work, id)
  await reached('alone')
  if (outgoing !== undefined) {
    const rail = { database: source.work, locks: source.held, ach: { outgoing } }
    await noteMove(rail, { organisationId: id, movesTo: target.name })
  }
  await switchOver(move, { laws })
  await reached('switched')
  await endAtSource(move)
  return { pausedMs: clock.elapsedMs() - startMs }
}

/** Goes on with a switch that a killed command has begun: everything had arrived, and nothing was written since. */
async function finishSwitch(move: Move): Promise<Moved> {
  const startMs = clock.elapsedMs()
  await raiseFence(move.source.held, FENCE_MS)
  if ((await findEnded(move.target.work, move.id))?.ended !== false) await switchOver(move, { laws: true })
  await endAtSource(move)
  return { pausedMs: clock.elapsedMs() - startMs }
}

/** Undoes a move that failed, unless the other cell owns the organisation by now. */
async function giveUp(move: Move, error: unknown): Promise<void> {
  move.progress.clear()
  try {
    await lowerFence(move.source.held)
    await breakOff(move)
  } catch (failure) {
    const { name, target } = move
    const next = `run purser organisations move ${name} --to ${target.name} again, or with --abort`
    throw new StartupError(`${messageOf(error)}; the move is not undone (${messageOf(failure)}): ${next}`, {
      cause: error,
    })
  }
}
