import type { Queryable } from '../../database/database.ts'
import type { DeliveryAttempt, DeliveryStatusName } from './delivery.ts'

/** Inserts a test delivery. It is the only one of its entity, so that it neither waits nor lets others wait. */
export async function insertTest(
  transaction: Queryable,
  test: { endpointId: number; organisationId: number; testId: string; body: string },
): Promise<void> {
  await transaction.query(
    `insert into webhook_delivery (endpoint_id, organisation_id, test_id, body, entity, status, created_at, due_at)
     select $1::bigint, $2::bigint, $3::text, $4::text, $3::text, 'Pending', now, now
     from (select bank_time($2::bigint) as now) t`,
    [test.endpointId, test.organisationId, test.testId, test.body],
  )
}

export interface DeliveryRow {
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

export function listDeliveryRows(
  database: Queryable,
  { endpointId, status, since, until }: DeliveryFilter,
  page: { take: number; offset: number; ascending: boolean },
): Promise<DeliveryRow[]> {
  const order = `id ${page.ascending ? '' : 'desc'}`
  return database.query(
    `select d.organisation_id as "organisationId", d.sequence, d.test_id as "testId", v.type, d.status,
       d.created_at as "createdAt", d.due_at as "dueAt", d.log
     from (
       select * from webhook_delivery
       where endpoint_id = $1::bigint and ($2::text is null or status = $2)
         and ($3::timestamptz is null or created_at > $3) and ($4::timestamptz is null or created_at < $4)
       order by ${order} limit $5 offset $6) d
     left join lateral event_at(d.organisation_id, d.sequence) v on true
     order by d.${order}`,
    [endpointId, status, since, until, page.take, page.offset],
  )
}
