import type { Queryable } from '../../database/database.ts'
import type { HistoryFile, HistoryReview } from '../../tools/history-step.ts'

/** The ACH files in which a payment left and came back. */
export function listFiles(database: Queryable, organisationId: number, paymentId: number): Promise<HistoryFile[]> {
  return database.query(
    `select f.id::text as id, f.name, 'Outgoing' as direction, f.window_at as at, b.id::text as "batchId",
       p.trace_number as "traceNumber"
     from payment p join ach_entry e on e.payment_id = p.id join ach_batch b on b.id = e.batch_id
     join ach_file f on f.id = b.file_id
     where p.id = $2::bigint and p.organisation_id = $1::bigint
     union all
     select f.id::text, f.name, 'Incoming', f.window_at, null, r.trace_number
     from ach_received_entry r join ach_file f on f.id = r.file_id
     where r.payment_id = $2 and r.organisation_id = $1 and r.kind = 'return' and r.outcome = 'applied'`,
    [organisationId, paymentId],
  )
}

/** The ACH files in which a received payment came and went back. */
export function listReceivedFiles(
  database: Queryable,
  organisationId: number,
  receivedPaymentId: number,
): Promise<HistoryFile[]> {
  return database.query(
    `select f.id::text as id, f.name, x.direction, f.window_at as at, x.batch_id::text as "batchId",
       x.trace_number as "traceNumber"
     from received_payment r
     cross join lateral (values
       ('Incoming', r.file_id, null, r.trace_number),
       ('Outgoing', r.return_file_id, r.return_batch_id, r.return_trace)) x (direction, file_id, batch_id, trace_number)
     join ach_file f on f.id = x.file_id
     where r.id = $2::bigint and r.organisation_id = $1::bigint`,
    [organisationId, receivedPaymentId],
  )
}

export async function findReview(
  database: Queryable,
  organisationId: number,
  paymentId: number,
): Promise<HistoryReview | undefined> {
  const [row] = await database.query<HistoryReview>(
    `select reason, decision, decided_at as "decidedAt" from payment_review
     where id = $2::bigint and organisation_id = $1::bigint`,
    [organisationId, paymentId],
  )
  return row
}

/** The reasons that reviewers gave for decisions about a record, in some requests. */
export async function listReasons(
  database: Queryable,
  { organisationId, recordId, requestIds }: { organisationId: number; recordId: number; requestIds: string[] },
): Promise<{ requestId: string; action: string; reason: string }[]> {
  if (requestIds.length === 0) return []
  return database.query(
    `select request_id as "requestId", action, reason from decision_reason
     where organisation_id = $1::bigint and request_id = any($3::text[]) and record_id = $2::bigint order by id desc`,
    [organisationId, recordId, requestIds],
  )
}
