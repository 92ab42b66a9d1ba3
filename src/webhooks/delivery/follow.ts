import { clock } from '../../base/clock.ts'
import { type Database, OrganisationMoving } from '../../database/database.ts'
import { typeFilter } from '../../events/event-filter.ts'
import { type EndpointBehind, findBehind, insertDeliveries, lockCursor } from './follow.sql.ts'
import { recoverSome } from './restart.sql.ts'

/** How far the endpoints have followed the events. */
export interface Progress {
  anyEnabled: boolean
  /** Whether an endpoint was behind, for whichever worker. */
  behind: boolean
  /** Whether this worker moved one forward. */
  moved: boolean
  /** Whether another transaction had locked one. */
  locked: boolean
  /** Age of the oldest event that no delivery had been inserted for. */
  lagSeconds: number
}

const EVENTS_AT_A_TIME = 1_000
const ENDPOINTS_AT_A_TIME = 100
/** Nothing is claimed while endpoints follow, so that they do so for this long at a time. */
const MAX_MS = 250

/**
 * Turns events into deliveries, for endpoints that are behind and that no other worker has locked. An endpoint that fails
 * does not keep the others from following.
 */
export async function followEvents(database: Database, failed: (error: Error) => void): Promise<Progress> {
  const { anyEnabled, behind } = await findBehind(database, ENDPOINTS_AT_A_TIME)
  const endMs = clock.elapsedMs() + MAX_MS
  const progress = { anyEnabled, behind: behind.length > 0, moved: false, locked: false, lagSeconds: 0 }
  for (const endpoint of behind) {
    if (clock.elapsedMs() > endMs) break
    try {
      const lagSeconds = await follow(database, endpoint)
      if (lagSeconds === undefined) progress.locked = true
      else progress.moved = true
      progress.lagSeconds = Math.max(progress.lagSeconds, lagSeconds ?? 0)
    } catch (error) {
      // The organisation moves to another database, which follows its events afterwards. If the move is broken off, this one does.
      if (error instanceof OrganisationMoving) progress.locked = true
      else failed(error as Error)
    }
  }
  return progress
}

/** Moves one endpoint forward; returns how far it was behind, or undefined if another worker has locked it. */
function follow(database: Database, { id, behind, recovering }: EndpointBehind): Promise<number | undefined> {
  return database.transaction(async (transaction) => {
    const cursor = await lockCursor(transaction, id)
    if (!cursor) return undefined
    if (recovering) await recoverSome(transaction, id)
    if (behind && cursor.enabled) {
      const filter = typeFilter(cursor.events)
      await insertDeliveries(transaction, id, { ...cursor, filter, max: EVENTS_AT_A_TIME })
    }
    return behind ? cursor.lagSeconds : 0
  })
}
