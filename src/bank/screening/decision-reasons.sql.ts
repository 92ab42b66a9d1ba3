import type { Queryable } from '../../database/database.ts'

export interface DecisionReason {
  organisationId: number
  requestId: string
  /** Type of the event of the decision. */
  action: string
  recordId: number
  /** The customer or the application that the record belongs to. */
  subjectId: number
  reason: string
}

export async function insertReason(transaction: Queryable, given: DecisionReason): Promise<void> {
  await transaction.query(
    `insert into decision_reason (organisation_id, request_id, action, record_id, subject_id, reason)
     values ($1::bigint, $2::text, $3::text, $4::bigint, $5::bigint, $6::text)`,
    [given.organisationId, given.requestId, given.action, given.recordId, given.subjectId, given.reason],
  )
}
