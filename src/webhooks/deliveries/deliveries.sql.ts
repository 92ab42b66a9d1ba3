import type { Queryable } from '../../database/database.ts'
import { named } from '../../database/lists.ts'
import type { StoredEvent } from '../../events/event.ts'
import { type DeliveryStatusName, type LoggedAttempt, TEST } from './delivery.ts'

/**
 * Inserts a test delivery. It is the only one of its entity, so that it neither waits nor lets others wait. The cursor is
 * locked so that the times of an endpoint's deliveries never fall along their ids.
 */
export async function insertTest(
  transaction: Queryable,
  test: { endpointId: number; organisationId: number; testId: string; body: string },
): Promise<void> {
  await transaction.query(`select from webhook_cursor where endpoint_id = $1::bigint for no key update`, [
    test.endpointId,
  ])
  await transaction.query(
    `insert into webhook_delivery (endpoint_id, organisation_id, test_id, body, entity, status, created_at, due_at)
     select $1::bigint, $2::bigint, $3::text, $4::text, $3::text, 'Pending', now, now
     from (select bank_time($2::bigint) as now) t`,
    [test.endpointId, test.organisationId, test.testId, test.body],
  )
}

export interface DeliveryRow {
  id: number
  endpointId: number
  organisationId: number
  sequence: number | null
  testId: string | null
  /** The history of the database in which the event was written. */
  history: string | null
  type: string | null
  status: DeliveryStatusName
  createdAt: string
  dueAt: string
  log: LoggedAttempt[]
}

/** An event by its number, or a test by its id. */
export type EventRef = Pick<StoredEvent, 'sequence' | 'history'> | { testId: string }

export interface DeliveryFilter {
  endpointIds: number[]
  status: DeliveryStatusName | null
  since: string | null
  until: string | null
  /** Whether the latest attempt was not accepted. */
  failing?: boolean | undefined
  event?: EventRef | undefined
  /** A type of event, or all types of a kind of record, such as `payment.*`. */
  eventType?: string | undefined
}

export interface DeliveryWindow {
  take: number
  offset: number
  ascending: boolean
  /** The delivery that the list continues after. */
  after: number | null
}

/** Deliveries that one call looks at: 10,000 take some 10 ms. Those whose events are read as well take ten times as long. */
const MAX_LOOKED_AT = 10_000
const MAX_EVENTS_READ = 1_000
/** Of each endpoint, however many there are. */
const MIN_LOOKED_AT = 10

/**
 * Lists deliveries in the order of their ids, which is that of their times within an endpoint. A call looks at a bounded
 * number of them, the same at each endpoint, so that a filter that matches few does not read all that there ever were. It
 * goes no further than it has looked at every endpoint. `matched` counts those that the filter matches, and `lookedTo` is
 * the last one if there may be more.
 */
export async function listDeliveryRows(
  database: Queryable,
  filter: DeliveryFilter,
  { take, offset, ascending, after }: DeliveryWindow,
  maxLookedAt = readsEvents(filter) ? MAX_EVENTS_READ : MAX_LOOKED_AT,
): Promise<{ rows: DeliveryRow[]; matched: number; lookedTo: number | null }> {
  const { endpointIds, failing, event, eventType = null } = filter
  const order = `id ${ascending ? '' : 'desc'}`
  const [last, further] = ascending ? ['max', 'min'] : ['min', 'max']
  const text = `with bounds as materialized (
       select endpoint_id, case when $since::timestamptz is null then 0 else webhook_delivery_at(endpoint_id, $since) end as low,
         case when $until::timestamptz is null then 9223372036854775807 else webhook_delivery_at(endpoint_id, $until) end as high
       from unnest($endpointIds::bigint[]) endpoint_id),
     looked_at as materialized (
       select d.* from bounds b cross join lateral (
         select endpoint_id, id, organisation_id, status, created_at, sequence, entity,
           ${failing === undefined ? 'null::boolean' : hasFailed} as failing
         from webhook_delivery
         where endpoint_id = b.endpoint_id and id > b.low and id <= b.high and ${eventClause(event)}
           and ($after::bigint is null or id ${ascending ? '>' : '<'} $after)
         order by ${order} limit $most) d),
     horizon as materialized (
       select ${further}(last) as last from (
         select ${last}(id) as last from looked_at group by endpoint_id having count(*) = $most) l),
     matching as materialized (
       select d.endpoint_id, d.id from looked_at d cross join horizon h
       where (h.last is null or d.id ${ascending ? '<=' : '>='} h.last)
         and ($status::text is null or d.status = $status) ${failing === undefined ? '' : failing ? 'and d.failing' : 'and not d.failing'}
         and ($until::timestamptz is null or d.created_at < $until)
         and ${typeClause(eventType)})
     select d.id, d.endpoint_id as "endpointId", d.organisation_id as "organisationId", d.sequence, d.test_id as "testId",
       v.type, v.history, d.status, d.created_at as "createdAt", d.due_at as "dueAt", d.log, l.matched, l.last as "lookedTo"
     from (select h.last, (select count(*) from matching) as matched from horizon h) l
     left join (select endpoint_id, id from matching order by ${order} limit $take offset $offset) f on true
     left join webhook_delivery d on d.endpoint_id = f.endpoint_id and d.id = f.id
     left join lateral event_at(d.organisation_id, d.sequence) v on true
     order by f.${order}`
  const most = Math.max(MIN_LOOKED_AT, Math.floor(maxLookedAt / Math.max(1, endpointIds.length)))
  const rows = await database.query<DeliveryRow & { matched: number; lookedTo: number | null }>(
    ...named(text, { take, offset, after, most }, event ?? {}, filter),
    'once',
  )
  const { matched = 0, lookedTo = null } = rows[0] ?? {}
  return { rows: rows.filter(({ id }) => id !== null), matched, lookedTo }
}

