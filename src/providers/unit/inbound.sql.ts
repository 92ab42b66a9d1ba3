import type { Queryable } from '../../database/database.ts'

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
