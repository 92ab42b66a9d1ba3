import { setTimeout as sleep } from 'node:timers/promises'
import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleAll,
} from 'cockatiel'
import type { Logger } from 'pino'
import { Pool } from 'undici'
import { clock } from '../base/clock.ts'
import { type Fault, Problem, UpstreamProblem } from '../base/problem.ts'
import { parseRetryAfter, retryAfter } from '../base/retry-after.ts'
import { inSpan } from '../base/span.ts'

/** The HTTP server of a provider, called with time-outs, retries, a rate limit and a circuit breaker. */
export interface Upstream {
  /** Returns the reply, whatever its status; rejects with an UpstreamProblem without one. */
  call(request: UpstreamRequest): Promise<UpstreamReply>
  close(): Promise<void>
}

export interface UpstreamOptions {
  /** Its name in logs and problems. */
  name: string
  url: string
  /** Time limit of one attempt. */
  callMs: number
  /** 0 for no limit. */
  requestsPerMinute?: number
  /** How long the upstream's own limit lasts after a 429 that names no time. Without it, such a call is soon repeated. */
  limitMs?: number
  /** Consecutive failures that open the circuit, and how long it stays open. */
  breaker?: { failures: number; openMs: number }
  log: Pick<Logger, 'warn'>
}

export interface UpstreamRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path and query, below the path of the upstream's URL. */
  path: string
  headers: Record<string, string>
  body?: string | Buffer
  /** Whether it has one effect when it is sent twice. Any other request is not sent again once it may have arrived. */
  repeatable: boolean
  /** Whether it is sent again only when the upstream cannot be working on it any more, and each attempt has its whole time. */
  alone?: boolean
  /** When all attempts must have ended, on the clock of `clock.elapsedMs`. */
  deadlineMs: number
  /** Time limit of an attempt, in place of the upstream's. */
  callMs?: number
}

export interface UpstreamReply {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
  /** Whether an attempt may have had its effect, although this reply is not a success. */
  outcomeUnknown?: boolean
  /** How long the upstream may still work on the request, although it was answered. */
  workingMs?: number
  /** How long the upstream takes no requests. */
  pausedMs?: number
}

const CONNECTIONS = 64
const MAX_ATTEMPTS = 4
const FIRST_PAUSE_MS = 200
const MAX_BYTES = 64 * 1024 * 1024
/** An attempt with less time than this is not worth its risk. */
const LEAST_MS = 1_000
/** The longest pause of all calls that one answer causes. */
const MAX_PAUSE_MS = 60_000
const BREAKER = { failures: 10, openMs: 5_000 }
/** The Retry-After of an answer where the upstream names no time. */
const RETRY_MS = 1_000

export function openUpstream(options: UpstreamOptions): Upstream {
  const { origin, hostname, pathname } = new URL(options.url)
  const laneOf = () => ({ pool: poolOf(origin), breaker: breakerOf(options.breaker ?? BREAKER) })
  const host: Host = {
    ...options,
    hostname,
    base: pathname.replace(/\/$/, ''),
    quick: laneOf(),
    long: laneOf(),
    turns: turnsOf(options.requestsPerMinute ?? 0),
  }
  const close = async () => {
    await Promise.all([host.quick.pool.destroy(), host.long.pool.destroy()])
  }
  return { call: (request) => call(host, request), close }
}

function breakerOf({ failures, openMs }: Required<UpstreamOptions>['breaker']): CircuitBreakerPolicy {
  return circuitBreaker(
    handleAll.orWhenResult((reply) => (reply as UpstreamReply).status >= 500),
    { halfOpenAfter: openMs, breaker: new ConsecutiveBreaker(failures) },
  )
}

/** The timer of each call bounds it from the connection to the last byte; the pool's timers would bound parts of it. */
function poolOf(origin: string): Pool {
  return new Pool(origin, {
    connections: CONNECTIONS,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: MAX_BYTES,
  })
}

interface Host extends Pick<UpstreamOptions, 'name' | 'callMs' | 'limitMs' | 'log'> {
  hostname: string
  /** The path of its URL. */
  base: string
  quick: Lane
  /** For calls with a time limit of their own, so that slow ones do not hold up the others. */
  long: Lane
  turns: Turns
}

interface Lane {
  pool: Pool
  breaker: CircuitBreakerPolicy
}

