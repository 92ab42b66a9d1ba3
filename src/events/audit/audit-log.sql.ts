import type { Queryable } from '../../database/database.ts'

export interface AuditRow {
  at: string
  organisationId: number
  /** Number of the event; null for a denied request. */
  sequence: number | null
  /** Id of the denied request; 0 for an event. */
  denialId: number
  action: string
  entityId: string | null
  apiKeyId: number | null
  apiKeyName: string | null
  /** Set if the key is the seat of a person. */
  personId: number | null
  sessionId: number | null
  seatAddress: string | null
  requestId: string | null
  code: 'unauthorized' | 'forbidden' | null
  path: string | null
  address: string | null
  unwritten: number | null
  /** The history of the database in which the event was written; null in the first one, and for a denied request. */
  history: string | null
  /** The reason of a reviewer or of the screening; null if there is none. */
  reason: string | null
  /** JSON of an event about a person or a look; null for all others. */
  detail: string | null
}

export interface AuditRange {
  organisationId: number
  since: string | null
  until: string | null
  /** The entry that the page continues after, by its number or id; both null for the first page. */
  cursor: { sequence: number | null; denialId: number | null }
}

/**
 * Reads events and denied requests in one order: newest first, and at one millisecond denials before events. Times and
 * the cursor become positions in the two indexes, so that a page reads as many rows as it skips and shows. A cursor that
 * names no entry finds nothing; `isCursorExpired` finds out whether it once did.
 */
export function listAuditRows(
  database: Queryable,
  { organisationId, since, until, cursor }: AuditRange,
  page: { take: number; offset: number },
): Promise<AuditRow[]> {
  return database.query(
    `with start as materialized (
       select case when $6::bigint is not null then (select created_at from event_at($1::bigint, $6))
           when $7::bigint is not null
             then (select created_at from denied_request where organisation_id = $1::bigint and id = $7)
           else 'infinity' end as at),
     edge as materialized (
       select least(at, $3::timestamptz) as at, case when at <= coalesce($3, at) then coalesce($7, 0) else 0 end as denial,
         case when $2::timestamptz is null then 0 else event_sequence_at($1::bigint, $2) end as low,
         least(
           case when at is null then 0 when $6 is not null then $6 - 1
             when $7 is not null then event_sequence_at($1::bigint, at) else 9007199254740991 end,
           case when $3 is null then 9007199254740991
             else event_sequence_at($1::bigint, $3 - interval '1 microsecond') end) as high
       from start),
     entry as (
       (select created_at as at, 0::bigint as denial, sequence, type as action, entity_id, entity_version as version, api_key_id,
          request_id, null as code, null as path, null as address, null::int as unwritten, history,
          case when type ~ '^(person|personalData|auditLog)[.]' then data end as detail
        from edge cross join lateral events_back_from($1::bigint, high, low, $4::bigint + $5::bigint))
       union all
       (select d.created_at, d.id, null, d.operation_id, null, null, d.api_key_id, d.request_id, d.code, d.path, d.address,
          d.unwritten, null, null
        from edge cross join lateral denied_requests_back_from($1::bigint, edge.at, edge.denial,
          coalesce($2::timestamptz, '-infinity'), $4::bigint + $5::bigint) d)
       order by at desc, denial desc, sequence desc limit $4::bigint offset $5::bigint),
     given as materialized (
       select distinct on (request_id, action, record_id) request_id, action, record_id::text as entity_id, reason
       from decision_reason
       where organisation_id = $1::bigint and request_id = any(array(select request_id from entry))
       order by request_id, action, record_id, id desc)
     select n.at, $1::bigint as "organisationId", n.sequence, n.denial as "denialId", n.action, n.entity_id as "entityId",
       n.api_key_id as "apiKeyId", k.name as "apiKeyName",
       k.person_id as "personId", k.session_id as "sessionId", k.address as "seatAddress", n.request_id as "requestId", n.code, n.path, n.address, n.unwritten,
       n.history, n.detail, case when n.action in ('payment.pending', 'payment.sent', 'payment.rejected') and n.request_id is not null then (
         select coalesce(p.departures -> n.version::text ->> 'reviewNote', case
           when r.decision = case n.action when 'payment.rejected' then 'Rejected' else 'Approved' end then p.review_note end)
         from payment_review r join payment p on p.id = r.id
         where r.organisation_id = $1::bigint and r.id = n.entity_id::bigint)
         else g.reason end as reason
     from entry n left join api_key k on k.id = n.api_key_id
     left join given g on g.request_id = n.request_id and g.action = n.action and g.entity_id = n.entity_id
     order by n.at desc, n.denial desc, n.sequence desc`,
    [organisationId, since, until, page.take, page.offset, cursor.sequence, cursor.denialId],
  )
}

/** Whether the entry that a cursor names was deleted, because its time of retention is over. */
export async function isCursorExpired(
  database: Queryable,
  { organisationId, cursor }: Pick<AuditRange, 'organisationId' | 'cursor'>,
): Promise<boolean> {
  const [row] = await database.query<{ expired: boolean }>(
    `select case when $2::bigint is not null then $2 <= events_after
       else $3::bigint <= expired_position('denials', number_range($3))
         and not exists (select from denied_request where organisation_id = $1::bigint and id = $3) end as expired
     from organisation where id = $1::bigint`,
    [organisationId, cursor.sequence, cursor.denialId],
  )
  return row?.expired ?? false
}
