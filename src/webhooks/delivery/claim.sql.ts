import { bigint, integer, rowSet, text } from '../../database/arrays.ts'
import type { Queryable } from '../../database/database.ts'
import type { InFlight } from './in-flight.ts'

/** A delivery that this process has leased. */
export interface Claimed {
  endpointId: number
  id: number
  organisationId: number
  lease: string
  /** Whether the latest attempts at its endpoint failed. */
  failing: boolean
  url: string
  sealedSecret: Buffer
  /** Null once it no longer signs. */
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
  /** Null if it is rendered from the record, and for a test. */
  data: string | null
  apiKeyId: number | null
  requestId: string | null
  idempotencyKey: string | null
  history: string | null
}

export interface ClaimLimits {
  lease: string
  leaseMs: number
  /** Deliveries to claim at most. */
  max: number
  /** Deliveries to failing endpoints among them. */
  maxFailing: number
  /** Deliveries in flight to one endpoint. */
  maxPerEndpoint: number
  /** Deliveries in flight of one organisation, and those among them to failing endpoints. */
  maxPerOrganisation: number
  maxFailingPerOrganisation: number
  /** The deliveries that this process is sending already. */
  inFlight: InFlight
}

/** These row sets follow the seven other parameters of the statement. */
const endpointsInFlight = rowSet<[endpointId: number, count: number]>(
  { endpoint_id: bigint(([endpointId]) => endpointId), count: integer(([, count]) => count) },
  8,
)
const organisationsInFlight = rowSet<[organisationId: number, counts: { all: number; failing: number }]>(
  {
    organisation_id: bigint(([organisationId]) => organisationId),
    all_count: integer(([, { all }]) => all),
    failing_count: integer(([, { failing }]) => failing),
  },
  endpointsInFlight.next,
)

/**
 * Due deliveries to failing endpoints, or to the others. The organisation with the fewest deliveries in flight comes first,
 * so that one with a thousand endpoints does not keep the others waiting. Every level has a limit and stops there. The
 * organisations and endpoints are shuffled in subqueries of their own, because a join does not keep an order.
 */
const dueAt = (failing: boolean) => `
  select w.*, ${failing} as failing
  from (
    select e.organisation_id, bank_time(e.organisation_id) as now,
      coalesce(max(f.${failing ? 'failing_count' : 'all_count'}), 0) as in_flight
    from webhook_endpoint e
    left join (${organisationsInFlight.select}) f on f.organisation_id = e.organisation_id
    where e.status = 'Enabled' and e.deleted_at is null and e.failing_since is ${failing ? 'not null' : 'null'}
      and not is_moving(e.organisation_id)
    group by e.organisation_id
    order by in_flight, random()) o
  cross join lateral (
    select p.*, e.url, e.sealed_secret,
      case when e.previous_secret_until > clock_timestamp() then e.sealed_previous_secret end as sealed_previous_secret
    from (
      select e.*, coalesce(f.count, 0) as in_flight
      from webhook_endpoint e left join (${endpointsInFlight.select}) f on f.endpoint_id = e.id
      where e.organisation_id = o.organisation_id
        and e.status = 'Enabled' and e.deleted_at is null and e.failing_since is ${failing ? 'not null' : 'null'}
      order by random()) e
    cross join lateral (
      select p.endpoint_id, p.id, p.organisation_id, p.sequence from webhook_delivery p
      where p.endpoint_id = e.id and p.status = 'Pending' and not p.blocked and p.due_at <= o.now
        and (p.leased_until is null or p.leased_until < clock_timestamp())
      order by p.due_at, p.id limit greatest(0, $5::int - e.in_flight) for no key update skip locked) p
    limit greatest(0, ${failing ? '$7' : '$6'}::int - o.in_flight)) w`

/**
 * Leases due deliveries, also those whose lease has run out. Failing endpoints go first, up to their share. The statement
 * is planned every time, like all that look for deliveries by their keys: a plan that was kept from when there were few
 * deliveries reads all of them for each one that it looks for.
 */
export function claimDeliveries(database: Queryable, limits: ClaimLimits): Promise<Claimed[]> {
  const { lease, leaseMs, max, maxFailing, maxPerEndpoint, maxPerOrganisation, inFlight } = limits
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
       v.idempotency_key as "idempotencyKey", v.history`,
    [
      lease,
      leaseMs,
      max,
      maxFailing,
      maxPerEndpoint,
      maxPerOrganisation,
      limits.maxFailingPerOrganisation,
      ...endpointsInFlight.values([...inFlight.endpoints]),
      ...organisationsInFlight.values([...inFlight.organisations]),
    ],
    'once',
  )
}

type Released = Pick<Claimed, 'endpointId' | 'id' | 'lease'>

const releasedRows = rowSet<Released>({
  endpoint_id: bigint(({ endpointId }) => endpointId),
  id: bigint(({ id }) => id),
  lease: text(({ lease }) => lease),
})

/** Returns leased deliveries that were not attempted. */
export async function releaseDeliveries(database: Queryable, claimed: Released[]): Promise<void> {
  await database.query(
    `update webhook_delivery d set lease = null, leased_until = null
     from (${releasedRows.select}) o
     where d.endpoint_id = o.endpoint_id and d.id = o.id and d.lease = o.lease::uuid`,
    releasedRows.values(claimed),
    'once',
  )
}
