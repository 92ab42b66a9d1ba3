import { clock } from '../base/clock.ts'
import { type ConcurrencyLimit, concurrencyLimit } from '../base/concurrency-limit.ts'
import { type Caller, JsonText, type Patience, type RecordedEvents } from '../base/operation.ts'
import { Page } from '../base/page.ts'
import { Problem } from '../base/problem.ts'
import type { Database, Queryable } from '../database/database.ts'
import type { Entity } from './entity-events.sql.ts'
import { readEntityEvents } from './entity-events.ts'
import { type CompleteEvent, type Event, envelope, eventId, partsOfEventId, type StoredEvent } from './event.ts'
import { lets, type TypeFilter, typeFilter } from './event-filter.ts'
import {
  findEventCounters,
  findEventRow,
  findEventsOfRequest,
  findEventTypes,
  findHistoryStart,
  findKeptEvents,
  type KeptEvents,
  listEventRows,
  listEventRowsBack,
} from './events.sql.ts'
import type { Events } from './events.ts'
import type { ListEventsQuery } from './list-events.ts'
import { readPast, readTransactionEvents } from './past.ts'
import { requireKept } from './position.ts'
import { completeEvents, type ReadFirstStates } from './stored/complete-events.ts'
import { openWaiters, type Waiters } from './waiters.ts'

/** The events of every organisation, and the long polls that wait for the next one. */
export interface Feed
  extends Pick<Events, 'listEvents' | 'getEvent' | 'pastOf' | 'transactionEvents'>,
    Pick<Waiters, 'look'> {
  /** The number of an organisation's latest event. */
  head(organisationId: number): Promise<number>
  /** The ids of the events in a range that a request caused. */
  eventIds(organisationId: number, requestId: string, range: RecordedEvents): Promise<string[]>
  /** Answers all long polls with what there is; from now on no request waits. */
  release(): void
}

export interface FeedOptions {
  database: Database
  readFirstStates: ReadFirstStates
  /** Maximum number of long polls at a time; half of the free places go to one organisation. */
  maxWaiting?: number
  pollMs?: number
  /** The range in which the events of a request are, if it is known. */
  remembered?: ((organisationId: number, requestId: string) => Promise<RecordedEvents | undefined>) | undefined
}

/**
 * Maximum number of events that one call reads to find those of some types. Reading them takes some 10 ms, less than
 * answering a page of 1,000 events, however rare the type and however long the history.
 */
const MAX_EVENTS_READ = 10_000

interface FeedParts extends Pick<FeedOptions, 'database' | 'readFirstStates' | 'remembered'> {
  waiters: Waiters
  limited: ConcurrencyLimit
}

export function openFeed(options: FeedOptions): Feed {
  const { database, readFirstStates, maxWaiting = 5_000, pollMs = 1_000, remembered } = options
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
  const parts = { database, readFirstStates, waiters, limited, remembered }
  return {
    listEvents: (caller, query, patience) => listEvents(parts, caller, query, patience),
    getEvent: async ({ organisationId }, eventId) =>
      eventOf(await requireEvent(database, readFirstStates, organisationId, eventId)),
    pastOf: ({ organisationId }, entity, page) =>
      limited(organisationId, () => readPast(parts, organisationId, entity, page)),
    transactionEvents: ({ organisationId }, wanted) => readTransactionEvents(database, organisationId, wanted),
    head: (organisationId) => headOf(database, organisationId),
    eventIds: (organisationId, requestId, range) =>
      limited(organisationId, () => eventIds(database, { organisationId, requestId, range })),
    look: waiters.look,
    release: waiters.release,
  }
}

