import { clock } from '../base/clock.ts'
import { Page } from '../base/page.ts'
import { Problem } from '../base/problem.ts'
import type { Database, Queryable } from '../database/database.ts'
import { type Event, envelope, type StoredEvent, sequenceIn } from './event.ts'
import { typeFilter } from './event-filter.ts'
import { findEventCounters, findEventRow, listEventRows } from './events.sql.ts'
import type { Events } from './events.ts'
import { openWaiters, type Waiters } from './waiters.ts'

/** The events of every organisation, and whoever waits for the next one. */
export interface Feed extends Pick<Events, 'listEvents' | 'getEvent'>, Pick<Waiters, 'look'> {
  /** Answers all who wait with what there is; from now on nobody waits. */
  release(): void
}

export interface FeedOptions {
  database: Database
  /** How many may wait at a time; half of them of one organisation. */
  maxWaiting?: number
  pollMs?: number
}

export function openFeed({ database, maxWaiting = 5_000, pollMs = 1_000 }: FeedOptions): Feed {
  const waiters = openWaiters({ countersOf: (ids) => findEventCounters(database, ids), most: maxWaiting, pollMs })

  /** How far the events of an organisation have come. */
  async function headOf(organisationId: number): Promise<number> {
    return (await findEventCounters(database, [organisationId]))[0]?.sequence ?? 0
  }

  return {
    async listEvents({ organisationId }, { after = 0, type, limit = 100, wait = 0 }, patience) {
      const deadlineMs = clock.elapsedMs() + wait * 1_000
      const filter = typeFilter(type)
      const left = new AbortController()
      if (wait > 0) patience.whenGone(() => left.abort())
      for (let from = after; ; ) {
        const mark = waiters.mark()
        // Read before the events: up to here none is of a type that is asked for, and none need be looked at again.
        const head = wait > 0 && filter ? await headOf(organisationId) : 0
        const rows = await listEventRows(database, { organisationId, after: from, filter, take: limit + 1 })
        if (rows.length > 0) return pageOf(rows, limit)
        from = Math.max(from, head)
        const leftMs = deadlineMs - clock.elapsedMs()
        if (leftMs <= 0) return new Page([], false)
        const wish = { organisationId, from, mark, ms: leftMs, gone: left.signal }
        if (!(await patience.during(() => waiters.wait(wish)))) return new Page([], false)
      }
    },

    async getEvent({ organisationId }, eventId) {
      return eventOf(await requireEvent(database, organisationId, eventId))
    },

    look: waiters.look,
    release: waiters.release,
  }
}

/** The event with this id; an id of another organisation's is unknown. */
export async function requireEvent(database: Queryable, organisationId: number, eventId: string): Promise<StoredEvent> {
  const sequence = sequenceIn(organisationId, eventId)
  const row = sequence === undefined ? undefined : await findEventRow(database, organisationId, sequence)
  if (!row) throw new Problem('event_not_found')
  return row
}

/** The event as an answer shows it. */
export function eventOf(row: StoredEvent): Event {
  return JSON.parse(envelope(row))
}

function pageOf(rows: StoredEvent[], limit: number): Page<Event> {
  const shown = rows.slice(0, limit)
  return new Page(shown.map(eventOf), rows.length > limit, { after: shown.at(-1)?.sequence ?? 0 })
}
