import { bigint, bytea, integer, rowSet, smallint, text } from '../database/arrays.ts'
import type { Queryable } from '../database/database.ts'
import type { StoredEvent } from './event.ts'
import type { TypeFilter } from './event-filter.ts'
import type { NewEvent } from './record.ts'
import { type EventPage, type EventTotal, pagesOf } from './stored/event-pages.ts'

const counterRows = rowSet<EventTotal>({
  organisation_id: bigint(({ organisationId }) => organisationId),
  count: bigint(({ count }) => count),
  digest: bytea(({ digest }) => digest),
})
const pageRows = rowSet<EventPage>(
  {
    organisation_id: bigint(({ organisationId }) => organisationId),
    behind: bigint(({ behind }) => behind),
    count: integer(({ count }) => count),
    events: text(({ events }) => events),
    timed: smallint(({ timed }) => (timed ? 1 : 0)),
  },
  counterRows.next,
)

/**
 * Counters are locked in the order of organisation ids, against deadlocks, and until COMMIT: numbers and links follow the order
 * of commits. `event_time` fails for an organisation that has ended. It is read once after the lock, because pages and link have
 * the same time.
 */
const insertText = `
  with history as materialized (
    select mark, convert_to('/' || coalesce(mark, ''), 'UTF8') as bytes
    from (select (select mark from database_history order by number desc limit 1) as mark) h),
  counted as (
    insert into event_counter as c (organisation_id, sequence, linked_at, digest, link)
    select n.organisation_id, n.count, t.now, n.digest, link_after(
      null, n.organisation_id, 1, n.count, t.now, n.digest || (select bytes from history))
    from (${counterRows.select}) n
    cross join lateral (select event_time(n.organisation_id)::timestamptz(3) as now offset 0) t order by n.organisation_id
    on conflict (organisation_id) do update set (sequence, linked_at, digest, link) = (
      select c.sequence + excluded.sequence, t.now, excluded.digest, link_after(
        c.link, c.organisation_id, c.sequence + 1, c.sequence + excluded.sequence, t.now,
        excluded.digest || (select bytes from history))
      from (select event_time(c.organisation_id)::timestamptz(3) as now offset 0) t)
    returning c.*),
  linked as (
    insert into event_link (organisation_id, last, created_at, count, digest, link, history)
    select c.organisation_id, c.sequence, c.linked_at, n.count, c.digest, c.link, (select coalesce(mark, '') from history)
    from (${counterRows.select}) n join counted c on c.organisation_id = n.organisation_id),
  stored as (
    insert into event_page (organisation_id, last, count, created_at, events, timed, history)
    select n.organisation_id, c.sequence - n.behind, n.count, c.linked_at, n.events, n.timed = 1,
      (select mark from history)
    from (${pageRows.select}) n join counted c on c.organisation_id = n.organisation_id)
  select organisation_id as "organisationId", sequence from counted`

/** Throws at once, and not by the promise, for an event that cannot be encoded. */
export function insertEvents(transaction: Queryable, events: NewEvent[]): Promise<void> {
  const { pages, totals } = pagesOf(events)
  const values = [...counterRows.values(totals), ...pageRows.values(pages)]
  return transaction.query<EventCounter>(insertText, values).then((counters) => noteNumbers(events, totals, counters))
}

/** Notes the numbers that the events got in the writes that ask for them. */
function noteNumbers(events: NewEvent[], totals: EventTotal[], counters: EventCounter[]): void {
  const next = new Map<number, number>()
  for (const { organisationId, sequence } of counters) next.set(organisationId, sequence + 1)
  for (const { organisationId, count } of totals) next.set(organisationId, (next.get(organisationId) ?? 0) - count)
  for (const { origin } of events) {
    const sequence = next.get(origin.organisationId) ?? 0
    next.set(origin.organisationId, sequence + 1)
    if (!origin.recorded) continue
    origin.recorded.first ||= sequence
    origin.recorded.last = sequence
  }
}

/** The columns of an event, by the names of `StoredEvent`. */
export const columnsOf = `organisation_id as "organisationId", sequence, type, entity_id as "entityId",
  entity_version as "entityVersion", created_at as "createdAt", data, api_key_id as "apiKeyId", request_id as "requestId",
  idempotency_key as "idempotencyKey", history`

