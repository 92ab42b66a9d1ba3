import { bigint, integer, jsonb, rowSet, text } from '../../database/arrays.ts'
import type { Queryable } from '../../database/database.ts'
import type { DeliveryAttempt, deliveryStatuses } from './delivery.ts'

type Status = (typeof deliveryStatuses)[number]

/** A delivery that this worker is to make. */
export interface Claimed {
  endpointId: number
  id: number
  organisationId: number
  lease: string
  /** The last attempts at its endpoint failed. */
  failing: boolean
  url: string
  sealedSecret: Buffer
  /** Null where it signs no longer. */
  sealedPreviousSecret: Buffer | null
  attempts: number
  /** Null for a test. */
  sequence: number | null
  testId: string | null
  body: string | null
  type: string
  entityId: string
  entityVersion: number
  createdAt: string
  data: string
  apiKeyId: number | null
  requestId: string | null
  idempotencyKey: string | null
}

export interface ClaimLimits {
  lease: string
  leaseMs: number
  /** In all. */
  most: number
  /** To endpoints that fail, among all. */
  maxFailing: number
  maxPerEndpoint: number
  /** How many of an endpoint this worker is at already. */
  busy: Map<number, number>
}

/** Behind the five parameters of its statement that are no rows. */
const busyRows = rowSet<[endpointId: number, count: number]>(
  {
    endpoint_id: bigint(([endpointId]) => endpointId),
    count: integer(([, count]) => count),
  },
  6,
)

/**
 * What is due at the endpoints that fail, or at the others. One waits for the earlier ones of its entity at its endpoint,
 * whoever is at them; one whose worker has not come back in time is taken over. The first of an entity is asked for by its
 * minimum, which is one look into an index: `not exists` was planned as a walk over all that waits at the endpoint, for
 * each one taken. The endpoints are shuffled after the join, which would bring them into an order of its own.
 */
const dueAt = (failing: boolean) => `
  select w.*, ${failing} as failing, e.url, e.sealed_secret,
    case when e.previous_secret_until > clock_timestamp() then e.sealed_previous_secret end as sealed_previous_secret
  from (
    select e.*, coalesce(b.count, 0) as under_way
    from webhook_endpoint e left join (${busyRows.select}) b on b.endpoint_id = e.id
    where e.status = 'Enabled' and e.deleted_at is null and e.failing_since is ${failing ? 'not null' : 'null'}
    order by random()) e
  cross join lateral (select bank_time(e.organisation_id) as now) t
  cross join lateral (
    select p.endpoint_id, p.id, p.organisation_id, p.sequence from webhook_delivery p
    where p.endpoint_id = e.id and p.status = 'Pending' and p.due_at <= t.now
      and (p.leased_until is null or p.leased_until < clock_timestamp())
      and p.id = (
        select min(first.id) from webhook_delivery first
        where first.endpoint_id = p.endpoint_id and first.entity = p.entity and first.status = 'Pending')
    order by p.due_at, p.id limit greatest(0, $5::int - e.under_way) for no key update skip locked) w`

/**
 * Takes deliveries that are due. Endpoints that fail go first but get their part alone: the rest is the others'.
 * It is planned every time, like all statements that look for deliveries by their keys: a plan that was kept from
 * when there were few walks along all of them, for each one that it looks for.
 */
export function claimDeliveries(database: Queryable, limits: ClaimLimits): Promise<Claimed[]> {
  const { lease, leaseMs, most, maxFailing, maxPerEndpoint, busy } = limits
  return database.query(
    `update webhook_delivery d
     set lease = $1::uuid, leased_until = clock_timestamp() + make_interval(secs => $2::float8 / 1000)
     from ((${dueAt(true)} limit $4) union all (${dueAt(false)} limit $3) limit $3) c
     left join lateral event_at(c.organisation_id, c.sequence) v on true
     where d.endpoint_id = c.endpoint_id and d.id = c.id
     returning d.endpoint_id as "endpointId", d.id, d.organisation_id as "organisationId", d.lease, c.failing, c.url,
       c.sealed_secret as "sealedSecret", c.sealed_previous_secret as "sealedPreviousSecret", d.attempts,
       d.sequence, d.test_id as "testId", d.body, v.type, v.entity_id as "entityId", v.entity_version as "entityVersion",
       v.created_at as "createdAt", v.data, v.api_key_id as "apiKeyId", v.request_id as "requestId",
       v.idempotency_key as "idempotencyKey"`,
    [lease, leaseMs, most, maxFailing, maxPerEndpoint, ...busyRows.values([...busy])],
    'once',
  )
}

export interface Outcome {
  endpointId: number
  id: number
  lease: string
  status: Status
  /** Until the next attempt, where one is left. */
  delayMs: number
  attempt: DeliveryAttempt
}

const outcomeRows = rowSet<Outcome>({
  endpoint_id: bigint(({ endpointId }) => endpointId),
  id: bigint(({ id }) => id),
  lease: text(({ lease }) => lease),
  status: text(({ status }) => status),
  delay_ms: bigint(({ delayMs }) => Math.round(delayMs)),
  attempt: jsonb(({ attempt }) => JSON.stringify(attempt)),
})

