import { bigint, jsonb, rowSet, text } from '../../database/arrays.ts'
import type { Queryable } from '../../database/database.ts'
import type { DeliveryStatusName, LoggedAttempt } from '../deliveries/delivery.ts'

/** The result of one attempt, as it is written. */
export interface Outcome {
  endpointId: number
  id: number
  lease: string
  status: DeliveryStatusName
  /** Time until the next attempt, if there is one. */
  delayMs: number
  attempt: LoggedAttempt
}

const outcomeRows = rowSet<Outcome>({
  endpoint_id: bigint(({ endpointId }) => endpointId),
  id: bigint(({ id }) => id),
  lease: text(({ lease }) => lease),
  status: text(({ status }) => status),
  delay_ms: bigint(({ delayMs }) => Math.round(delayMs)),
  attempt: jsonb(({ attempt }) => JSON.stringify(attempt)),
})

const MAX_LOGGED = 20

/** Hours since 1970. */
const hourNow = `floor(extract(epoch from clock_timestamp()) / 3600)::int`

export interface Ended {
  endpointId: number
  entity: string
}

/**
 * Writes and counts outcomes, and lets the next delivery of each record go whose delivery has ended. An outcome whose lease another
 * worker holds by now is dropped. Returns the endpoints that were written to: one that another transaction has locked is
 * skipped, so that it does not hold up the outcomes of all others.
 */
export async function writeOutcomes(transaction: Queryable, outcomes: Outcome[]): Promise<Set<number>> {
  const rows = await transaction.query<{ endpointId: number; entity: string | null }>(
    `with locked as materialized (
       select endpoint_id from webhook_cursor where endpoint_id = any($${outcomeRows.next + 1}::bigint[])
       order by endpoint_id for no key update skip locked),
     ended as (
       update webhook_delivery d set status = o.status, attempts = d.attempts + 1,
         due_at = bank_time(d.organisation_id) + make_interval(secs => o.delay_ms / 1000.0),
         log = (case when jsonb_array_length(d.log) < $${outcomeRows.next}::int then d.log else d.log - 0 end) || o.attempt,
         lease = null, leased_until = null, blocked = d.blocked and o.status = 'Pending'
       from (${outcomeRows.select}) o join locked l on l.endpoint_id = o.endpoint_id
       where d.endpoint_id = o.endpoint_id and d.id = o.id and d.lease = o.lease::uuid
       returning d.endpoint_id, d.entity, d.status),
     counted as (
       insert into webhook_outcome_hour as h (endpoint_id, slot, hour, succeeded, retried, failed)
       select e.endpoint_id, t.hour % 25, t.hour, count(*) filter (where e.status = 'Succeeded'),
         count(*) filter (where e.status = 'Pending'), count(*) filter (where e.status = 'Failed')
       from ended e cross join (select ${hourNow} as hour) t group by e.endpoint_id, t.hour
       on conflict (endpoint_id, slot) do update set hour = excluded.hour,
         succeeded = excluded.succeeded + case when h.hour = excluded.hour then h.succeeded else 0 end,
         retried = excluded.retried + case when h.hour = excluded.hour then h.retried else 0 end,
         failed = excluded.failed + case when h.hour = excluded.hour then h.failed else 0 end)
     select l.endpoint_id as "endpointId", e.entity
     from locked l left join ended e on e.endpoint_id = l.endpoint_id and e.status <> 'Pending'`,
    [...outcomeRows.values(outcomes), MAX_LOGGED, [...new Set(outcomes.map(({ endpointId }) => endpointId))]],
    'once',
  )
  const ended = rows.flatMap(({ endpointId, entity }) => (entity === null ? [] : { endpointId, entity }))
  if (ended.length > 0) await unblockNext(transaction, ended)
  return new Set(rows.map(({ endpointId }) => endpointId))
}

const endedRows = rowSet<Ended>({
  endpoint_id: bigint(({ endpointId }) => endpointId),
  entity: text(({ entity }) => entity),
})

/**
 * Unblocks the first of the blocked deliveries of a record, unless another one is there to go. A statement of its own, which
 * sees all that was committed before the endpoint was locked. The record is compared as a range: an equality lets the planner
 * walk the primary key, and so all deliveries that the endpoint ever had.
 */
export async function unblockNext(transaction: Queryable, ended: Ended[]): Promise<void> {
  await transaction.query(
    `update webhook_delivery d set blocked = false
     from (
       select e.endpoint_id, (
         select b.id from webhook_delivery b
         where b.endpoint_id = e.endpoint_id and b.entity >= e.entity and b.entity <= e.entity and b.blocked
         order by b.entity, b.id limit 1) as id
       from (select distinct endpoint_id, entity from (${endedRows.select}) r) e
       where (
         select f.id from webhook_delivery f
         where f.endpoint_id = e.endpoint_id and f.entity = e.entity and f.status = 'Pending' and not f.blocked) is null) n
     where d.endpoint_id = n.endpoint_id and d.id = n.id`,
    endedRows.values(ended),
    'once',
  )
}

/** Attempts of the last 24 hours by their outcome, of those endpoints that had any. */
export function countOutcomes(
  database: Queryable,
  endpointIds: number[],
): Promise<{ endpointId: number; succeeded: number; retried: number; failed: number }[]> {
  return database.query(
    `select endpoint_id as "endpointId", sum(succeeded)::int as succeeded, sum(retried)::int as retried,
       sum(failed)::int as failed
     from webhook_outcome_hour
     where endpoint_id = any($1::bigint[]) and hour > ${hourNow} - 24 and hour <= ${hourNow}
     group by endpoint_id`,
    [endpointIds],
  )
}