async function call(host: Host, request: UpstreamRequest): Promise<UpstreamReply> {
  const { callMs = host.callMs, alone = false } = request
  const neededMs = neededFor(host, request)
  // Of all attempts: one that cannot have arrived, or was refused, says nothing about the one before it.
  let outcomeUnknown = false
  for (let attempt = 1; ; attempt++) {
    let startedMs = clock.elapsedMs()
    let cause = ''
    const outcome = await turnOf(host, request)
      .then(() => {
        startedMs = clock.elapsedMs()
        return attemptOnce(host, request)
      })
      .catch((error: Error) => {
        cause = error.message
        return failureOf(host.name, error)
      })
    const failed = outcome instanceof UpstreamProblem
    if (!failed && !isTransient(outcome.status)) {
      return outcomeUnknown && outcome.status >= 300 ? { ...outcome, outcomeUnknown } : outcome
    }
    const nowMs = clock.elapsedMs()
    const reason = failed ? { code: outcome.code, reason: cause || outcome.message } : { status: outcome.status }
    logFailure(host, request, { attempt, ms: Math.round(nowMs - startedMs), ...reason })
    const cannotHaveRun = failed ? !outcome.outcomeUnknown : outcome.status === 429
    outcomeUnknown ||= !cannotHaveRun
    const workingMs = mayBeWorking(outcome) ? Math.max(0, startedMs + callMs - nowMs) : 0
    const pausedMs = failed ? 0 : pausedBy(host, outcome)
    const delayMs = Math.max(delayAfter(attempt), pausedMs, alone ? workingMs : 0)
    const inTime = attempt < MAX_ATTEMPTS && nowMs + delayMs + neededMs <= request.deadlineMs
    const unavailable = failed && outcome.code === 'upstream_unavailable'
    if ((request.repeatable || cannotHaveRun) && inTime && !unavailable) await sleep(delayMs)
    else if (failed) throw outcomeUnknown ? withOutcomeUnknown(outcome, workingMs) : outcome
    else return { ...outcome, outcomeUnknown, workingMs, pausedMs }
  }
}

function logFailure({ name, log }: Host, { method, path }: UpstreamRequest, failure: object): void {
  log.warn({ upstream: name, method, path: path.split('?')[0], ...failure }, 'upstream call failed')
}

/** Waits for the request's turn. A pause that begins meanwhile counts, too. */
async function turnOf(host: Host, request: UpstreamRequest): Promise<void> {
  const { name, turns } = host
  do {
    const { inTime, waitMs } = turns.next(request.deadlineMs - clock.elapsedMs() - neededFor(host, request))
    if (!inTime) throw unavailable(`${name} takes no more requests from here just now.`, waitMs)
    if (waitMs > 0) await sleep(waitMs)
  } while (turns.pausedMs() > 0)
}

/** The time that must be left for an attempt that had to wait. */
function neededFor(host: Host, { callMs = host.callMs, alone = false }: UpstreamRequest): number {
  return alone ? callMs : Math.min(callMs, LEAST_MS)
}

async function attemptOnce(host: Host, request: UpstreamRequest): Promise<UpstreamReply> {
  const { name, callMs } = host
  const { pool, breaker } = request.callMs === undefined ? host.quick : host.long
  const leftMs = Math.floor(Math.min(request.callMs ?? callMs, request.deadlineMs - clock.elapsedMs()))
  if (leftMs <= 0) throw new UpstreamProblem('upstream_timeout', { detail: `${name} took too long.` })
  // While one call tries whether the upstream is back, the breaker would let the others wait for it, past their deadlines.
  if (breaker.state === CircuitState.HalfOpen) throw new BrokenCircuitError()
  return breaker.execute(() => traced(host, request, () => send(host, pool, request, leftMs)))
}

/** Runs an attempt in a span of its own. Path and query are left out, because they hold ids. */
function traced(
  { name, hostname }: Host,
  { method }: UpstreamRequest,
  attempt: () => Promise<UpstreamReply>,
): Promise<UpstreamReply> {
  const attributes = { 'http.request.method': method, 'server.address': hostname, 'purser.upstream': name }
  return inSpan(`${name} ${method}`, { kind: SpanKind.CLIENT, attributes }, async (span) => {
    const reply = await attempt()
    span.setAttribute('http.response.status_code', reply.status)
    if (reply.status >= 500) span.setStatus({ code: SpanStatusCode.ERROR })
    return reply
  })
}

async function send(host: Host, pool: Pool, request: UpstreamRequest, ms: number): Promise<UpstreamReply> {
  const { method, path, headers, body } = request
  // A timer of our own: AbortSignal.timeout was measured to cost nearly twice as much.
  const timer = new AbortController()
  const timeout = setTimeout(() => timer.abort(new TimedOut()), ms)
  const target = `${host.base}${path}`.replace(/^(?!\/)/, '/')
  try {
    const reply = await pool.request({ method, path: target, headers, body: body ?? null, signal: timer.signal })
    return {
      status: reply.statusCode,
      headers: reply.headers,
      body: Buffer.from(await reply.body.arrayBuffer()),
    }
  } finally {
    clearTimeout(timeout)
  }
}