/** Whether the latest attempt was not accepted. The log of a success, as most have it, is not read. */
const hasFailed = `case when status = 'Succeeded' then false else coalesce(log -> -1 ->> 'status' = 'Failed', false) end`

/** Whether the type of each event decides, and not only the kind of its record, which the delivery has. */
function readsEvents({ eventType }: DeliveryFilter): boolean {
  return eventType !== undefined && !eventType.endsWith('*')
}

/** The condition on the event, each with an index. */
function eventClause(event: EventRef | undefined): string {
  if (!event) return 'true'
  return 'sequence' in event
    ? 'sequence = $sequence::bigint'
    : 'id = (select t.id from webhook_delivery t where t.test_id = $testId::text)'
}

/** The condition on the type. The kind of the record excludes most deliveries before an event is read. */
function typeClause(eventType: string | null): string {
  if (eventType === null || eventType === '*') return 'true'
  if (eventType === TEST) return 'd.sequence is null'
  const isOfKind = `d.sequence is not null and split_part(d.entity, '/', 1) = split_part($eventType::text, '.', 1)`
  if (eventType.endsWith('*')) return isOfKind
  return `${isOfKind} and exists (select from event_at(d.organisation_id, d.sequence) v where v.type = $eventType::text)`
}

/** A delivery with its event, for the body. */
export interface DeliveryWithEvent extends Omit<DeliveryRow, 'type'>, Omit<StoredEvent, 'sequence' | 'createdAt'> {
  body: string | null
  eventCreatedAt: string
}

const withEvent = `
  select d.id, d.endpoint_id as "endpointId", d.organisation_id as "organisationId", d.sequence, d.test_id as "testId",
    d.status, d.created_at as "createdAt", d.due_at as "dueAt", d.log, d.body, v.type, v.entity_id as "entityId",
    v.entity_version as "entityVersion", v.created_at as "eventCreatedAt", v.data, v.api_key_id as "apiKeyId",
    v.request_id as "requestId", v.idempotency_key as "idempotencyKey", v.history
  from webhook_endpoint e join webhook_delivery d on d.endpoint_id = e.id
  left join lateral event_at(d.organisation_id, d.sequence) v on true
  where e.organisation_id = $1::bigint and e.deleted_at is null`

export async function findDelivery(
  database: Queryable,
  organisationId: number,
  { endpointId, id }: { endpointId: number; id: number },
): Promise<DeliveryWithEvent | undefined> {
  const [row] = await database.query<DeliveryWithEvent>(
    `${withEvent} and e.id = $2::bigint and d.endpoint_id = $2::bigint and d.id = $3::bigint`,
    [organisationId, endpointId, id],
    'once',
  )
  return row
}

/** The deliveries of one event, or of a test, to all endpoints of an organisation. */
export function findDeliveriesOf(
  database: Queryable,
  organisationId: number,
  event: EventRef,
): Promise<DeliveryWithEvent[]> {
  const isIt = 'sequence' in event ? 'd.sequence = $2::bigint' : 'd.test_id = $2::text'
  const value = 'sequence' in event ? event.sequence : event.testId
  return database.query(`${withEvent} and ${isIt}`, [organisationId, value], 'once')
}

/** Deliveries of one event that are shown beside it. */
const SHOWN_DELIVERIES = 10

/** The first deliveries of each of some events, in the order of the events. */
export function listRowsOfEvents(
  database: Queryable,
  organisationId: number,
  sequences: number[],
): Promise<DeliveryRow[]> {
  return database.query(
    `select d.id, d.endpoint_id as "endpointId", d.organisation_id as "organisationId", d.sequence, d.test_id as "testId",
       v.type, v.history, d.status, d.created_at as "createdAt", d.due_at as "dueAt", d.log
     from unnest($2::bigint[]) n (sequence)
     cross join lateral (
       select t.* from webhook_endpoint e
       cross join lateral (
         select * from webhook_delivery o where o.endpoint_id = e.id and o.sequence = n.sequence limit 1) t
       where e.organisation_id = $1::bigint and e.deleted_at is null
       order by t.id limit ${SHOWN_DELIVERIES}) d
     left join lateral event_at($1::bigint, d.sequence) v on true
     order by n.sequence, d.id`,
    [organisationId, sequences],
    'once',
  )
}
