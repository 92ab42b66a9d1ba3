import { setTimeout as sleep } from 'node:timers/promises'
import { sweepOrganisation } from '../../bank/organisations/sweep.ts'
import { StartupError } from '../../base/startup-error.ts'
import type { Database } from '../../database/database.ts'
import { openSeals } from '../../secrets/seals.ts'
import { narrowIdentities, unguardTables } from './guards.sql.ts'
import { dropPublications, dropSlot, dropSubscription, endSender } from './replication.sql.ts'
import type { Move } from './run.ts'
import { findEnded, findMove, forgetMove, reopen, setState } from './state.sql.ts'

const SLOT_POLL_MS = 50
const SLOT_POLLS = 200
/** A subscription that was dropped lets the slot go within this many polls. */
const PATIENT_POLLS = 20

type Parts = Pick<Move, 'id' | 'name' | 'source' | 'target' | 'keys' | 'run' | 'reached'> & {
  progress: Pick<Move['progress'], 'at'>
}

/**
 * Removes everything of a move after the switch but the row that says where the organisation is. Only then may the rows at the
 * source be deleted: nothing carries their deletion over any more.
 */
export async function tidyUp({ id, run, source, target, reached }: Parts): Promise<void> {
  await dropSubscription(target.work, id)
  await endReplication(source.work, id)
  await reached('replication ended')
  await unguardTables(target.work)
  await unguardTables(source.work)
  await reached('unguarded')
  await narrowIdentities(source.work, id)
  await setState(source.held, { id, run, from: ['switched'], to: 'moved' })
}

/** Breaks a move off: the organisation stays at the source. Refuses if the target owns it. */
export async function breakOff(move: Parts): Promise<void> {
  const { id, name, source, target } = move
  const { state } = (await findMove(source.work, id)) ?? {}
  if (state === 'switched' || (await isOwner(target.work, id))) {
    throw new StartupError(`${name} is in the cell ${target.name} already: run the command again without --abort`)
  }
  await clearTarget(move)
  await breakOffAtSource(source.work, id)
}

/** The part of it that needs no target. */
export async function breakOffAtSource(source: Database, id: number): Promise<void> {
  await reopen(source, id)
  await endReplication(source, id)
  await unguardTables(source)
  await narrowIdentities(source, id)
  await forgetMove(source, id)
}

async function isOwner(database: Database, id: number): Promise<boolean> {
  return (await findEnded(database, id))?.ended === false
}

/** Deletes the rows of the organisation that a former move has left in the target. */
export async function clearTarget({ id, name, target, keys, progress }: Parts): Promise<void> {
  const found = await findEnded(target.work, id)
  if (found?.ended === false) throw new StartupError(`${name} is in the cell ${target.name} already`)
  await dropSubscription(target.work, id)
  await unguardTables(target.work)
  if (found) await sweep({ id, target, keys, progress })
  // Last: until then background work leaves the rows alone.
  await forgetMove(target.work, id)
}

async function sweep({
  id,
  target,
  keys,
  progress,
}: Pick<Parts, 'id' | 'target' | 'keys' | 'progress'>): Promise<void> {
  const database = target.work
  await sweepOrganisation({ database, seals: openSeals(database, keys) }, id, (rows) =>
    progress.at(0, 1, `deleting rows of a former move, ${rows} so far`),
  )
}

/** Removes the publications and the slot of a move. */
export async function endReplication(source: Database, id: number): Promise<void> {
  await dropPublications(source, id)
  for (let poll = 1; !(await dropSlot(source, id)); poll++) {
    if (poll === SLOT_POLLS) throw new StartupError(`the replication slot purser_move_${id} is still in use`)
    if (poll >= PATIENT_POLLS) await endSender(source, id)
    await sleep(SLOT_POLL_MS)
  }
}