function failureOf(name: string, error: unknown): UpstreamProblem {
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

class TimedOut extends Error {}

/** Errors of connections that were not made. */
const UNSENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

function withOutcomeUnknown(problem: UpstreamProblem, workingMs: number): UpstreamProblem {
  const { code, message, errors, headers, lasting } = problem
  const details = { detail: message, ...(errors && { errors }), headers, lasting }
  return new UpstreamProblem(code, { ...details, outcomeUnknown: true, workingMs })
}

function unavailable(detail: string, retryMs: number): UpstreamProblem {
  return new UpstreamProblem('upstream_unavailable', { detail, headers: retryAfter(retryMs / 1_000) })
}

/** Whether the upstream may go on with a request: it did not answer, or only a gateway in front of it did. */
function mayBeWorking(outcome: UpstreamReply | UpstreamProblem): boolean {
  return outcome instanceof UpstreamProblem ? outcome.outcomeUnknown : [408, 502, 504].includes(outcome.status)
}

/**
 * How long to wait after a reply before the next attempt. An upstream that limits the rate refuses all calls meanwhile, so
 * that no call is sent. Calls that were on their way are refused, too: they do not prolong the pause.
 */
function pausedBy({ turns, limitMs }: Host, reply: UpstreamReply): number {
  const namedMs = retryAfterOf(reply)
  if (reply.status !== 429) return namedMs ?? 0
  const pausedMs = namedMs ?? (turns.pausedMs() || (limitMs ?? 0))
  turns.pause(Math.min(pausedMs, MAX_PAUSE_MS))
  return pausedMs
}

/** Whether another attempt may succeed after this status. Each such attempt is logged. */
export function isTransient(status: number): boolean {
  return status === 408 || status === 429 || status >= 500
}

/** Whether the same request would be answered with this status again. After 401 it may not: an operator renews the token. */
function isLasting(status: number): boolean {
  return status >= 400 && status < 500 && status !== 401 && !isTransient(status)
}

/** The delay doubles with every attempt. Half of it is random, so that calls that failed together are not repeated together. */
function delayAfter(attempt: number): number {
  const maxMs = FIRST_PAUSE_MS * 2 ** (attempt - 1)
  return maxMs / 2 + (Math.random() * maxMs) / 2
}

function retryAfterOf({ headers }: UpstreamReply): number | undefined {
  return parseRetryAfter(headers['retry-after'], clock.nowMs())
}

/** The order in which requests are sent. */
interface Turns {
  /** How long to wait for a turn, if at all. One that would not come in time is left to the next request. */
  next(maxMs: number): { inTime: boolean; waitMs: number }
  /** Lets no request be sent for a while. */
  pause(ms: number): void
  /** How long the pause still lasts. */
  pausedMs(): number
}

/** Limits the requests of a minute, of which a tenth may be sent at once; 0 for no limit. After a pause none are sent at once. */
function turnsOf(perMinute: number): Turns {
  const spacingMs = perMinute === 0 ? 0 : 60_000 / perMinute
  const burstMs = Math.max(0, 6_000 - spacingMs)
  let nextMs = Number.NEGATIVE_INFINITY
  let pausedUntilMs = Number.NEGATIVE_INFINITY
  const pausedMs = () => Math.max(0, pausedUntilMs - clock.elapsedMs())
  return {
    next(maxMs) {
      const nowMs = clock.elapsedMs()
      const turnMs = perMinute === 0 ? pausedUntilMs : Math.max(nextMs, nowMs - burstMs, pausedUntilMs)
      const waitMs = Math.max(0, turnMs - nowMs)
      const inTime = waitMs === 0 || waitMs <= maxMs
      if (inTime) nextMs = turnMs + spacingMs
      return { inTime, waitMs }
    },
    pause(ms) {
      pausedUntilMs = Math.max(pausedUntilMs, clock.elapsedMs() + ms)
    },
    pausedMs,
  }
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

/** The body of a reply as JSON; throws where it is not JSON. */
export function jsonOf(name: string, { body }: UpstreamReply): unknown {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    throw unreadable(name)
  }
}

/** The problem of a reply that cannot be read. */
export function unreadable(name: string): Problem {
  return new Problem('upstream_error', {
    detail: `${name} answered with something that this service does not understand.`,
  })
}
