import { setTimeout as sleep } from 'node:timers/promises'
import { clock } from '../../base/clock.ts'
import { type Problem, type ProblemCode, UpstreamProblem } from '../../base/problem.ts'
import { openUpstream, type UpstreamOptions, type UpstreamReply } from '../upstream.ts'
import { problemOfReply, unreadable } from '../upstream-problems.ts'
import { faultOf, isMissing, refusedBy, type UpstreamError, upstreamErrors } from './refusal.ts'
import { Garbled, IncompleteRecord, type LeaveOut } from './resource.ts'

/** One request to Unit. */
export interface UnitCall<Result> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Path and query, below the base URL. */
  path: string
  /** JSON, or the bytes of a file. */
  body?: object | { bytes: Buffer; contentType: string }
  /** Whether it has no second effect when it is sent again. */
  repeatable: boolean
  /** Whether an earlier request may have had the same effect. */
  mayHaveRun?: boolean
  /** The problems that the operation can answer. */
  problems: ProblemCode[]
  /** Uploads take longer. */
  upload?: boolean
  /** When the call must have ended, if it is one of several. */
  deadlineMs?: number
  /** Reads the answer. Records that it leaves out are logged. */
  read(bytes: Buffer, leaveOut: LeaveOut): Result
  /** The result for a missing record, if that is no problem. */
  missing?: () => Result
}

/** The parts of a call that its time limit depends on. */
type TimedCall = Partial<Pick<UnitCall<unknown>, 'method' | 'path' | 'upload'>>

export interface UnitClient {
  /** Calls the upstream, and repeats the call if that is safe and there is time. Throws an UpstreamProblem. */
  call<Result>(call: UnitCall<Result>): Promise<Result>
  /** Logs records that are left out of an answer from this path. */
  leaveOut(path: string): LeaveOut
  /** Time limit of a call with its retries. */
  budgetMs(call: TimedCall): number
  close(): Promise<void>
}

export interface UnitClientOptions {
  url: string
  token: string
  /** The name and version of this service, for Unit's support. */
  userAgent?: string
  requestsPerMinute: number
  timeouts: UnitTimeouts
  /** How long Unit's own rate limit lasts. */
  limitMs?: number
  log: UpstreamOptions['log']
}

/** Time limits of one call, of all calls for one request, and of calls that Unit takes longer for. */
interface UnitTimeouts {
  callMs: number
  totalMs: number
  uploadMs: number
  paymentMs?: number
  applicationMs?: number
}

const NAME = 'Unit'
const MEDIA_TYPE = 'application/vnd.api+json'
/** Attempts at an answer that cannot be read. */
const MAX_GARBLED = 3
const GARBLED_PAUSE_MS = 100
/** Records in one line of the log. */
const MAX_LOGGED = 20
/** Unit counts requests by the minute and does not say when the next one begins. */
const LIMIT_MS = 60_000

