import { setTimeout as sleep } from 'node:timers/promises'
import { clock } from '../../base/clock.ts'
import { type Problem, type ProblemCode, UpstreamProblem } from '../../base/problem.ts'
import { openUpstream, problemOfReply, type UpstreamOptions, type UpstreamReply, unreadable } from '../upstream.ts'
import { faultOf, isMissing, refusedBy, upstreamErrors } from './refusal.ts'
import { Garbled } from './resource.ts'

/** One request to the upstream. */
export interface UnitCall<Result> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below the base URL, with its query. */
  path: string
  /** JSON, or the bytes of a file. */
  body?: object | { bytes: Buffer; contentType: string }
  /** Sent again it has no second effect. */
  repeatable: boolean
  /** An earlier request may have had this very effect. */
  mayHaveRun?: boolean
  /** What the operation can refuse with. */
  problems: ProblemCode[]
  /** Uploads take longer. */
  upload?: boolean
  /** When all has to be over, where it is one of several calls. */
  deadlineMs?: number
  read(bytes: Buffer): Result
  /** What a record that is not there means, where it is no refusal. */
  missing?: () => Result
}

export interface UnitClient {
  /** Calls the upstream, again where that is safe and there is time. Throws an UpstreamProblem. */
  call<Result>(call: UnitCall<Result>): Promise<Result>
  /** The longest that a call takes, retries included. */
  budgetMs(call: { upload?: boolean }): number
  close(): Promise<void>
}

export interface UnitClientOptions {
  url: string
  token: string
  requestsPerMinute: number
  timeouts: { callMs: number; totalMs: number; uploadMs: number }
  log: UpstreamOptions['log']
}

const NAME = 'Unit'
const MEDIA_TYPE = 'application/vnd.api+json'
/** How often to ask for what came back unreadable. */
const MAX_GARBLED = 3
const GARBLED_PAUSE_MS = 100

export function openUnitClient({ url, token, requestsPerMinute, timeouts, log }: UnitClientOptions): UnitClient {
  const upstream = openUpstream({ name: NAME, url, callMs: timeouts.callMs, requestsPerMinute, log })
  const budgetMs = ({ upload = false }) => (upload ? timeouts.uploadMs : timeouts.totalMs)

  async function call<Result>(order: UnitCall<Result>): Promise<Result> {
    const deadlineMs = order.deadlineMs ?? clock.elapsedMs() + budgetMs(order)
    for (let garbled = 1; ; garbled++) {
      // What could not be read was a success: whatever follows, it may have had its effect.
      const mayHaveRun = order.mayHaveRun || garbled > 1
      const reply = await sent(order, deadlineMs).catch((error: unknown) => {
        if (!(error instanceof UpstreamProblem)) throw error
        throw mayHaveRun || error.outcomeUnknown ? unknown(order, error) : error
      })
      if (reply.status < 200 || reply.status >= 300) return refused(order, reply, mayHaveRun)
      try {
        return order.read(reply.body)
      } catch (error) {
        if (!(error instanceof Garbled)) throw error
        log.warn({ upstream: NAME, ...named(order), reason: error.message }, 'an upstream answer cannot be read')
        const later = clock.elapsedMs() + GARBLED_PAUSE_MS < deadlineMs
        if (!order.repeatable || garbled === MAX_GARBLED || !later) throw unknown(order, unreadable(NAME))
      }
      await sleep(GARBLED_PAUSE_MS)
    }
  }

  async function sent({ method, path, body, repeatable, upload = false }: UnitCall<unknown>, deadlineMs: number) {
    const file = body && 'bytes' in body ? body : undefined
    const headers = {
      authorization: `Bearer ${token}`,
      accept: `${MEDIA_TYPE}, */*;q=0.1`,
      ...(body && { 'content-type': file ? file.contentType : MEDIA_TYPE }),
    }
    const request = {
      method,
      path,
      headers,
      ...(body && { body: file?.bytes ?? JSON.stringify(body) }),
      repeatable,
      deadlineMs,
      ...(upload && { callMs: timeouts.uploadMs }),
    }
    return upstream.call(request)
  }

  function refused<Result>(order: UnitCall<Result>, reply: UpstreamReply, mayHaveRun: boolean): Result {
    // Whatever the upstream repeats to us, our credentials go no further.
    const errors = upstreamErrors(reply.body.toString('utf8'), [token])
    if (order.missing && isMissing(reply.status, errors)) return order.missing()
    const reasons = errors.map(({ code, title, supportId }) => ({ code, title, supportId }))
    log.warn({ upstream: NAME, ...named(order), status: reply.status, reasons }, 'an upstream call was refused')
    const problem = refusedBy(reply.status, errors, order.problems) ?? problemOfReply(NAME, reply, errors.map(faultOf))
    throw mayHaveRun || reply.outcomeUnknown ? unknown(order, problem) : problem
  }

  return { call, budgetMs, close: () => upstream.close() }
}

/** What may have had an effect and must not be sent again has an outcome that nobody here will learn. */
function unknown({ repeatable }: { repeatable: boolean }, problem: Problem): UpstreamProblem {
  const { code, message, errors, headers } = problem
  const told = errors ? { errors } : {}
  if (!repeatable) return new UpstreamProblem('upstream_outcome_unknown', { ...told, outcomeUnknown: true })
  return new UpstreamProblem(code, { ...told, detail: message, headers, outcomeUnknown: true })
}

/** What the log may know of a call: ids, but no filter, which may hold an account number. */
function named({ method, path }: UnitCall<unknown>): { method: string; path: string | undefined } {
  return { method, path: path.split('?', 1)[0] }
}
