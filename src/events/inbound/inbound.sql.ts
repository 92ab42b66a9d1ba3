import type { Queryable } from '../../database/database.ts'
import type { Arrived } from './inbound.ts'
import type { InboundFault } from './inbound-fault.ts'

/** The ids of reports that were applied before. One that failed is not among them, because it may succeed now. */
export async function findAppliedReports(
  database: Queryable,
  provider: string,
  arrived: Pick<Arrived, 'upstreamId'>[],
): Promise<Set<string>> {
  const rows = await database.query<{ upstreamId: string }>(
    `select upstream_id as "upstreamId" from inbound_event
     where provider = $1::text and upstream_id = any($2::text[]) and fault is null`,
    [provider, arrived.map(({ upstreamId }) => upstreamId)],
  )
  return new Set(rows.map(({ upstreamId }) => upstreamId))
}

/** A report to store, with its fault if it could not be applied. */
export interface StoredReport extends Pick<Arrived, 'upstreamId' | 'type'> {
  fault?: InboundFault
}

/**
 * Stores reports whose ids differ, and returns the ids that are new, or that failed before and are applied now. In the
 * order of the ids, so that two bodies do not deadlock.
 */
export async function storeReports(
  transaction: Queryable,
  provider: string,
  organisationId: number,
  reports: StoredReport[],
): Promise<Set<string>> {
  const rows = await transaction.query<{ upstreamId: string }>(
    `insert into inbound_event as e (provider, organisation_id, upstream_id, type, received_at, fault)
     select $1::text, $2::bigint, n.upstream_id, n.type, clock_timestamp(), n.fault
     from unnest($3::text[], $4::text[], $5::text[]) as n (upstream_id, type, fault) order by n.upstream_id
     on conflict (provider, upstream_id) do update set fault = null, received_at = excluded.received_at
     where e.fault is not null and excluded.fault is null and e.organisation_id = excluded.organisation_id
     returning upstream_id as "upstreamId"`,
    [
      provider,
      organisationId,
      reports.map(({ upstreamId }) => upstreamId),
      reports.map(({ type }) => type),
      reports.map(({ fault }) => fault && JSON.stringify(fault)),
    ],
  )
  return new Set(rows.map(({ upstreamId }) => upstreamId))
}

/**
 * The next versions of an upstream's records of one type, which count the events about each. In the order of the ids, so
 * that two deliveries do not deadlock.
 */
export async function nextVersions(
  transaction: Queryable,
  organisationId: number,
  entityType: string,
  ids: string[],
): Promise<Map<string, number>> {
  const rows = await transaction.query<{ id: string; version: number }>(
    `insert into inbound_version as v (organisation_id, entity_type, entity_id, version)
     select $1::bigint, $2::text, id, 1 from unnest($3::text[]) as id group by id order by id
     on conflict (organisation_id, entity_type, entity_id) do update set version = v.version + 1
     returning entity_id as id, version`,
    [organisationId, entityType, ids],
  )
  return new Map(rows.map(({ id, version }) => [id, version]))
}
