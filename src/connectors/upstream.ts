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
import { UpstreamProblem } from '../base/problem.ts'
import { inSpan } from '../base/span.ts'
import { failureOf, isTransient, retryAfterOf, TimedOut, unavailable, withOutcomeUnknown } from './upstream-problems.ts'
import { type Turns, turnsOf } from './upstream-turns.ts'

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

export function openUpstream(options: UpstreamOptions): Upstream {
  const { origin, hostname, pathname } = new URL(options.url)
  const channelOf = () => ({ pool: poolOf(origin), breaker: breakerOf(options.breaker ?? BREAKER) })
  const host: Host = {
    ...options,
    hostname,
    base: pathname.replace(/\/$/, ''),
    quick: channelOf(),
    long: channelOf(),
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
  quick: Channel
  /** For calls with a time limit of their own, so that slow ones do not hold up the others. */
  long: Channel
  turns: Turns
}

interface Channel {
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

/** The delay doubles with every attempt. Half of it is random, so that calls that failed together are not repeated together. */
function delayAfter(attempt: number): number {
  const maxMs = FIRST_PAUSE_MS * 2 ** (attempt - 1)
  return maxMs / 2 + (Math.random() * maxMs) / 2
}