/** The events of a range that are wanted: of some types, of one request, and how many. */
export interface WantedEvents extends EventRange {
  filter: TypeFilter | null
  /** Only the events of this request; absent for all events. */
  requestId?: string | undefined
  take: number
}

export function listEventRows(
  database: Queryable,
  { organisationId, after, upTo, filter, requestId, take }: WantedEvents,
): Promise<StoredEvent[]> {
  const values = [organisationId, after, upTo, filter?.types ?? null, filter?.entities ?? null, take]
  if (requestId === undefined) {
    return database.query(
      `select ${columnsOf} from events_after($1::bigint, $2::bigint, $3::bigint, $4::text[], $5::text[], $6::bigint)
       order by sequence`,
      values,
    )
  }
  return database.query(
    `select ${columnsOf}
     from events_of_request($1::bigint, $2::bigint, $3::bigint, $4::text[], $5::text[], $7::text, $6::bigint)
     order by sequence`,
    [...values, requestId],
  )
}

/** The same, newest first. */
export function listEventRowsBack(
  database: Queryable,
  { organisationId, after, upTo, filter, requestId, take }: WantedEvents,
): Promise<StoredEvent[]> {
  return database.query(
    `select ${columnsOf}
     from events_before($1::bigint, $2::bigint, $3::bigint, $4::text[], $5::text[], $6::text, $7::bigint)
     order by sequence desc`,
    [organisationId, upTo + 1, after, filter?.types ?? null, filter?.entities ?? null, requestId ?? null, take],
  )
}

/** The events after one number and up to another. */
export interface EventRange {
  organisationId: number
  after: number
  upTo: number
}

export async function findEventTypes(
  database: Queryable,
  { organisationId, after, upTo }: EventRange,
): Promise<string[]> {
  const rows = await database.query<{ type: string }>(
    `select type from event_types_between($1::bigint, $2::bigint, $3::bigint) as type`,
    [organisationId, after, upTo],
  )
  return rows.map(({ type }) => type)
}

/** The numbers and histories of the events in a range that one request caused. */
export async function findEventsOfRequest(
  database: Queryable,
  requestId: string,
  { organisationId, after, upTo }: EventRange,
): Promise<Pick<StoredEvent, 'sequence' | 'history'>[]> {
  return database.query(
    `select sequence, history
     from events_of_request($1::bigint, $2::bigint, $3::bigint, null, null, $4::text, $3::bigint - $2::bigint)
     order by sequence`,
    [organisationId, after, upTo, requestId],
  )
}

export async function findEventRow(
  database: Queryable,
  organisationId: number,
  sequence: number,
): Promise<StoredEvent | undefined> {
  const [row] = await database.query<StoredEvent>(`select ${columnsOf} from event_at($1::bigint, $2::bigint)`, [
    organisationId,
    sequence,
  ])
  return row
}

/** The number of the latest event of an organisation. */
interface EventCounter {
  organisationId: number
  sequence: number
}

export function findEventCounters(database: Queryable, organisationIds: number[]): Promise<EventCounter[]> {
  return database.query(
    `select organisation_id as "organisationId", sequence from event_counter where organisation_id = any($1::bigint[])`,
    [organisationIds],
  )
}

/** The numbers of an organisation's events: those after the first number and up to the second are kept. */
export interface KeptEvents {
  after: number
  head: number
}

export async function findKeptEvents(database: Queryable, organisationId: number): Promise<KeptEvents> {
  const [row] = await database.query<KeptEvents>(
    `select o.events_after as after, coalesce(c.sequence, o.events_after) as head
     from organisation o left join event_counter c on c.organisation_id = o.id where o.id = $1::bigint`,
    [organisationId],
  )
  return row ?? { after: 0, head: 0 }
}

/** The number after which the events of the latest history of the database begin. */
export async function findHistoryStart(database: Queryable, organisationId: number): Promise<number> {
  const [row] = await database.query<{ start: number }>(`select history_start($1::bigint) as start`, [organisationId])
  return row?.start ?? 0
}

/** Sends the hint without waiting for the disk: PostgreSQL commits it like a change, but nothing is lost with it. */
export async function notifyOfEvents(database: Queryable, channel: string): Promise<void> {
  await database.query(`select set_config('synchronous_commit', 'off', true), pg_notify($1::text, '')`, [channel])
}