export function openUnitClient(options: UnitClientOptions): UnitClient {
  const { url, token, userAgent, requestsPerMinute, timeouts, limitMs = LIMIT_MS, log } = options
  const upstream = openUpstream({ name: NAME, url, callMs: timeouts.callMs, requestsPerMinute, limitMs, log })

  /** The calls for a slow creation may take longer by its own limit, so that a repeated one has its whole time. */
  function budgetMs(call: TimedCall): number {
    if (call.upload) return timeouts.uploadMs
    return timeouts.totalMs + (slowCreationMs(call, timeouts) ?? 0)
  }

  async function call<Result>(order: UnitCall<Result>): Promise<Result> {
    const deadlineMs = order.deadlineMs ?? clock.elapsedMs() + budgetMs(order)
    for (let garbled = 1; ; garbled++) {
      // The answer that could not be read was a success, so that the call may have had its effect, whatever follows.
      const mayHaveRun = order.mayHaveRun || garbled > 1
      const reply = await sent(order, deadlineMs).catch((error: unknown) => {
        if (!(error instanceof UpstreamProblem)) throw error
        throw mayHaveRun || error.outcomeUnknown ? unknown(order, error, error.workingMs) : error
      })
      if (reply.status < 200 || reply.status >= 300) return refused(order, reply, mayHaveRun)
      try {
        return order.read(reply.body, leaveOut(order.path))
      } catch (error) {
        if (!(error instanceof Garbled)) throw error
        log.warn({ upstream: NAME, ...named(order), reason: error.message }, 'upstream answer cannot be read')
        const mayImprove = order.repeatable && !(error instanceof IncompleteRecord)
        const later = clock.elapsedMs() + GARBLED_PAUSE_MS < deadlineMs
        if (!mayImprove || garbled === MAX_GARBLED || !later) throw unknown(order, unreadable(NAME, error.message))
      }
      await sleep(GARBLED_PAUSE_MS)
    }
  }

  function leaveOut(path: string): LeaveOut {
    return (records) => {
      const details = { upstream: NAME, path: withoutQuery(path), omitted: records.length }
      log.warn({ ...details, records: records.slice(0, MAX_LOGGED) }, 'upstream records are left out')
    }
  }

  async function sent(order: UnitCall<unknown>, deadlineMs: number) {
    const { method, path, body, repeatable } = order
    const callMs = order.upload ? timeouts.uploadMs : slowCreationMs(order, timeouts)
    const file = body && 'bytes' in body ? body : undefined
    const headers = {
      authorization: `Bearer ${token}`,
      accept: `${MEDIA_TYPE}, */*;q=0.1`,
      ...(userAgent && { 'user-agent': userAgent }),
      ...(body && { 'content-type': file ? file.contentType : MEDIA_TYPE }),
    }
    const request = {
      method,
      path,
      headers,
      ...(body && { body: file?.bytes ?? JSON.stringify(body) }),
      repeatable,
      // Unit does not describe its answer to an idempotency key that it is working on.
      alone: repeatable && method !== 'GET',
      deadlineMs,
      ...(callMs !== undefined && { callMs }),
    }
    return upstream.call(request)
  }

  function refused<Result>(order: UnitCall<Result>, reply: UpstreamReply, mayHaveRun: boolean): Result {
    // The upstream may repeat our credentials, which must not be passed on.
    const errors = upstreamErrors(reply.body.toString('utf8'), [token])
    if (order.missing && isMissing(reply.status, errors)) return order.missing()
    const reasons = errors.map(({ code, title, supportId }) => ({ code, title, supportId }))
    log.warn({ upstream: NAME, ...named(order), status: reply.status, reasons }, 'upstream call was refused')
    const problem = refusedBy(reply.status, errors, order) ?? faultOfOurs(reply, errors)
    throw mayHaveRun || reply.outcomeUnknown ? unknown(order, problem, reply.workingMs) : problem
  }

  return { call, leaveOut, budgetMs, close: () => upstream.close() }
}

/** The problem of a reply that is not about the caller's request, or gives no reason. */
function faultOfOurs(reply: UpstreamReply, errors: UpstreamError[]): UpstreamProblem {
  const { status } = reply
  const faults = errors.map(faultOf)
  if ([401, 403, 408, 429].includes(status) || status < 400 || status >= 500) return problemOfReply(NAME, reply, faults)
  const detail = `${NAME} refused a request of this service with status ${status}${
    faults.length > 0 ? '' : ' and gave no reason'
  }. The service or its configuration is at fault, not the caller.`
  // A gateway that knows no such path for a moment is not a record that is missing for good.
  const lasting = status !== 404
  return new UpstreamProblem('upstream_error', { detail, lasting, ...(faults.length > 0 && { errors: faults }) })
}

/** The problem of a call that may have had its effect and must not be sent again: its outcome is unknown for good. */
function unknown({ repeatable }: { repeatable: boolean }, problem: Problem, workingMs = 0): UpstreamProblem {
  const { code, message, errors, headers } = problem
  const lasting = problem instanceof UpstreamProblem && problem.lasting
  const details = { ...(errors && { errors }), lasting }
  if (!repeatable) return new UpstreamProblem('upstream_outcome_unknown', { ...details, outcomeUnknown: true })
  return new UpstreamProblem(code, { ...details, detail: message, headers, outcomeUnknown: true, workingMs })
}

/** The time limit of a creation that Unit takes longer for than for other calls. */
function slowCreationMs({ method = 'POST', path }: TimedCall, timeouts: UnitTimeouts): number | undefined {
  if (method !== 'POST') return undefined
  if (path === '/payments') return timeouts.paymentMs
  return path === '/applications' ? timeouts.applicationMs : undefined
}

/** The parts of a call that are logged: ids, but not filters, which may hold an account number. */
function named({ method, path }: UnitCall<unknown>): { method: string; path: string } {
  return { method, path: withoutQuery(path) }
}

function withoutQuery(path: string): string {
  return path.split('?', 1)[0] ?? ''
}
