import type { Queryable } from '../database/database.ts'
import type { Arrived } from './inbound.ts'

/** The ids of reports that were applied before. */
export async function findInboundEvents(
  database: Queryable,
  provider: string,
  arrived: Pick<Arrived, 'upstreamId'>[],
): Promise<Set<string>> {
  const rows = await database.query<{ upstreamId: string }>(
    `select upstream_id as "upstreamId" from inbound_event
     where provider = $1::text and upstream_id = any($2::text[])`,
    [provider, arrived.map(({ upstreamId }) => upstreamId)],
  )
  return new Set(rows.map(({ upstreamId }) => upstreamId))
}

/** Stores the ids that are new and returns them. In the order of the ids, so that two bodies do not deadlock. */
export async function insertInboundEvents(
  transaction: Queryable,
  provider: string,
  organisationId: number,
  arrived: Pick<Arrived, 'upstreamId' | 'type'>[],
): Promise<string[]> {
  const rows = await transaction.query<{ upstreamId: string }>(
    `insert into inbound_event (provider, organisation_id, upstream_id, type, received_at)
     select $1::text, $2::bigint, n.upstream_id, n.type, clock_timestamp()
     from unnest($3::text[], $4::text[]) as n (upstream_id, type) order by n.upstream_id
     on conflict (provider, upstream_id) do nothing
     returning upstream_id as "upstreamId"`,
    [provider, organisationId, arrived.map(({ upstreamId }) => upstreamId), arrived.map(({ type }) => type)],
  )
  return rows.map(({ upstreamId }) => upstreamId)
}