/** Writes what came of attempts; what somebody else has taken over meanwhile is theirs. */
export async function writeOutcomes(database: Queryable, outcomes: Outcome[]): Promise<void> {
  // In one order, as whoever begins deliveries anew takes them.
  const ordered = outcomes.toSorted((a, b) => a.endpointId - b.endpointId || a.id - b.id)
  await database.query(
    `update webhook_delivery d set status = o.status, attempts = d.attempts + 1,
       due_at = bank_time(d.organisation_id) + make_interval(secs => o.delay_ms / 1000.0),
       log = (case when jsonb_array_length(d.log) < $${outcomeRows.next}::int then d.log else d.log - 0 end) || o.attempt,
       lease = null, leased_until = null
     from (${outcomeRows.select}) o
     where d.endpoint_id = o.endpoint_id and d.id = o.id and d.lease = o.lease::uuid`,
    [...outcomeRows.values(ordered), MAX_LOGGED],
    'once',
  )
}

const MAX_LOGGED = 20

type Released = Pick<Claimed, 'endpointId' | 'id' | 'lease'>

const releasedRows = rowSet<Released>({
  endpoint_id: bigint(({ endpointId }) => endpointId),
  id: bigint(({ id }) => id),
  lease: text(({ lease }) => lease),
})

/** Gives back what was taken and not tried. */
export async function releaseDeliveries(database: Queryable, claimed: Released[]): Promise<void> {
  await database.query(
    `update webhook_delivery d set lease = null, leased_until = null
     from (${releasedRows.select}) o
     where d.endpoint_id = o.endpoint_id and d.id = o.id and d.lease = o.lease::uuid`,
    releasedRows.values(claimed),
    'once',
  )
}

/**
 * An event once more to every endpoint that asks for its type, or has got it before. One that has not come to it yet
 * gets it in its turn. What is being sent is let go of: what comes of it is not what was asked for.
 */
export async function redeliver(
  transaction: Queryable,
  event: { organisationId: number; sequence: number; type: string; entityId: string },
): Promise<void> {
  await transaction.query(
    `insert into webhook_delivery as d (endpoint_id, organisation_id, sequence, entity, status, created_at, due_at)
     select e.id, $1::bigint, $2::bigint, split_part($3::text, '.', 1) || '/' || $4::text, 'Pending', t.now, t.now
     from webhook_endpoint e join webhook_cursor c on c.endpoint_id = e.id and c.sequence >= $2::bigint
     cross join (select bank_time($1::bigint) as now) t
     where e.organisation_id = $1::bigint and e.deleted_at is null
       and (e.events && array['*', $3::text, split_part($3::text, '.', 1) || '.*']
         or exists (select from webhook_delivery b where b.endpoint_id = e.id and b.sequence = $2::bigint))
     order by e.id
     on conflict (endpoint_id, sequence) do update
       set status = 'Pending', attempts = 0, due_at = excluded.due_at, lease = null, leased_until = null`,
    [event.organisationId, event.sequence, event.type, event.entityId],
  )
}

/** Begins anew with what failed for good; answers how many, at most so many at a time. */
export async function recoverFailed(
  transaction: Queryable,
  endpointId: number,
  since: string,
  most: number,
): Promise<number> {
  const rows = await transaction.query(
    `update webhook_delivery d set status = 'Pending', attempts = 0, due_at = c.now
     from (
       select f.id, t.now from webhook_delivery f cross join lateral (select bank_time(f.organisation_id) as now offset 0) t
       where f.endpoint_id = $1::bigint and f.status = 'Failed' and f.sequence is not null
         and f.created_at > $2::timestamptz
       order by f.id limit $3 for no key update of f) c
     where d.endpoint_id = $1::bigint and d.id = c.id returning true`,
    [endpointId, since, most],
    'once',
  )
  return rows.length
}

export async function insertTest(
  transaction: Queryable,
  test: { endpointId: number; organisationId: number; testId: string; body: string },
): Promise<void> {
  await transaction.query(
    `insert into webhook_delivery (endpoint_id, organisation_id, test_id, body, entity, status, created_at, due_at)
     select $1::bigint, $2::bigint, $3::text, $4::text, $3::text, 'Pending', now, now
     from (select bank_time($2::bigint) as now) t`,
    [test.endpointId, test.organisationId, test.testId, test.body],
  )
}

export interface DeliveryRow {
  organisationId: number
  sequence: number | null
  testId: string | null
  type: string | null
  status: Status
  createdAt: string
  dueAt: string
  log: DeliveryAttempt[]
}

interface DeliveriesWanted {
  endpointId: number
  status: Status | null
  since: string | null
  until: string | null
}

export function listDeliveryRows(
  database: Queryable,
  { endpointId, status, since, until }: DeliveriesWanted,
  page: { take: number; offset: number; ascending: boolean },
): Promise<DeliveryRow[]> {
  const order = `id ${page.ascending ? '' : 'desc'}`
  return database.query(
    `select d.organisation_id as "organisationId", d.sequence, d.test_id as "testId", v.type, d.status,
       d.created_at as "createdAt", d.due_at as "dueAt", d.log
     from (
       select * from webhook_delivery
       where endpoint_id = $1::bigint and ($2::text is null or status = $2)
         and ($3::timestamptz is null or created_at > $3) and ($4::timestamptz is null or created_at < $4)
       order by ${order} limit $5 offset $6) d
     left join lateral event_at(d.organisation_id, d.sequence) v on true
     order by d.${order}`,
    [endpointId, status, since, until, page.take, page.offset],
  )
}
