import type { Queryable } from '../../database/database.ts'

/**
 * Locks the cursors of all endpoints of an organisation, as every change of which deliveries are pending does; false if
 * another transaction holds one.
 */
export async function lockCursors(transaction: Queryable, organisationId: number): Promise<boolean> {
  const [row] = await transaction.query<{ all: boolean }>(
    `with locked as materialized (
       select c.endpoint_id from webhook_endpoint e join webhook_cursor c on c.endpoint_id = e.id
       where e.organisation_id = $1::bigint order by c.endpoint_id for no key update of c skip locked)
     select (select count(*) from locked) = (
       select count(*) from webhook_endpoint e join webhook_cursor c on c.endpoint_id = e.id
       where e.organisation_id = $1::bigint) as all`,
    [organisationId],
  )
  return row?.all === true
}

export interface RemovedDelivery {
  endpointId: number
  entity: string
  /** Whether later deliveries of its record may wait for it. */
  first: boolean
}

/** Removes deliveries of the events of an organisation up to a number, also those that are pending. */
export function removeDeliveries(
  transaction: Queryable,
  { organisationId, upTo, most }: { organisationId: number; upTo: number; most: number },
): Promise<RemovedDelivery[]> {
  return transaction.query(
    `delete from webhook_delivery d using (
       select d.endpoint_id, d.id from webhook_endpoint e cross join lateral (
         select d.endpoint_id, d.id from webhook_delivery d
         where d.endpoint_id = e.id and d.sequence <= $2::bigint order by d.sequence limit $3::int) d
       where e.organisation_id = $1::bigint limit $3::int) g
     where d.endpoint_id = g.endpoint_id and d.id = g.id
     returning d.endpoint_id as "endpointId", d.entity, d.status = 'Pending' and not d.blocked as first`,
    [organisationId, upTo, most],
    'once',
  )
}

/** Endpoints that have not come to these events continue after them. */
export async function skipEvents(transaction: Queryable, organisationId: number, upTo: number): Promise<void> {
  await transaction.query(
    `update webhook_cursor c set sequence = $2::bigint from webhook_endpoint e
     where e.id = c.endpoint_id and e.organisation_id = $1::bigint and c.sequence < $2::bigint`,
    [organisationId, upTo],
  )
}
