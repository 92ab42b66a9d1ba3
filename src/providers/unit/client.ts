import { setTimeout as sleep } from 'node:timers/promises'
import { BrokenCircuitError, ConsecutiveBreaker, circuitBreaker, handleWhen } from 'cockatiel'
import { Pool } from 'undici'
import { clock } from '../../base/clock.ts'
import type { ProblemCode } from '../../base/problem.ts'
import { connectionFailure, Failure, problemOf, statusFailure, unavailable } from './failure.ts'
import { openRateLimit } from './rate-limit.ts'
import { isMissing, refusalOf, upstreamErrors } from './refusal.ts'
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
  /** What the operation can refuse with. */
  problems: ProblemCode[]
  /** Uploads take longer. */
  upload?: boolean
  /** When the whole request has to be over, where it is one of several. */
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
  log: { warn(fields: object, message: string): void }
}

/** So many failures in a row open the circuit for a while. */
const FAILURES_IN_A_ROW = 20
const OPEN_MS = 5_000
const MOST_TRIES = 5
const FIRST_BACKOFF_MS = 100
const CONNECTIONS = 128
const MOST_BYTES = 64 * 1024 * 1024
const MEDIA_TYPE = 'application/vnd.api+json'

export function openUnitClient({ url, token, requestsPerMinute, timeouts, log }: UnitClientOptions): UnitClient {
  const { origin, pathname } = new URL(url)
  const basePath = pathname.replace(/\/$/, '')
  const pool = new Pool(origin, {
    connections: CONNECTIONS,
    connectTimeout: timeouts.callMs,
    maxResponseSize: MOST_BYTES,
  })
  const limit = openRateLimit(requestsPerMinute)
  // A refusal is an answer like any other; only what the upstream fails at counts.
  const circuit = circuitBreaker(
    handleWhen((error) => error instanceof Failure && error.kind !== 'busy'),
    { halfOpenAfter: OPEN_MS, breaker: new ConsecutiveBreaker(FAILURES_IN_A_ROW) },
  )

  const budgetMs = ({ upload = false }) => (upload ? timeouts.uploadMs : timeouts.totalMs)

  async function call<Result>(order: UnitCall<Result>): Promise<Result> {
    const deadlineMs = order.deadlineMs ?? clock.elapsedMs() + budgetMs(order)
    let outcomeUnknown = false
    for (let tries = 1; ; tries++) {
      const startMs = limit.reserve(clock.elapsedMs(), deadlineMs)
      if (startMs === undefined) throw unavailable(deadlineMs - clock.elapsedMs(), outcomeUnknown)
      await pause(startMs - clock.elapsedMs())
      try {
        const outcome = await circuit.execute(() => attempt(order, deadlineMs))
        if ('refused' in outcome) throw outcome.refused
        return outcome.result
      } catch (error) {
        if (error instanceof BrokenCircuitError) throw unavailable(OPEN_MS, outcomeUnknown)
        if (!(error instanceof Failure)) throw error
        outcomeUnknown ||= error.mayHaveRun
        log.warn(
          { upstream: 'unit', ...named(order), kind: error.kind, reason: error.message, tries },
          'upstream failed',
        )
        const again = tries < MOST_TRIES && (order.repeatable || !error.mayHaveRun)
        const delayMs = error.retryAfterMs ?? backoffMs(tries)
        if (!again || clock.elapsedMs() + delayMs >= deadlineMs) {
          throw problemOf(error, { outcomeUnknown, repeatable: order.repeatable })
        }
        await pause(delayMs)
      }
    }
  }

  type Outcome<Result> = { result: Result } | { refused: Error }

  async function attempt<Result>(order: UnitCall<Result>, deadlineMs: number): Promise<Outcome<Result>> {
    const timeoutMs = Math.min(order.upload ? timeouts.uploadMs : timeouts.callMs, deadlineMs - clock.elapsedMs())
    if (timeoutMs <= 0) throw new Failure('timeout', 'no time was left', { mayHaveRun: false })
    const { status, retryAfter, bytes } = await exchange(order, timeoutMs)
    const failure = statusFailure(status, retryAfter)
    if (failure) throw failure
    if (status < 300) return { result: readable(order, bytes) }
    // Whatever the upstream repeats to us, our credentials go no further.
    const errors = upstreamErrors(bytes.toString('utf8').replaceAll(token, '***'))
    if (order.missing && isMissing(status, errors)) return { result: order.missing() }
    const reasons = errors.map(({ code, title, supportId }) => ({ code, title, supportId }))
    log.warn({ upstream: 'unit', ...named(order), status, reasons }, 'upstream refused')
    return { refused: refusalOf(status, errors, order.problems) }
  }

  async function exchange({ method, path, body }: UnitCall<unknown>, timeoutMs: number) {
    const timer = new AbortController()
    const timeout = setTimeout(() => timer.abort(), timeoutMs)
    const file = body && 'bytes' in body ? body : undefined
    try {
      const response = await pool.request({
        method,
        path: `${basePath}${path}`,
        headers: {
          authorization: `Bearer ${token}`,
          accept: `${MEDIA_TYPE}, */*;q=0.1`,
          ...(body && { 'content-type': file ? file.contentType : MEDIA_TYPE }),
        },
        body: body ? (file?.bytes ?? JSON.stringify(body)) : null,
        signal: timer.signal,
      })
      const bytes = Buffer.from(await response.body.arrayBuffer())
      return { status: response.statusCode, retryAfter: response.headers['retry-after']?.toString(), bytes }
    } catch (error) {
      throw connectionFailure(error, timer.signal.aborted)
    } finally {
      clearTimeout(timeout)
    }
  }

  return { call, budgetMs, close: () => pool.destroy() }
}

function readable<Result>({ read }: UnitCall<Result>, bytes: Buffer): Result {
  try {
    return read(bytes)
  } catch (error) {
    throw error instanceof Garbled ? new Failure('garbled', error.message) : error
  }
}

/** What the log may know of a call: ids, but no filter, which may hold an account number. */
function named({ method, path }: UnitCall<unknown>): { method: string; path: string | undefined } {
  return { method, path: path.split('?', 1)[0] }
}

/** Full jitter: callers that failed together do not come back together. */
function backoffMs(tries: number): number {
  return Math.random() * FIRST_BACKOFF_MS * 2 ** tries
}

async function pause(ms: number): Promise<void> {
  if (ms > 0) await sleep(ms)
}
