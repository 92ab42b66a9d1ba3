import type { Queryable } from '../../database/database.ts'
import type { TypeFilter } from '../../events/event-filter.ts'

/** Whether there is an endpoint at all, and the ids of some that have not followed to the last event. */
export async function findBehind(database: Queryable, most: number): Promise<{ any: boolean; behind: number[] }> {
  const rows = await database.query<{ id: number | null }>(
    `select b.id from (select exists (select from webhook_endpoint where status = 'Enabled' and deleted_at is null)) a (present)
     left join lateral (
       select e.id from webhook_endpoint e join webhook_cursor c on c.endpoint_id = e.id
       join event_counter n on n.organisation_id = e.organisation_id
       where e.status = 'Enabled' and e.deleted_at is null and c.sequence < n.sequence limit $1) b on true
     where a.present`,
    [most],
  )
  return { any: rows.length > 0, behind: rows.flatMap(({ id }) => id ?? []) }
}

interface Followed {
  organisationId: number
  events: string[]
  sequence: number
  /** How long ago the next event happened. */
  lagSeconds: number
}

/** How far an enabled endpoint has followed; undefined where somebody else is at it. */
export async function lockCursor(transaction: Queryable, endpointId: number): Promise<Followed | undefined> {
  const [row] = await transaction.query<Followed>(
    `select e.organisation_id as "organisationId", e.events, c.sequence,
       coalesce((select greatest(0, extract(epoch from bank_time(v.organisation_id) - v.created_at))::float8
         from event_at(e.organisation_id, c.sequence + 1) v), 0) as "lagSeconds"
     from webhook_cursor c join webhook_endpoint e on e.id = c.endpoint_id
     where c.endpoint_id = $1::bigint and e.status = 'Enabled' and e.deleted_at is null for no key update of c skip locked`,
    [endpointId],
  )
  return row
}

interface FollowOptions {
  filter: TypeFilter | null
  most: number
}

/**
 * Makes a delivery of each of the next events that the endpoint has asked for. In a statement of its own after the
 * lock: what another worker has made in between must be seen. The last page is a value and not joined with: the index
 * then ends at it, however many events are behind it. Planned every time: a plan that was kept from when there were few
 * pages reads all of them.
 */
export async function insertDeliveries(
  transaction: Queryable,
  endpointId: number,
  { organisationId, sequence, filter, most }: Pick<Followed, 'organisationId' | 'sequence'> & FollowOptions,
): Promise<void> {
  await transaction.query(
    `with now as materialized (
       select bank_time($2::bigint) as now, upto, event_page_of($2::bigint, upto) as page
       from (select least($3::bigint + $6::int, n.sequence) from event_counter n where n.organisation_id = $2::bigint) c (upto)),
     made as (
       insert into webhook_delivery (endpoint_id, organisation_id, sequence, entity, status, created_at, due_at)
       select $1::bigint, v.organisation_id, v.sequence, split_part(v.type, '.', 1) || '/' || v.entity_id, 'Pending', now, now
       from now cross join event v
       where v.organisation_id = $2::bigint and v.page > $3::bigint and v.page <= (select page from now)
         and v.sequence > $3::bigint and v.sequence <= (select upto from now)
         and ($4::text[] is null or v.type = any($4) or split_part(v.type, '.', 1) = any($5::text[]))
       order by v.sequence
       on conflict (endpoint_id, sequence) do nothing)
     update webhook_cursor set sequence = now.upto from now where endpoint_id = $1::bigint`,
    [endpointId, organisationId, sequence, filter?.types ?? null, filter?.entities ?? null, most],
    'once',
  )
}
