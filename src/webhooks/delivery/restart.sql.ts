import { bigint, rowSet } from '../../database/arrays.ts'
import type { Queryable } from '../../database/database.ts'

interface Restarted {
  endpointId: number
  id: number
}

const restartedRows = rowSet<Restarted>({
  endpoint_id: bigint(({ endpointId }) => endpointId),
  id: bigint(({ id }) => id),
})

/** The deliveries to restart, with the first of them of each record at each endpoint. */
const restarted = `
  select d.endpoint_id, d.id, d.entity, min(d.id) over (partition by d.endpoint_id, d.entity) as first
  from (${restartedRows.select}) r join webhook_delivery d on d.endpoint_id = r.endpoint_id and d.id = r.id`

/**
 * Makes deliveries pending again, with all their attempts before them. An attempt in flight loses its lease, and its
 * outcome is ignored. The caller holds the locks of the endpoints' cursors.
 */
async function restart(transaction: Queryable, deliveries: Restarted[]): Promise<void> {
  if (deliveries.length === 0) return
  const values = restartedRows.values(deliveries)
  // First, because only one delivery of a record may be unblocked: those that come after a restarted one wait for it.
  await transaction.query(
    `update webhook_delivery f set blocked = true
     from (select distinct endpoint_id, entity, first from (${restarted}) r) n
     where f.endpoint_id = n.endpoint_id and f.entity = n.entity and f.status = 'Pending' and not f.blocked
       and f.id > n.first`,
    values,
    'once',
  )
  await transaction.query(
    `update webhook_delivery d set status = 'Pending', attempts = 0, due_at = n.now, lease = null, leased_until = null,
       blocked = d.id > least(n.first, n.unblocked)
     from (
       select r.*, t.now, (
         select f.id from webhook_delivery f
         where f.endpoint_id = r.endpoint_id and f.entity = r.entity and f.status = 'Pending' and not f.blocked) as unblocked
       from (${restarted}) r
       join webhook_endpoint e on e.id = r.endpoint_id
       cross join lateral (select bank_time(e.organisation_id) as now offset 0) t) n
     where d.endpoint_id = n.endpoint_id and d.id = n.id`,
    values,
    'once',
  )
}

/**
 * Sends an event once more to every endpoint that subscribes to its type, or has received it before. An endpoint that has
 * not come to the event yet receives it in its turn.
 */
export async function redeliver(
  transaction: Queryable,
  event: { organisationId: number; sequence: number; type: string; entityId: string },
): Promise<void> {
  const values = [event.organisationId, event.sequence, event.type]
  const endpoints = await transaction.query<{ id: number }>(
    `select c.endpoint_id as id
     from webhook_cursor c join webhook_endpoint e on e.id = c.endpoint_id
     where e.organisation_id = $1::bigint and e.deleted_at is null and c.sequence >= $2::bigint
       and (e.events && array['*', $3::text, split_part($3::text, '.', 1) || '.*']
         or exists (select from webhook_delivery d where d.endpoint_id = e.id and d.sequence = $2::bigint))
     order by c.endpoint_id for no key update of c`,
    values,
    'once',
  )
  const ids = endpoints.map(({ id }) => id)
  // A new delivery begins as one that has failed, so that it is started in the same way as those that exist.
  await transaction.query(
    `insert into webhook_delivery (endpoint_id, organisation_id, sequence, entity, status, created_at, due_at)
     select id, $1::bigint, $2::bigint, split_part($3::text, '.', 1) || '/' || $4::text, 'Failed', t.now, t.now
     from unnest($5::bigint[]) id cross join (select bank_time($1::bigint) as now) t
     -- The event may have expired until the cursors were locked.
     where exists (select from event_at($1::bigint, $2::bigint))
     order by id
     on conflict (endpoint_id, sequence) do nothing`,
    [...values, event.entityId, ids],
  )
  const deliveries = await transaction.query<Restarted>(
    `select endpoint_id as "endpointId", id from webhook_delivery
     where endpoint_id = any($1::bigint[]) and sequence = $2::bigint`,
    [ids, event.sequence],
    'once',
  )
  await restart(transaction, deliveries)
}

/** Sends one delivery once more. */
export async function redeliverOne(transaction: Queryable, delivery: Restarted): Promise<void> {
  await transaction.query(`select from webhook_cursor where endpoint_id = $1::bigint for no key update`, [
    delivery.endpointId,
  ])
  await restart(transaction, [delivery])
}

/** Locks the cursor of an endpoint and asks for a recovery of the deliveries created after a time that have failed by now. */
export async function requestRecovery(transaction: Queryable, endpointId: number, since: string): Promise<void> {
  // No delivery has the greatest id: whatever was created at that very time comes before it.
  await transaction.query(
    `update webhook_cursor c set
       recover_after = least(c.recover_after, $2::timestamptz),
       recover_after_id = case when c.recover_after <= $2::timestamptz then c.recover_after_id else 9223372036854775807 end,
       recover_through_id = coalesce((select max(id) from webhook_delivery where endpoint_id = $1::bigint), 0)
     where c.endpoint_id = $1::bigint`,
    [endpointId, since],
    'once',
  )
}

/** The number of deliveries that one transaction recovers: 1,000 take some 50 ms. */
const MAX_RECOVERED = 1_000

/**
 * Carries on the recovery of an endpoint by at most `max` deliveries; the caller holds the lock of its cursor. Answers
 * whether there may be more.
 */
export async function recoverSome(
  transaction: Queryable,
  endpointId: number,
  max: number = MAX_RECOVERED,
): Promise<boolean> {
  const [position] = await transaction.query<{ after: string | null; afterId: string; throughId: string }>(
    `select recover_after as after, recover_after_id::text as "afterId", recover_through_id::text as "throughId"
     from webhook_cursor where endpoint_id = $1::bigint`,
    [endpointId],
  )
  if (!position?.after) return false
  const failed = await transaction.query<{ id: number; createdAt: string }>(
    `select id, created_at as "createdAt" from webhook_delivery
     where endpoint_id = $1::bigint and status = 'Failed' and sequence is not null
       and (created_at, id) > ($2::timestamptz, $3::bigint) and id <= $4::bigint
     order by created_at, id limit $5`,
    [endpointId, position.after, position.afterId, position.throughId, max],
    'once',
  )
  await restart(
    transaction,
    failed.map(({ id }) => ({ endpointId, id })),
  )
  const last = failed.length < max ? undefined : failed.at(-1)
  await transaction.query(
    `update webhook_cursor set recover_after = $2::timestamptz, recover_after_id = $3::bigint where endpoint_id = $1::bigint`,
    [endpointId, last?.createdAt ?? null, last?.id ?? 0],
  )
  return last !== undefined
}
