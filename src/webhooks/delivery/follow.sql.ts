import type { Queryable } from '../../database/database.ts'
import type { TypeFilter } from '../../events/event-filter.ts'

/** An endpoint that has not followed to the latest event, or one whose failed deliveries are being recovered. */
export interface EndpointBehind {
  id: number
  behind: boolean
  recovering: boolean
}

/**
 * Whether any endpoint is enabled, and some that are behind or recovering: first one of each organisation, then a second
 * one of each, so that an organisation with a thousand endpoints does not keep the others waiting. Not those of an organisation that is paused by a move.
 */
export async function findBehind(
  database: Queryable,
  max: number,
): Promise<{ anyEnabled: boolean; behind: EndpointBehind[] }> {
  const rows = await database.query<{ enabled: boolean } & (EndpointBehind | { id: null })>(
    `select a.enabled, b.id, b.behind, b.recovering
     from (select exists (select from webhook_endpoint where status = 'Enabled' and deleted_at is null)) a (enabled)
     left join lateral (
       select w.*, row_number() over (partition by w.organisation_id order by random()) as place
       from (
         select e.organisation_id, e.id, true as behind, false as recovering
         from webhook_endpoint e join webhook_cursor c on c.endpoint_id = e.id
         join event_counter n on n.organisation_id = e.organisation_id
         where e.status = 'Enabled' and e.deleted_at is null and c.sequence < n.sequence
           and not is_moving(e.organisation_id)
         union all
         select e.organisation_id, e.id, false, true
         from webhook_cursor c join webhook_endpoint e on e.id = c.endpoint_id
         where c.recover_after is not null and e.deleted_at is null and not is_moving(e.organisation_id)) w
       order by place, random() limit $1) b on true`,
    [max],
  )
  return {
    anyEnabled: rows.some(({ enabled }) => enabled),
    behind: rows.flatMap((row) => (row.id === null ? [] : row)),
  }
}

interface Cursor {
  organisationId: number
  events: string[]
  sequence: number
  enabled: boolean
  /** Age of the next event. */
  lagSeconds: number
}

/**
 * Locks the cursor of an endpoint; undefined if another transaction has it. This lock is taken by every change of which
 * deliveries of the endpoint are pending, so that exactly the first one of each record is unblocked.
 */
export async function lockCursor(transaction: Queryable, endpointId: number): Promise<Cursor | undefined> {
  const [row] = await transaction.query<Cursor>(
    `select e.organisation_id as "organisationId", e.events, c.sequence, e.status = 'Enabled' as enabled,
       coalesce((select greatest(0, extract(epoch from bank_time(v.organisation_id) - v.created_at))::float8
         from event_at(e.organisation_id, c.sequence + 1) v), 0) as "lagSeconds"
     from webhook_cursor c join webhook_endpoint e on e.id = c.endpoint_id
     where c.endpoint_id = $1::bigint and e.deleted_at is null for no key update of c skip locked`,
    [endpointId],
  )
  return row
}

interface FollowOptions {
  filter: TypeFilter | null
  max: number
}

/**
 * Inserts a delivery for each of the next events that the endpoint subscribes to; the caller holds the lock of its cursor.
 * A statement of its own after the lock, so that it sees the deliveries that another worker has inserted or ended. The last
 * page is a value and not joined with, so that the index is read no further, however many events follow. The delivery that
 * a record waits for is looked up for each event, which takes one index entry: a join could read all that wait. Planned
 * every time: a plan that was kept from when there were few pages reads all of them.
 */
export async function insertDeliveries(
  transaction: Queryable,
  endpointId: number,
  { organisationId, sequence, filter, max }: Pick<Cursor, 'organisationId' | 'sequence'> & FollowOptions,
): Promise<void> {
  await transaction.query(
    `with now as materialized (
       select bank_time($2::bigint) as now, upto, event_page_of($2::bigint, upto) as page
       from (select least($3::bigint + $6::int, n.sequence) from event_counter n where n.organisation_id = $2::bigint) c (upto)),
     next as materialized (
       select v.organisation_id, v.sequence, split_part(v.type, '.', 1) || '/' || v.entity_id as entity
       from event v
       where v.organisation_id = $2::bigint and v.page > $3::bigint and v.page <= (select page from now)
         and v.sequence > $3::bigint and v.sequence <= (select upto from now)
         and ($4::text[] is null or v.type = any($4) or split_part(v.type, '.', 1) = any($5::text[]))),
     inserted as (
       insert into webhook_delivery (endpoint_id, organisation_id, sequence, entity, status, created_at, due_at, blocked)
       select $1::bigint, n.organisation_id, n.sequence, n.entity, 'Pending', now, now,
         row_number() over (partition by n.entity order by n.sequence) > 1 or (
           select f.id from webhook_delivery f
           where f.endpoint_id = $1::bigint and f.entity = n.entity and f.status = 'Pending' and not f.blocked) is not null
       from now cross join next n
       order by n.sequence)
     update webhook_cursor set sequence = now.upto from now where endpoint_id = $1::bigint`,
    [endpointId, organisationId, sequence, filter?.types ?? null, filter?.entities ?? null, max],
    'once',
  )
}
