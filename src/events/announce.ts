import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../database/database.ts'
import { notifyOfEvents } from './events.sql.ts'

/** The channel on which processes tell each other that there are new events. */
export const EVENT_CHANNEL = 'purser_event'

/** Tells all processes that events were committed: one hint at a time, however many commits there are meanwhile. */
export function openAnnouncer(database: Database, pauseMs = 20): () => void {
  let resting = false
  let again = false

  async function announce(): Promise<void> {
    resting = true
    again = false
    // A hint that is lost costs those who wait a second: they look by themselves, too.
    await notifyOfEvents(database, EVENT_CHANNEL).catch(() => undefined)
    await sleep(pauseMs)
    resting = false
    if (again) void announce()
  }

  return () => {
    if (resting) again = true
    else void announce()
  }
}