async function listEvents(
  parts: FeedParts,
  { organisationId }: Caller,
  query: ListEventsQuery,
  patience: Patience,
): Promise<Page<JsonText<Event>>> {
  const { database, waiters, limited } = parts
  const { after = 0, wait = 0 } = query
  const deadlineMs = clock.elapsedMs() + wait * 1_000
  const isLatest = after === 'latest'
  const gone = new AbortController()
  if (wait > 0) patience.whenGone(() => gone.abort())
  const wanted = wantedOf(organisationId, query)
  for (let from = isLatest ? await headOf(database, organisationId) : after; ; ) {
    const mark = waiters.mark()
    const { rows, next, readTo } = await limited(organisationId, () => readWhole(parts, { ...wanted, after: from }))
    const last = rows.at(-1)?.sequence
    if (last !== undefined || next) {
      return new Page(rows.map(textOf), next !== undefined || isLatest, next ?? { after: last ?? readTo })
    }
    const leftMs = deadlineMs - clock.elapsedMs()
    const request = { organisationId, from: readTo, filter: wanted.filter, mark, ms: leftMs, gone: gone.signal }
    const woken = leftMs > 0 ? await patience.during(() => waiters.wait(request)) : undefined
    if (woken === undefined) return new Page([], isLatest, { after: readTo })
    from = woken
  }
}

/** The events that a call wants, from a position on. */
interface Wanted {
  organisationId: number
  after: number
  /** The number of the last event that may be shown. */
  upTo: number
  descending: boolean
  filter: TypeFilter | null
  requestId: string | undefined
  entity: Entity | undefined
  limit: number
  /** Whether the call waits for events that are still to come. */
  waits: boolean
}

function wantedOf(organisationId: number, query: ListEventsQuery): Omit<Wanted, 'after'> {
  const { before = Number.MAX_SAFE_INTEGER, sort, type, entityType, entityId, requestId, limit = 100, wait = 0 } = query
  return {
    organisationId,
    upTo: before - 1,
    descending: sort === '-sequence',
    filter: typeFilter(wordsOf(type, entityType)),
    requestId,
    entity: entityType === undefined || entityId === undefined ? undefined : { type: entityType, id: entityId },
    limit,
    waits: wait > 0,
  }
}

/** The words of a filter for types and for a kind of record: those that both let through. */
function wordsOf(types: string[] | undefined, kind: string | undefined): string[] | undefined {
  if (kind === undefined) return types
  if (types === undefined || types.includes('*')) return [`${kind}.*`]
  return types.filter((type) => type.startsWith(`${kind}.`))
}

interface FoundEvents<Row = StoredEvent> {
  rows: Row[]
  /** The query parameters of the next page; undefined if there is none. */
  next: Record<string, number> | undefined
  /** The number up to which there is no further event that is wanted. */
  readTo: number
}

/** A page with the data of every event. */
async function readWhole(parts: FeedParts, wanted: Wanted): Promise<FoundEvents<CompleteEvent>> {
  const page = await readPage(parts, wanted)
  return { ...page, rows: await completeEvents(parts.database, parts.readFirstStates, page.rows) }
}

async function readPage(parts: FeedParts, wanted: Wanted): Promise<FoundEvents> {
  const { database } = parts
  const { filter, requestId, entity, descending } = wanted
  if (!filter && requestId === undefined && !entity && !descending) return readForward(database, wanted)
  // The head is read before the events: all events up to it are visible to the statement that reads them.
  const kept = await readKept(database, wanted)
  const page = await readPart(parts, wanted, kept)
  // Events may have expired since then, and the page would miss them.
  if (!descending && wanted.after > 0) await readKept(database, wanted)
  return page
}

/** Reads which events are kept, and refuses a position in the order of the feed whose next events are not among them. */
async function readKept(database: Queryable, { organisationId, after, descending }: Wanted): Promise<KeptEvents> {
  const kept = await findKeptEvents(database, organisationId)
  if (!descending) await requireKept(after, kept, () => findHistoryStart(database, organisationId))
  return kept
}

