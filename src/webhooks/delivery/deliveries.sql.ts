import type { Queryable } from '../../database/database.ts'
import type { DeliveryAttempt, DeliveryStatusName } from './delivery.ts'

/**
 * Inserts a test delivery. It is the only one of its entity, so that it neither waits nor lets others wait. The cursor is
 * locked so that the times of an endpoint's deliveries never fall along their ids.
 */
export async function insertTest(
  transaction: Queryable,
  test: { endpointId: number; organisationId: number; testId: string; body: string },
): Promise<void> {
  await transaction.query(`select from webhook_cursor where endpoint_id = $1::bigint for no key update`, [
    test.endpointId,
  ])
  await transaction.query(
    `insert into webhook_delivery (endpoint_id, organisation_id, test_id, body, entity, status, created_at, due_at)
     select $1::bigint, $2::bigint, $3::text, $4::text, $3::text, 'Pending', now, now
     from (select bank_time($2::bigint) as now) t`,
    [test.endpointId, test.organisationId, test.testId, test.body],
  )
}

export interface DeliveryRow {
  id: number
  organisationId: number
  sequence: number | null
  testId: string | null
  type: string | null
  status: DeliveryStatusName
  createdAt: string
  dueAt: string
  log: DeliveryAttempt[]
}

export interface DeliveryFilter {
  endpointId: number
  status: DeliveryStatusName | null
  since: string | null
  until: string | null
}

export interface DeliveryWindow {
  take: number
  offset: number
  ascending: boolean
  /** The delivery that the list continues after. */
  after: number | null
}

/** Deliveries that one call looks at: 10,000 take some 10 ms. */
const MAX_LOOKED_AT = 10_000

/**
 * Lists deliveries in the order of their ids, which is that of their times. A call looks at a bounded number of them, so that
 * a filter that matches few does not read all that an endpoint ever had. `matched` counts those that the filter matches, and
 * `lookedTo` is the last one where there may be more.
 */
export async function listDeliveryRows(
  database: Queryable,
  { endpointId, status, since, until }: DeliveryFilter,
  { take, offset, ascending, after }: DeliveryWindow,
  maxLookedAt = MAX_LOOKED_AT,
): Promise<{ rows: DeliveryRow[]; matched: number; lookedTo: number | null }> {
  const order = `id ${ascending ? '' : 'desc'}`
  const rows = await database.query<DeliveryRow & { matched: number; lookedTo: number | null }>(
    `with looked_at as materialized (
       select id, status, created_at from webhook_delivery
       where endpoint_id = $1::bigint
         and ($3::timestamptz is null or id > (select webhook_delivery_at($1::bigint, $3)))
         and ($4::timestamptz is null or id <= (select webhook_delivery_at($1::bigint, $4)))
         and ($7::bigint is null or id ${ascending ? '>' : '<'} $7)
       order by ${order} limit $8),
     matching as materialized (
       select id from looked_at
       where ($2::text is null or status = $2) and ($4::timestamptz is null or created_at < $4))
     select d.id, d.organisation_id as "organisationId", d.sequence, d.test_id as "testId", v.type, d.status,
       d.created_at as "createdAt", d.due_at as "dueAt", d.log, l.matched, l.last as "lookedTo"
     from (
       select case when count(*) = $8 then ${ascending ? 'max' : 'min'}(id) end as last,
         (select count(*) from matching) as matched
       from looked_at) l
     left join (select id from matching order by ${order} limit $5 offset $6) f on true
     left join webhook_delivery d on d.endpoint_id = $1::bigint and d.id = f.id
     left join lateral event_at(d.organisation_id, d.sequence) v on true
     order by f.${order}`,
    [endpointId, status, since, until, take, offset, after, maxLookedAt],
    'once',
  )
  const { matched = 0, lookedTo = null } = rows[0] ?? {}
  return { rows: rows.filter(({ id }) => id !== null), matched, lookedTo }
}
