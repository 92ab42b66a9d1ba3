import { Type } from 'typebox'
import { Fault } from '../../base/fault.ts'
import { Problem, type ProblemCode, UpstreamProblem } from '../../base/problem.ts'
import { CommitLost, DatabaseUnavailable, isDatabaseError, isUnstorable } from '../../database/errors.ts'
import { RecordReference } from '../audit/audit-entry.ts'
import type { EntityType, EventDraft } from '../event.ts'

/** The reason for which a report of a provider was not applied, as its event shows it. */
export interface InboundFault {
  code: ProblemCode
  detail: string
  errors?: Fault[]
}

const UpstreamFault = Type.Object(
  {
    code: Type.String({ description: 'The code of the problem', examples: ['upstream_error'] }),
    detail: Type.String({ description: 'The reason in a sentence' }),
    errors: Type.Optional(Type.Array(Fault, { description: 'The reasons that the provider gave' })),
  },
  { $id: 'UpstreamFault', description: 'The reason for which an event of a provider was not applied' },
)

/** An event of a provider that could not be applied. */
export const FailedUpstreamEvent = Type.Object(
  {
    id: Type.String({ description: "The provider's id of the event" }),
    provider: Type.String({ description: 'The provider that sent the event', examples: ['unit'] }),
    type: Type.String({ description: "The provider's type of the event", examples: ['account.created'] }),
    record: Type.Union([RecordReference, Type.Null()], {
      description: 'The record that the event is about; null if it is unknown',
    }),
    fault: UpstreamFault,
  },
  { $id: 'FailedUpstreamEvent', description: 'An event of a provider that could not be applied' },
)

/** The report that failed. */
interface FailedReport {
  provider: string
  upstreamId: string
  type: string
  record?: { type: EntityType; id: string }
}

/** An event is kept for ever, and the first errors of an upstream are enough to find the cause. */
const MAX_ERRORS = 10
/** Refusals that a later attempt may not meet. */
const PASSING = [408, 409, 429]

/**
 * Whether a report that failed with this error would fail again each time the provider repeats it. An error that nobody
 * foresaw is one of these: it is a bug that the same record meets every time, and must not hold up other reports.
 */
export function failsForGood(error: unknown): boolean {
  if (error instanceof UpstreamProblem) return error.lasting
  if (error instanceof Problem) return error.status < 500 && !PASSING.includes(error.status)
  if (error instanceof DatabaseUnavailable || error instanceof CommitLost) return false
  return isDatabaseError(error) ? isUnstorable(error) : true
}

/** The fault of a report. An error that nobody foresaw is described in the log only, because it may quote the record. */
export function faultOf(error: unknown): InboundFault {
  if (error instanceof Problem) {
    const { code, message: detail, errors } = error
    return { code, detail, ...(errors && { errors: errors.slice(0, MAX_ERRORS) }) }
  }
  const detail = isDatabaseError(error)
    ? 'The database refused a value of the record; the log holds the reason.'
    : 'Purser failed to process the record; the log holds the reason.'
  return { code: 'internal_error', detail }
}

/** The event about a report that was not applied. */
export function failedEvent({ provider, upstreamId, type, record }: FailedReport, fault: InboundFault): EventDraft {
  const data = { id: upstreamId, provider, type, record: record ?? null, fault }
  return { type: 'upstreamEvent.failed', id: upstreamId, version: 1, data }
}
