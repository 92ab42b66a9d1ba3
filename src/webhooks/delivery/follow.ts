import type { Database } from '../../database/database.ts'
import { typeFilter } from '../../events/event-filter.ts'
import { findBehind, insertDeliveries, lockCursor } from './follow.sql.ts'

export interface Following {
  /** Whether there is an enabled endpoint at all. */
  any: boolean
  /** Whether there was something to follow, for whichever worker. */
  behind: boolean
  /** Whether this one has followed. */
  moved: boolean
  /** The age of the oldest event that was waiting. */
  lagSeconds: number
}

const EVENTS_AT_A_TIME = 1_000
const ENDPOINTS_AT_A_TIME = 100

/** Turns events into deliveries, for every endpoint that is behind and that no other worker is at. */
export async function followEvents(database: Database): Promise<Following> {
  const { any, behind } = await findBehind(database, ENDPOINTS_AT_A_TIME)
  let moved = false
  let lagSeconds = 0
  for (const endpointId of behind) {
    await database.transaction(async (transaction) => {
      const followed = await lockCursor(transaction, endpointId)
      if (!followed) return
      moved = true
      lagSeconds = Math.max(lagSeconds, followed.lagSeconds)
      const filter = typeFilter(followed.events)
      await insertDeliveries(transaction, endpointId, { ...followed, filter, most: EVENTS_AT_A_TIME })
    })
  }
  return { any, behind: behind.length > 0, moved, lagSeconds }
}