/** A page of the events that are kept, newest first or those that pass the filters. */
async function readPart(parts: FeedParts, wanted: Wanted, kept: KeptEvents): Promise<FoundEvents> {
  const { database } = parts
  const { organisationId, filter, requestId, entity, descending, limit } = wanted
  // A search from the beginning takes some thousand events a call: it begins with those that are kept.
  const after = Math.max(wanted.after, kept.after)
  const head = Math.max(after, kept.head)
  const upTo = Math.min(head, wanted.upTo)
  if (entity) {
    const { rows, next } = await readEntityEvents(database, entity, { organisationId, after, upTo, descending, limit })
    const fits = ({ type, ...row }: StoredEvent) =>
      (!filter || lets(filter, type)) && (requestId === undefined || row.requestId === requestId)
    return { rows: rows.filter(fits), next, readTo: head }
  }
  const range = await rangeOfRequest(parts, { ...wanted, after, upTo })
  const page = descending ? await readBack(database, range) : await searchForward(database, range)
  return { ...page, readTo: head }
}

/** If the events of a request are known to be, that part of the range; else all of it. */
async function rangeOfRequest({ remembered }: FeedParts, wanted: Wanted): Promise<Wanted> {
  const { organisationId, requestId, after, upTo, waits } = wanted
  const range = requestId === undefined ? undefined : await remembered?.(organisationId, requestId)
  if (!range) return wanted
  return { ...wanted, after: Math.max(after, range.first - 1), upTo: waits ? upTo : Math.min(upTo, range.last) }
}

/** All events of a range, in order. */
async function readForward(database: Queryable, { limit, ...wanted }: Wanted): Promise<FoundEvents> {
  const found = await listEventRows(database, { ...wanted, take: limit + 1 })
  const rows = found.slice(0, limit)
  // The next event proves that the position is right.
  if (rows[0]?.sequence !== wanted.after + 1) await readKept(database, { ...wanted, limit })
  const readTo = rows.at(-1)?.sequence ?? wanted.after
  return { rows, next: found.length > limit ? { after: readTo } : undefined, readTo }
}

/** The events of a range that pass the filters, as far as one call reads. */
async function searchForward(database: Queryable, { limit, ...wanted }: Wanted): Promise<Omit<FoundEvents, 'readTo'>> {
  const upTo = Math.min(wanted.upTo, wanted.after + MAX_EVENTS_READ)
  const found = await listEventRows(database, { ...wanted, upTo, take: limit + 1 })
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  if (found.length > limit && last) return { rows, next: { after: last.sequence } }
  return { rows, next: upTo < wanted.upTo ? { after: upTo } : undefined }
}

/** The same, newest first. */
async function readBack(database: Queryable, { limit, ...wanted }: Wanted): Promise<Omit<FoundEvents, 'readTo'>> {
  const isSearch = wanted.filter !== null || wanted.requestId !== undefined
  const after = isSearch ? Math.max(wanted.after, wanted.upTo - MAX_EVENTS_READ) : wanted.after
  const found = await listEventRowsBack(database, { ...wanted, after, take: limit + 1 })
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  if (found.length > limit && last) return { rows, next: { before: last.sequence } }
  return { rows, next: after > wanted.after ? { before: after + 1 } : undefined }
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
  return found.map((event) => eventId({ organisationId, ...event }))
}

/** The event with this id; an id of another organisation is unknown. */
export async function requireEvent(
  database: Queryable,
  readFirstStates: ReadFirstStates,
  organisationId: number,
  eventId: string,
): Promise<CompleteEvent> {
  const named = partsOfEventId(organisationId, eventId)
  if (!named) throw new Problem('event_not_found')
  const row = await findEventRow(database, organisationId, named.sequence)
  if (!row) {
    const { after } = await findKeptEvents(database, organisationId)
    throw new Problem(named.sequence <= after ? 'event_expired' : 'event_not_found')
  }
  if (row.history !== named.history) throw new Problem('event_not_found')
  const [event] = await completeEvents(database, readFirstStates, [row])
  return event as CompleteEvent
}

/** The event as an answer shows it. */
export function eventOf(row: CompleteEvent): Event {
  return JSON.parse(envelope(row))
}

/** The event as text, which a page of events is put together from without reading its data. */
function textOf(row: CompleteEvent): JsonText<Event> {
  return new JsonText(envelope(row))
}
