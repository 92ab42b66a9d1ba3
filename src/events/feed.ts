import { clock } from '../base/clock.ts'
import { type ConcurrencyLimit, concurrencyLimit } from '../base/concurrency-limit.ts'
import type { Caller, Patience, RecordedEvents } from '../base/operation.ts'
import { Page } from '../base/page.ts'
import { Problem } from '../base/problem.ts'
import type { Database, Queryable } from '../database/database.ts'
import { type Event, envelope, eventId, type StoredEvent, sequenceIn } from './event.ts'
import { type TypeFilter, typeFilter } from './event-filter.ts'
import { findEventCounters, findEventRow, findEventsOfRequest, findEventTypes, listEventRows } from './events.sql.ts'
import type { Events } from './events.ts'
import type { ListEventsQuery } from './list-events.ts'
import { openWaiters, type Waiters } from './waiters.ts'

/** The events of every organisation, and the long polls that wait for the next one. */
export interface Feed extends Pick<Events, 'listEvents' | 'getEvent'>, Pick<Waiters, 'look'> {
  /** The ids of the events in a range that a request caused. */
  eventIds(organisationId: number, requestId: string, range: RecordedEvents): Promise<string[]>
  /** Answers all long polls with what there is; from now on no request waits. */
  release(): void
}

export interface FeedOptions {
  database: Database
  /** Maximum number of long polls at a time; half of the free places go to one organisation. */
  maxWaiting?: number
  pollMs?: number
}

/**
 * Maximum number of events that one call reads to find those of some types. Reading them takes some 10 ms, less than
 * answering a page of 1,000 events, however rare the type and however long the history.
 */
const MAX_EVENTS_READ = 10_000

interface FeedParts {
  database: Database
  waiters: Waiters
  limited: ConcurrencyLimit
}

export function openFeed({ database, maxWaiting = 5_000, pollMs = 1_000 }: FeedOptions): Feed {
  const lookLimit = concurrencyLimit({ total: 2, perOrganisation: 1 })
  const waiters = openWaiters({
    countersOf: (organisationIds) => findEventCounters(database, organisationIds),
    typesOf: (range) => lookLimit(range.organisationId, () => findEventTypes(database, range)),
    maxGap: MAX_EVENTS_READ,
    most: maxWaiting,
    pollMs,
  })
  // Thousands of long polls may wake at once: they must not take all connections of the database.
  const limited = concurrencyLimit({ total: 4, perOrganisation: 2, waitMs: 10_000 })
  const parts = { database, waiters, limited }
  return {
    listEvents: (caller, query, patience) => listEvents(parts, caller, query, patience),
    getEvent: async ({ organisationId }, eventId) => eventOf(await requireEvent(database, organisationId, eventId)),
    eventIds: (organisationId, requestId, range) =>
      limited(organisationId, () => eventIds(database, { organisationId, requestId, range })),
    look: waiters.look,
    release: waiters.release,
  }
}

async function listEvents(
  { database, waiters, limited }: FeedParts,
  { organisationId }: Caller,
  { after = 0, type, limit = 100, wait = 0 }: ListEventsQuery,
  patience: Patience,
): Promise<Page<Event>> {
  const deadlineMs = clock.elapsedMs() + wait * 1_000
  const filter = typeFilter(type)
  const gone = new AbortController()
  if (wait > 0) patience.whenGone(() => gone.abort())
  for (let from = after; ; ) {
    const mark = waiters.mark()
    const position = { organisationId, after: from, filter, limit }
    const { rows, more, readTo } = await limited(organisationId, () => readPage(database, position))
    if (rows.length > 0 || more) return new Page(rows.map(eventOf), more, { after: readTo })
    const leftMs = deadlineMs - clock.elapsedMs()
    if (leftMs <= 0) return new Page([], false)
    const request = { organisationId, from: readTo, filter, mark, ms: leftMs, gone: gone.signal }
    const woken = await patience.during(() => waiters.wait(request))
    if (woken === undefined) return new Page([], false)
    from = woken
  }
}

interface Position {
  organisationId: number
  after: number
  filter: TypeFilter | null
  limit: number
}

/** The next events; whether there may be more, and the number after which these come. */
async function readPage(database: Queryable, { organisationId, after, filter, limit }: Position) {
  // The head is read before the events: all events up to it are visible to the statement that reads them.
  const head = filter ? Math.max(after, await headOf(database, organisationId)) : Number.MAX_SAFE_INTEGER
  const upTo = filter ? Math.min(head, after + MAX_EVENTS_READ) : head
  const found = await listEventRows(database, { organisationId, after, upTo, filter, take: limit + 1 })
  const rows = found.slice(0, limit)
  const last = rows.at(-1)?.sequence ?? after
  if (found.length > limit || !filter) return { rows, more: found.length > limit, readTo: last }
  return { rows, more: upTo < head, readTo: upTo }
}

/** The number of an organisation's latest event. */
async function headOf(database: Queryable, organisationId: number): Promise<number> {
  return (await findEventCounters(database, [organisationId]))[0]?.sequence ?? 0
}

async function eventIds(
  database: Queryable,
  { organisationId, requestId, range }: { organisationId: number; requestId: string; range: RecordedEvents },
): Promise<string[]> {
  const numbers = { organisationId, after: range.first - 1, upTo: Math.min(range.last, range.first + MAX_EVENTS_READ) }
  const found = await findEventsOfRequest(database, requestId, numbers)
  return found.map((sequence) => eventId(organisationId, sequence))
}

/** The event with this id; an id of another organisation is unknown. */
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
