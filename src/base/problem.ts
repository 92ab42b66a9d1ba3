import type { Fault } from './fault.ts'
import { type ProblemCode, refusals } from './refusals.ts'

export type { Fault, ProblemCode }

/** The limit that a refused payment would exceed. */
export interface LimitLeft {
  /** Whose limit it is. */
  scope: 'account' | 'organisation'
  /** The measure of the limit: the amount of one payment, or of all payments of a UTC day or month in bank time. */
  period: 'payment' | 'day' | 'month'
  /** The limit in cents. */
  limit: number
  /** The rest of it in cents. */
  left: number
}

export interface ProblemOptions {
  detail?: string
  errors?: Fault[]
  headers?: Record<string, string>
  limit?: LimitLeft
  /** The number of the event after which to continue a list whose position is gone. */
  resumeAfter?: number
  /** The reason for the log, which no answer shows. */
  reason?: string
}

/** A refusal. Thrown inside a transaction, it rolls the transaction back. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly status: number
  readonly errors: Fault[] | undefined
  readonly headers: Record<string, string>
  readonly resumeAfter: number | undefined
  readonly limit: LimitLeft | undefined
  readonly reason: string | undefined

  constructor(code: ProblemCode, options: ProblemOptions = {}) {
    super(options.detail ?? refusals[code].detail)
    this.code = code
    this.status = refusals[code].status
    this.errors = options.errors
    this.headers = options.headers ?? {}
    this.resumeAfter = options.resumeAfter
    this.limit = options.limit
    this.reason = options.reason
  }
}

export interface UpstreamProblemOptions extends ProblemOptions {
  outcomeUnknown?: boolean
  lasting?: boolean
  workingMs?: number
}

/** A refusal that an upstream caused. */
export class UpstreamProblem extends Problem {
  /** Whether the request may have had an effect at the upstream. */
  readonly outcomeUnknown: boolean
  /** Whether the same request would fail again for the same reason: the upstream works, and refuses this very request. */
  readonly lasting: boolean
  /** How long the upstream may still work on the request. */
  readonly workingMs: number

  constructor(code: ProblemCode, options: UpstreamProblemOptions = {}) {
    super(code, options)
    this.outcomeUnknown = options.outcomeUnknown ?? false
    this.lasting = options.lasting ?? false
    this.workingMs = options.workingMs ?? 0
  }
}

/** The most faults that one answer lists. */
export const MAX_FAULTS = 1000

/** The refusal of a request with these faults; `more` if further ones were not collected. */
export function invalidRequest(faults: Fault[], more = false): Problem {
  const [first] = faults
  const count = `${more ? 'at least ' : ''}${faults.length} faults`
  const detail = faults.length === 1 && first ? first.message : `The request has ${count}; errors lists them.`
  return new Problem('invalid_request', { detail, errors: faults.slice(0, MAX_FAULTS) })
}
