import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { Problem, type ProblemCode } from '../base/problem.ts'
import { refusals } from '../base/refusals.ts'
import { retryAfter } from '../base/retry-after.ts'
import { CommitLost, DatabaseUnavailable, OrganisationMoving } from '../database/database.ts'
import { knownHolder } from './authenticate.ts'
import type { Log } from './log.ts'

const refusal = Symbol('refusal')
type Refused = FastifyRequest & { [refusal]?: ProblemCode }

/** The code of the problem that a request was answered with. */
export function refusalOf(request: FastifyRequest): ProblemCode | undefined {
  return (request as Refused)[refusal]
}

interface ErrorParts {
  mode: 'sandbox' | 'live'
  log: Log
}

/** The body of the problem for an error. A kind of problem that is in `logged` already is not logged again. */
export type ProblemReporter = (error: unknown, requestId: string, logged: Set<string>) => ReturnType<typeof problemBody>

export function problemReporter({ mode, log }: ErrorParts): ProblemReporter {
  return (error, requestId, logged) => {
    const failure = error as Error
    const problem = problemOf(failure)
    if (!logged.has(problem.code)) logProblem(log, problem, failure, requestId)
    logged.add(problem.code)
    return problemBody(problem, mode, requestId)
  }
}

function logProblem(log: Log, problem: Problem, error: Error, requestId: string, organisationId?: number): void {
  if (problem.code === 'unavailable')
    log.warn({ requestId, organisationId, reason: problem.reason ?? error.message }, 'request refused: not available')
  else if (problem.status >= 500 && problem.status !== 501)
    log.error({ requestId, code: problem.code, err: error }, 'request failed')
}

/** Turns a thrown error into a problem response (RFC 9457). No other place does. */
export function errorHandler({ mode, log }: ErrorParts) {
  return (error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) => {
    const problem = problemOf(error)
    ;(request as Refused)[refusal] = problem.code
    logProblem(log, problem, error, request.id, knownHolder(request)?.organisationId)
    return (
      reply
        .code(problem.status)
        .headers(problem.headers)
        .type(contentType(request.headers.accept))
        // As bytes: Fastify would add a charset to a text, which application/problem+json does not have.
        .send(Buffer.from(JSON.stringify(problemBody(problem, mode, request.id))))
    )
  }
}

export function problemBody(problem: Problem, mode: 'sandbox' | 'live', requestId: string) {
  const refusal: { title: string; sandboxHint?: string } = refusals[problem.code]
  const hint = mode === 'sandbox' && refusal.sandboxHint ? ` ${refusal.sandboxHint}` : ''
  return {
    type: `/docs/errors#${problem.code}`,
    title: refusal.title,
    status: problem.status,
    detail: problem.message + hint,
    code: problem.code,
    requestId,
    ...(problem.errors && { errors: problem.errors }),
    ...(problem.limit && { limit: problem.limit }),
    ...(problem.resumeAfter !== undefined && { resumeAfter: problem.resumeAfter }),
  }
}

const byFastifyCode: Record<string, ProblemCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
}

/** One for all: while a database is away, the stack of a new one for each request would take a tenth of its time. */
const unavailable = new Problem('unavailable', { headers: retryAfter(1) })

/** The problem that a thrown error is answered with. */
export function problemOf(error: FastifyError | Error): Problem {
  if (error instanceof Problem) return error
  if (error instanceof CommitLost) return new Problem('outcome_unknown', { headers: retryAfter(1) })
  if (error instanceof OrganisationMoving) {
    const detail =
      'The organisation is being moved to another database; retry after the number of seconds in Retry-After.'
    return new Problem('unavailable', { detail, headers: retryAfter(1) })
  }
  if (error instanceof DatabaseUnavailable) return unavailable
  // The caller disconnected while it was sending.
  if ('code' in error && error.code === 'ECONNRESET') {
    return new Problem('invalid_request', { detail: 'The request ended before it was complete.' })
  }
  if ('code' in error && error.code.startsWith('FST_')) {
    const code = byFastifyCode[error.code]
    if (code) return new Problem(code)
    if (error.statusCode !== undefined && error.statusCode < 500)
      return new Problem('invalid_request', { detail: error.message })
  }
  return new Problem('internal_error')
}

/** The content type of a problem: application/problem+json, or application/json if the caller accepts only that. */
function contentType(accept: string | undefined): string {
  const types = (accept ?? '*/*').split(',').map((type) => type.split(';')[0]?.trim().toLowerCase())
  const problemWelcome = types.some(
    (type) => type === 'application/problem+json' || type === 'application/*' || type === '*/*',
  )
  return types.includes('application/json') && !problemWelcome
    ? 'application/json; charset=utf-8'
    : 'application/problem+json'
}
