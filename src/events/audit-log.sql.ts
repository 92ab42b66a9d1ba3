import type { Queryable } from '../database/database.ts'

export interface AuditRow {
  at: string
  organisationId: number
  /** The event, or null for what was denied. */
  sequence: number | null
  action: string
  entityId: string | null
  apiKeyId: number | null
  apiKeyName: string | null
  requestId: string | null
  code: 'unauthorized' | 'forbidden' | null
  path: string | null
  address: string | null
  unwritten: number | null
}

/**
 * Events and denials in one order: a denial stands behind the event that was the last one then. Both are read along
 * their indexes, so far as the page reaches; times are turned into numbers of events first.
 */
export function listAuditRows(
  database: Queryable,
  { organisationId, since, until }: { organisationId: number; since: string | null; until: string | null },
  page: { take: number; offset: number },
): Promise<AuditRow[]> {
  return database.query(
    `with edge as materialized (
       select case when $2::timestamptz is null then 0 else event_sequence_at($1::bigint, $2) end as low,
         case when $3::timestamptz is null then 9007199254740991
           else event_sequence_at($1::bigint, $3 - interval '1 microsecond') end as high),
     entry as (
       (select created_at as at, sequence as place, 0::bigint as denial, sequence, type as action, entity_id, api_key_id,
          request_id, null as code, null as path, null as address, null::int as unwritten
        from edge cross join lateral events_back_from($1::bigint, high, low, $4::bigint + $5::bigint))
       union all
       (select created_at, after_sequence, id, null, operation_id, null, api_key_id, request_id, code, path, address, unwritten
        from denied_request where organisation_id = $1::bigint
          and ($2::timestamptz is null or created_at > $2) and ($3::timestamptz is null or created_at < $3)
        order by after_sequence desc, id desc limit $4::bigint + $5::bigint)
       order by place desc, denial desc limit $4::bigint offset $5::bigint)
     select n.at, $1::bigint as "organisationId", n.sequence, n.action, n.entity_id as "entityId",
       n.api_key_id as "apiKeyId", k.name as "apiKeyName", n.request_id as "requestId", n.code, n.path, n.address, n.unwritten
     from entry n left join api_key k on k.id = n.api_key_id
     order by n.place desc, n.denial desc`,
    [organisationId, since, until, page.take, page.offset],
  )
}
