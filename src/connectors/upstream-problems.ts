import { BrokenCircuitError } from 'cockatiel'
import { clock } from '../base/clock.ts'
import { type Fault, Problem, UpstreamProblem } from '../base/problem.ts'
import { parseRetryAfter, retryAfter } from '../base/retry-after.ts'
import type { UpstreamReply } from './upstream.ts'

/** The Retry-After of an answer if the upstream names no time. */
const RETRY_MS = 1_000

/** An attempt was not answered in time. */
export class TimedOut extends Error {}

/** The problem of an attempt that failed without a reply. */
export function failureOf(name: string, error: unknown): UpstreamProblem {
  if (error instanceof UpstreamProblem) return error
  if (error instanceof BrokenCircuitError) return unavailable(`${name} does not answer just now.`, RETRY_MS)
  const { code } = error as Error & { code?: string }
  if (error instanceof TimedOut) {
    return new UpstreamProblem('upstream_timeout', { detail: `${name} took too long.`, outcomeUnknown: true })
  }
  // A request that cannot be made is a bug of ours.
  if (error instanceof TypeError || code === 'UND_ERR_INVALID_ARG') throw error
  // The driver's message names hosts and ports, never what was sent. It is for the log.
  const detail = `${name} cannot be reached.`
  return new UpstreamProblem('upstream_error', { detail, outcomeUnknown: !UNSENT.has(code ?? '') })
}

/** Errors of connections that were not made. */
const UNSENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

export function withOutcomeUnknown(problem: UpstreamProblem, workingMs: number): UpstreamProblem {
  const { code, message, errors, headers, lasting } = problem
  const details = { detail: message, ...(errors && { errors }), headers, lasting }
  return new UpstreamProblem(code, { ...details, outcomeUnknown: true, workingMs })
}

export function unavailable(detail: string, retryMs: number): UpstreamProblem {
  return new UpstreamProblem('upstream_unavailable', { detail, headers: retryAfter(retryMs / 1_000) })
}

/** The problem for a reply that is not a success; `errors` are those of the upstream. */
export function problemOfReply(name: string, reply: UpstreamReply, errors: Fault[] = []): UpstreamProblem {
  const { status } = reply
  // A missing scope lasts, and the upstream says so. 403 without a reason comes from a gateway that blocks us for a while.
  const lasting = isLasting(status) && (status !== 403 || errors.length > 0)
  const details = { ...(errors.length > 0 && { errors }), lasting }
  if (status === 429 || status === 503) {
    const headers = retryAfter((reply.pausedMs || (retryAfterOf(reply) ?? RETRY_MS)) / 1_000)
    const detail = `${name} takes no more requests just now.`
    return new UpstreamProblem('upstream_unavailable', { ...details, detail, headers })
  }
  if (status === 408 || status === 504)
    return new UpstreamProblem('upstream_timeout', { ...details, detail: `${name} took too long.` })
  const refused = status === 401 || status === 403
  const detail = refused
    ? `${name} refused the credentials that this service is configured with.`
    : `${name} answered with status ${status}.`
  return new UpstreamProblem('upstream_error', { ...details, detail })
}

/** Whether another attempt may succeed after this status. Each such attempt is logged. */
export function isTransient(status: number): boolean {
  return status === 408 || status === 429 || status >= 500
}

/** Whether the same request would be answered with this status again. After 401 it may not: an operator renews the token. */
function isLasting(status: number): boolean {
  return status >= 400 && status < 500 && status !== 401 && !isTransient(status)
}

export function retryAfterOf({ headers }: UpstreamReply): number | undefined {
  return parseRetryAfter(headers['retry-after'], clock.nowMs())
}

/** The body of a reply as JSON; throws if it is not JSON. */
export function jsonOf(name: string, { body }: UpstreamReply): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw unreadable(name, 'the answer is not JSON')
  }
}

/** The problem of a reply that cannot be read. */
export function unreadable(name: string, reason: string): Problem {
  return new Problem('upstream_error', {
    detail: `${name} answered with something that this service does not understand: ${reason}.`,
  })
}
