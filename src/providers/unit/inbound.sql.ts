import type { Queryable } from '../../database/database.ts'

/** The next version of an upstream's record, which counts the events about it. */
export async function nextVersion(
  transaction: Queryable,
  organisationId: number,
  entity: { type: string; id: string },
): Promise<number> {
  const [row] = await transaction.query<{ version: number }>(
    `insert into inbound_version as v (organisation_id, entity_type, entity_id, version)
     values ($1::bigint, $2::text, $3::text, 1)
     on conflict (organisation_id, entity_type, entity_id) do update set version = v.version + 1
     returning version`,
    [organisationId, entity.type, entity.id],
  )
  return row?.version ?? 1
}
