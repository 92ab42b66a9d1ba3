import { bigint, integer, rowSet, text } from '../database/arrays.ts'
import type { Queryable } from '../database/database.ts'
import type { StoredEvent } from './event.ts'
import type { TypeFilter } from './event-filter.ts'
import type { NewEvent } from './record.ts'

interface Placed extends NewEvent {
  /** How many events of its organisation come behind it. */
  behind: number
}

const counterRows = rowSet<[organisationId: number, count: number]>({
  organisation_id: bigint(([organisationId]) => organisationId),
  count: bigint(([, count]) => count),
})
const eventRows = rowSet<Placed>(
  {
    organisation_id: bigint(({ origin }) => origin.organisationId),
    behind: bigint(({ behind }) => behind),
    type: text(({ event }) => event.type),
    id: text(({ event }) => event.id),
    version: integer(({ event }) => event.version),
    data: text(({ event }) => event.json ?? JSON.stringify(event.data)),
    api_key_id: bigint(({ origin }) => origin.apiKeyId),
    request_id: text(({ origin }) => origin.requestId),
    idempotency_key: text(({ origin }) => origin.idempotencyKey),
  },
  counterRows.next,
)

/** Counters are taken in the order of their ids, and held until COMMIT: numbers follow the order of commits. */
const insertText = `
  with counted as (
    insert into event_counter as c (organisation_id, sequence)
    select * from (${counterRows.select}) n order by organisation_id
    on conflict (organisation_id) do update set sequence = c.sequence + excluded.sequence
    returning c.organisation_id, c.sequence, bank_time(c.organisation_id) as now)
  insert into event (organisation_id, sequence, type, entity_id, entity_version, created_at, data, api_key_id, request_id,
    idempotency_key)
  select n.organisation_id, c.sequence - n.behind, n.type, n.id, n.version, c.now, n.data, n.api_key_id, n.request_id,
    n.idempotency_key
  from (${eventRows.select}) n join counted c on c.organisation_id = n.organisation_id`

/** What cannot be written is thrown at once, and not by the promise. */
export function insertEvents(transaction: Queryable, events: NewEvent[]): Promise<void> {
  const counts = new Map<number, number>()
  for (const { origin } of events) counts.set(origin.organisationId, (counts.get(origin.organisationId) ?? 0) + 1)
  const left = new Map(counts)
  const placed = events.map(({ event, origin }) => {
    const behind = (left.get(origin.organisationId) ?? 0) - 1
    left.set(origin.organisationId, behind)
    return { event, origin, behind }
  })
  const values = [...counterRows.values([...counts]), ...eventRows.values(placed)]
  return transaction.query(insertText, values).then(() => undefined)
}

const columnsOf = `organisation_id as "organisationId", sequence, type, entity_id as "entityId",
  entity_version as "entityVersion", created_at as "createdAt", data, api_key_id as "apiKeyId", request_id as "requestId",
  idempotency_key as "idempotencyKey"`

export function listEventRows(
  database: Queryable,
  { organisationId, after, filter, take }: EventsWanted,
): Promise<StoredEvent[]> {
  return database.query(
    `select ${columnsOf} from event
     where organisation_id = $1::bigint and sequence > $2::bigint
       and ($3::text[] is null or type = any($3) or split_part(type, '.', 1) = any($4::text[]))
     order by sequence limit $5`,
    [organisationId, after, filter?.types ?? null, filter?.entities ?? null, take],
  )
}

interface EventsWanted {
  organisationId: number
  after: number
  filter: TypeFilter | null
  take: number
}

export async function findEventRow(
  database: Queryable,
  organisationId: number,
  sequence: number,
): Promise<StoredEvent | undefined> {
  const [row] = await database.query<StoredEvent>(
    `select ${columnsOf} from event where organisation_id = $1::bigint and sequence = $2::bigint`,
    [organisationId, sequence],
  )
  return row
}

export function findEventCounters(
  database: Queryable,
  organisationIds: number[],
): Promise<{ organisationId: number; sequence: number }[]> {
  return database.query(
    `select organisation_id as "organisationId", sequence from event_counter where organisation_id = any($1::bigint[])`,
    [organisationIds],
  )
}

/** A notice is written like a change; but nobody loses anything by it, so that it need not wait for the disk. */
export async function notifyOfEvents(database: Queryable, channel: string): Promise<void> {
  await database.query(`select set_config('synchronous_commit', 'off', true), pg_notify($1::text, '')`, [channel])
}
