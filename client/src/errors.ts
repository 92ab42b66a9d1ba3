import type { Fault, ProblemCode } from './generated/types.ts'

/** The mark of this package's errors. It is the same in every copy of the package, which `instanceof` is not. */
const MARK = Symbol.for('purser.error')

/** The fields of an answer that refuses a request. */
export interface ProblemFields<Code extends string = ProblemCode> {
  /** The reason. Stable: branch on it. */
  code: Code
  /** The status of the response. */
  status: number
  /** The code in words. */
  title: string
  /** The reason in a sentence, for people. */
  detail: string
  /** All faults of an invalid request, or the reasons of a provider; empty if there are none. */
  errors: Fault[]
  /** Names the request in the logs of the service. */
  requestId: string | undefined
  /** The seconds after which the service asks to try again. */
  retryAfter: number | undefined
  /** The value of `after` with which to continue a list of events whose position is gone (410). */
  resumeAfter: number | undefined
  /** The idempotency key of a POST, to call it again after a failure that may pass. */
  idempotencyKey: string | undefined
}

/** The service refused the request. */
export class PurserProblem<Code extends string = ProblemCode> extends Error implements ProblemFields<Code> {
  readonly [MARK] = 'problem'
  override readonly name = 'PurserProblem'
  /** The id of the operation that was called. */
  readonly operation: string
  readonly code: Code
  readonly status: number
  readonly title: string
  readonly detail: string
  readonly errors: Fault[]
  readonly requestId: string | undefined
  readonly retryAfter: number | undefined
  readonly resumeAfter: number | undefined
  readonly idempotencyKey: string | undefined

  /** True of errors of every copy of this package, such as the one inside `purser/testing`. */
  static override [Symbol.hasInstance](error: unknown): boolean {
    return isMarked(error, 'problem')
  }

  constructor(operation: string, fields: ProblemFields<Code>) {
    const faults = fields.errors.map(({ message }) => message).join('; ')
    super(`${operation}: ${fields.code} (${fields.status}): ${faults || fields.detail}`)
    this.operation = operation
    this.code = fields.code
    this.status = fields.status
    this.title = fields.title
    this.detail = fields.detail
    this.errors = fields.errors
    this.requestId = fields.requestId
    this.retryAfter = fields.retryAfter
    this.resumeAfter = fields.resumeAfter
    this.idempotencyKey = fields.idempotencyKey
  }
}

/**
 * No answer of the service arrived: it cannot be reached, took too long, or something else answered in its place.
 * A write may have taken effect; calling it again with the same idempotency key is safe.
 */
export class PurserConnectionError extends Error {
  readonly [MARK] = 'connection'
  override readonly name = 'PurserConnectionError'
  readonly operation: string
  readonly reason: 'unreachable' | 'timeout' | 'unexpected_answer'
  /** The status of an unexpected answer. */
  readonly status: number | undefined
  /** The seconds after which an unexpected answer asks to try again. */
  readonly retryAfter: number | undefined
  /** The idempotency key of a POST, to call it again. */
  readonly idempotencyKey: string | undefined

  /** True of errors of every copy of this package, such as the one inside `purser/testing`. */
  static override [Symbol.hasInstance](error: unknown): boolean {
    return isMarked(error, 'connection')
  }

  constructor(
    operation: string,
    reason: PurserConnectionError['reason'],
    detail: string,
    more: Partial<Pick<PurserConnectionError, 'status' | 'retryAfter' | 'idempotencyKey' | 'cause'>> = {},
  ) {
    super(`${operation}: ${detail}`, { cause: more.cause })
    this.operation = operation
    this.reason = reason
    this.status = more.status
    this.retryAfter = more.retryAfter
    this.idempotencyKey = more.idempotencyKey
  }
}

export type WebhookFault =
  | 'missing_header'
  | 'malformed_header'
  | 'old_timestamp'
  | 'future_timestamp'
  | 'other_secret'
  | 'changed_body'
  | 'wrong_signature'
  | 'malformed_body'

/** A webhook request that must not be trusted. */
export class PurserWebhookError extends Error {
  readonly [MARK] = 'webhook'
  override readonly name = 'PurserWebhookError'
  readonly reason: WebhookFault

  /** True of errors of every copy of this package, such as the one inside `purser/testing`. */
  static override [Symbol.hasInstance](error: unknown): boolean {
    return isMarked(error, 'webhook')
  }

  constructor(reason: WebhookFault, detail: string) {
    super(detail)
    this.reason = reason
  }
}

function isMarked(error: unknown, kind: string): boolean {
  return typeof error === 'object' && error !== null && (error as Record<symbol, unknown>)[MARK] === kind
}

/**
 * Whether an error is a refusal by the service: with one of these codes, or with any if none are given.
 *
 * @example
 * try {
 *   await purser.payments.create(accountId, {
 *     amount: 5_000_000,
 *     counterpartyAccountId,
 *     originalType: 'ACH',
 *     description: 'Car',
 *   })
 * } catch (error) {
 *   if (!isProblem(error, 'insufficient_funds', 'account_not_open')) throw error
 *   console.log(error.code, error.detail, error.requestId)
 * }
 */
export function isProblem<Code extends ProblemCode = ProblemCode>(
  error: unknown,
  ...codes: Code[]
): error is PurserProblem<Code> {
  if (!isMarked(error, 'problem')) return false
  return codes.length === 0 || codes.includes((error as PurserProblem<Code>).code)
}

export function isConnectionError(error: unknown): error is PurserConnectionError {
  return isMarked(error, 'connection')
}

export function isWebhookError(error: unknown): error is PurserWebhookError {
  return isMarked(error, 'webhook')
}
