import type { Write } from '../../base/operation.ts'
import type { Queryable } from '../../database/database.ts'
import type { EventType } from '../../events/event.ts'
import { insertReason } from './decision-reasons.sql.ts'

/** A decision about a record, with the reason that its reviewer gave. */
interface ReasonedDecision {
  action: EventType
  recordId: number
  subjectId: number
  reason: string | undefined
}

/** Keeps the reason of a decision for the audit log, which shows it beside the event of the same request. */
export async function keepReason(
  transaction: Queryable,
  { caller, requestId }: Write<never>,
  { reason, ...decision }: ReasonedDecision,
): Promise<void> {
  if (reason === undefined || requestId === null) return
  await insertReason(transaction, { organisationId: caller.organisationId, requestId, ...decision, reason })
}
