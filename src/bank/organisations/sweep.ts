import { clock } from '../../base/clock.ts'
import { StartupError } from '../../base/startup-error.ts'
import type { Database } from '../../database/database.ts'
import type { Seals } from '../../secrets/seals.ts'
import { handOverFiles } from '../ach/spread/hand-over-files.ts'
import { endFaultRules } from '../faults/fault-rules.ts'
import { lockClocks, pauseWithoutLimit } from '../time/clock.sql.ts'
import { closeEvents, endOrganisation, lockOrganisation, revokeKeys } from './organisations.sql.ts'
import {
  deleteOrganisations,
  deleteUnattached,
  endedOrganisations,
  markIdle,
  sweepSteps,
  unusedOrganisations,
} from './sweep.sql.ts'

export { organisationTables } from './sweep.sql.ts'

export interface SweepLimits {
  /** Time from the end of an organisation to its deletion: requests and deliveries that are under way end meanwhile. */
  graceMs: number
  /** How long one call may take. A shutdown waits for it. */
  callMs: number
  /** Rows that one statement deletes: it holds their locks until it ends. */
  rows: number
  /** Organisations that are deleted together. */
  organisations: number
}

/** The grace is longer than four times the longest time-out of a webhook, and than any request but an advance of the clock. */
export const SWEEP: SweepLimits = { graceMs: 300_000, callMs: 500, rows: 1_000, organisations: 100 }

/**
 * Deletes the records of organisations that have ended, in short statements that commit one by one: a process that is
 * killed leaves rows behind that the next call deletes. The organisation itself goes last.
 */
export async function sweepOrganisations(
  { database, seals }: { database: Database; seals: Seals },
  limits: Partial<SweepLimits> = {},
): Promise<void> {
  const { graceMs, callMs, rows, organisations } = { ...SWEEP, ...limits }
  const endsMs = clock.elapsedMs() + callMs
  const ended = await endedOrganisations(database, graceMs, organisations)
  if (ended.length === 0) return
  await database.transaction(async (transaction) => {
    // An advance of the clock, or the sweep of another process, holds the lock for as long as it runs.
    const locked: number[] = []
    await pauseWithoutLimit(transaction)
    for (const id of await lockClocks(transaction, ended)) {
      if (await handOverFiles({ database, seals }, id, endsMs)) locked.push(id)
    }
    if (locked.length === 0) return
    let total = 0
    for (const step of sweepSteps) {
      let deleted: number
      do {
        // A call deletes some rows even after its time: the next one begins anew, and might never come further.
        if (total > 0 && clock.elapsedMs() >= endsMs) return
        deleted = await step(database, locked, rows)
        total += deleted
      } while (deleted === rows)
    }
    await deleteOrganisations(database, locked)
  })
}

/**
 * Deletes all records of one organisation that has ended, and the organisation. `deleted` hears how many rows are gone. Refuses
 * if files of the database are sealed with its key and no other organisation could hold them.
 */
export async function sweepOrganisation(
  { database, seals }: { database: Database; seals: Seals },
  id: number,
  deleted: (rows: number) => void = () => undefined,
): Promise<void> {
  if (!(await handOverFiles({ database, seals }, id))) {
    throw new StartupError('the cell has no other organisation that could hold its ACH files: create one there first')
  }
  let total = await deleteUnattached(database, id)
  for (const step of sweepSteps) {
    for (let rows = SWEEP.rows; rows === SWEEP.rows; ) {
      rows = await step(database, [id], SWEEP.rows)
      total += rows
      deleted(total)
    }
  }
  await deleteOrganisations(database, [id])
}

/**
 * Deletes all records of organisations that have ended, but of those whose locks are taken, by the sweep of another process for
 * example. `holder` is another connection, which holds the locks meanwhile. Returns how many organisations are gone.
 */
export async function sweepFree(
  cell: { database: Database; seals: Seals },
  holder: Database,
  ids: number[],
  deleted: (rows: number) => void,
): Promise<number> {
  return holder.transaction(async (transaction) => {
    await pauseWithoutLimit(transaction)
    const locked = await lockClocks(transaction, ids)
    for (const id of locked) await sweepOrganisation(cell, id, deleted)
    return locked.size
  })
}

const EXPIRY_MS = 24 * 3_600_000
/** Longer than the interval at which the uses of keys are stored. */
const IDLE_MS = 300_000
const EXPIRED_TOGETHER = 1_000

/** Ends the made organisations that have not been used for a day, and marks those as idle that are not in use. */
export async function retireOrganisations(database: Database): Promise<void> {
  for (const id of await unusedOrganisations(database, EXPIRY_MS, EXPIRED_TOGETHER)) await expire(database, id)
  await markIdle(database, IDLE_MS)
}

function expire(database: Database, id: number): Promise<void> {
  return database.transaction(async (transaction) => {
    const { ended } = await lockOrganisation(transaction, id)
    if (ended) return
    await endOrganisation(transaction, id)
    await endFaultRules(transaction, id)
    await revokeKeys(transaction, id)
    await closeEvents(transaction, id)
  })
}
