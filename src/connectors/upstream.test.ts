import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SpanKind } from '@opentelemetry/api'
import { pino } from 'pino'
import { afterAll, afterEach, describe, expect, test, vi } from 'vitest'
import { deferred } from '../../test/support/deferred.ts'
import { listenToSpans, seenSpans } from '../../test/support/spans.ts'
import { clock } from '../base/clock.ts'
import type { UpstreamProblem } from '../base/problem.ts'
import {
  openUpstream,
  type Upstream,
  type UpstreamOptions,
  type UpstreamReply,
  type UpstreamRequest,
} from './upstream.ts'
import { jsonOf, problemOfReply } from './upstream-problems.ts'

// Most of the time of these tests is waiting for time limits, so they do it at once and close everything at the end.
const opened: { close(): unknown }[] = []
afterAll(async () => {
  for (const one of opened.splice(0)) await one.close()
})

type Step = RequestListener

const answer =
  (status: number, headers: Record<string, string> = {}, body = '"ok"'): Step =>
  (_request, response) =>
    void response.writeHead(status, headers).end(body)
const drop: Step = (request) => void request.socket.destroy()
const hang: Step = () => undefined

/** A server that plays one step for each request, repeats the last one, and counts requests. */
async function serve(...steps: Step[]): Promise<{ url: string; seen: string[]; server: Server }> {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    const step = steps.length > 1 ? steps.shift() : steps[0]
    step?.(request, response)
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  opened.push({
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, server }
}

function upstreamAt(url: string, options: Partial<UpstreamOptions> = {}): Upstream {
  const upstream = openUpstream({ name: 'Sample', url, callMs: 2_000, log: pino({ level: 'silent' }), ...options })
  opened.push(upstream)
  return upstream
}

const get = (own: Partial<UpstreamRequest> = {}): UpstreamRequest => ({
  method: 'GET',
  path: '/things?page=0',
  headers: {},
  repeatable: true,
  deadlineMs: clock.elapsedMs() + 10_000,
  ...own,
})

async function failureOf(outcome: Promise<UpstreamReply>): Promise<UpstreamProblem> {
  return outcome.then(
    ({ status }) => {
      throw new Error(`answered ${status}`)
    },
    (failure) => failure,
  )
}

describe.concurrent('a call to an upstream', () => {
  test('ends in time when the body arrives byte by byte', async () => {
    const trickle: Step = (_request, response) => {
      response.writeHead(200, { 'content-length': '1000000' })
      const timer = setInterval(() => response.write('x'), 20)
      response.on('close', () => clearInterval(timer))
    }
    const slow = await serve(trickle)
    const started = performance.now()
    const late = await failureOf(upstreamAt(slow.url).call(get({ repeatable: false })))
    expect([late.code, late.outcomeUnknown, slow.seen.length]).toEqual(['upstream_timeout', true, 1])
    expect(performance.now() - started).toBeLessThan(20_000)
  })

  test('goes below the path of the URL, and answers status, headers and bytes', async () => {
    const { url, seen } = await serve(answer(200, { 'x-sample': 'yes' }))
    const reply = await upstreamAt(`${url}/base/`).call(get())
    expect([reply.status, reply.headers['x-sample'], jsonOf('Sample', reply)]).toEqual([200, 'yes', 'ok'])
    expect(seen).toEqual(['GET /base/things?page=0'])
  })

  test.each([408, 429, 500, 502, 503])('is retried after %i', async (status) => {
    const { url, seen } = await serve(answer(status), answer(200))
    expect((await upstreamAt(url).call(get())).status).toBe(200)
    expect(seen).toHaveLength(2)
  })

  test.each([400, 401, 403, 404, 409, 422])('is not retried after %i', async (status) => {
    const { url, seen } = await serve(answer(status))
    expect((await upstreamAt(url).call(get())).status).toBe(status)
    expect(seen).toHaveLength(1)
  })

  test('returns the last reply after four attempts', async () => {
    const { url, seen } = await serve(answer(500))
    expect((await upstreamAt(url).call(get({ deadlineMs: clock.elapsedMs() + 10_000 }))).status).toBe(500)
    expect(seen).toHaveLength(4)
  })

  test('is retried after a broken connection', async () => {
    const { url, seen } = await serve(drop, answer(200))
    expect((await upstreamAt(url).call(get())).status).toBe(200)
    expect(seen).toHaveLength(2)
  })

  test('is never retried if it is not repeatable and may have had an effect', async () => {
    const { url, seen } = await serve(drop)
    const failure = await failureOf(upstreamAt(url).call(get({ method: 'POST', repeatable: false })))
    expect([failure.code, failure.outcomeUnknown, seen.length]).toEqual(['upstream_error', true, 1])
    const slow = await serve(hang)
    const late = await failureOf(upstreamAt(slow.url).call(get({ method: 'POST', repeatable: false })))
    expect([late.code, late.outcomeUnknown, slow.seen.length]).toEqual(['upstream_timeout', true, 1])
    const broken = await serve(answer(500))
    expect((await upstreamAt(broken.url).call(get({ method: 'POST', repeatable: false }))).status).toBe(500)
    expect(broken.seen).toHaveLength(1)
  })

  test('reports that it cannot have had an effect if the connection is refused', async () => {
    const { url, server } = await serve(answer(200))
    await new Promise((closed) => server.close(closed))
    const request = get({ method: 'POST', repeatable: false, deadlineMs: clock.elapsedMs() + 3_000 })
    const failure = await failureOf(upstreamAt(url).call(request))
    expect([failure.code, failure.status, failure.outcomeUnknown]).toEqual(['upstream_error', 502, false])
  })

  test('names the host of the upstream only in the log', async () => {
    const { url, server } = await serve(answer(200))
    await new Promise((closed) => server.close(closed))
    const lines: string[] = []
    const log = pino({}, { write: (line: string) => void lines.push(line) })
    const failure = await failureOf(upstreamAt(url, { log }).call(get({ deadlineMs: clock.elapsedMs() + 3_000 })))
    expect(failure.message).toBe('Sample cannot be reached.')
    expect(lines.join()).toContain('ECONNREFUSED 127.0.0.1')
  })

  // Alone, because it keeps the processor busy.
  test.sequential('refuses replies over 64 MiB', async () => {
    const { url } = await serve((_request, response) => {
      const part = Buffer.alloc(4 * 1024 * 1024, 'x')
      const more = (): void => {
        if (!response.destroyed) response.write(part, more)
      }
      more()
    })
    const endless = upstreamAt(url, { callMs: 20_000 })
    const failure = await failureOf(endless.call(get({ repeatable: false, deadlineMs: clock.elapsedMs() + 20_000 })))
    expect([failure.code, failure.outcomeUnknown]).toEqual(['upstream_error', true])
  })

  test('ends each attempt at its timeout and all attempts at the deadline', async () => {
    const { url, seen } = await serve(hang)
    const startedMs = clock.elapsedMs()
    const failure = await failureOf(upstreamAt(url, { callMs: 1_000 }).call(get({ deadlineMs: startedMs + 4_000 })))
    expect([failure.code, failure.status]).toEqual(['upstream_timeout', 504])
    expect(clock.elapsedMs() - startedMs).toBeLessThan(40_000)
    expect(seen.length).toBeGreaterThan(1)
  })

  test('ends at the timeout even if the body never ends', async () => {
    const { url } = await serve((_request, response) => void response.writeHead(200).write('['))
    const failure = await failureOf(upstreamAt(url, { callMs: 50 }).call(get({ deadlineMs: clock.elapsedMs() + 100 })))
    expect(failure.code).toBe('upstream_timeout')
  })

  test('waits for Retry-After unless that is past the deadline', async () => {
    const soon = await serve(answer(429, { 'Retry-After': '1' }), answer(200))
    const startedMs = clock.elapsedMs()
    expect((await upstreamAt(soon.url).call(get())).status).toBe(200)
    expect(clock.elapsedMs() - startedMs).toBeGreaterThanOrEqual(990)
    const late = await serve(answer(429, { 'Retry-After': '30' }))
    const reply = await upstreamAt(late.url).call(get())
    expect(late.seen).toHaveLength(1)
    const problem = problemOfReply('Sample', reply)
    expect([problem.code, problem.headers]).toEqual(['upstream_unavailable', { 'Retry-After': '30' }])
  })

  test('is retried after 429 even if it is not repeatable, because it had no effect', async () => {
    const { url, seen } = await serve(answer(429), answer(200))
    const reply = await upstreamAt(url).call(get({ method: 'POST', repeatable: false }))
    expect([reply.status, seen.length]).toEqual([200, 2])
  })

  test('reports an unknown outcome if any attempt may have had an effect', async () => {
    const { url, seen } = await serve(drop, answer(429, { 'Retry-After': '30' }))
    const reply = await upstreamAt(url).call(get({ method: 'POST' }))
    expect([reply.status, reply.outcomeUnknown, seen.length]).toEqual([429, true, 2])
    const refused = await serve(drop, answer(409))
    const refusal = await upstreamAt(refused.url).call(get({ method: 'POST' }))
    expect([refusal.status, refusal.outcomeUnknown, refused.seen.length]).toEqual([409, true, 2])
    const gone = await serve((request, response) => {
      gone.server.close()
      drop(request, response)
    })
    const failure = await failureOf(upstreamAt(gone.url).call(get({ method: 'POST' })))
    expect([failure.code, failure.outcomeUnknown, gone.seen.length]).toEqual(['upstream_error', true, 1])
  })

  test('accepts a date in Retry-After', () => {
    const date = new Date(Date.now() + 90_000).toUTCString()
    const { headers } = problemOfReply('Sample', {
      status: 503,
      headers: { 'retry-after': date },
      body: Buffer.alloc(0),
    })
    expect(Number(headers['Retry-After'])).toBeGreaterThan(85)
  })

  test('reports a reply that is not HTTP as an upstream error', async () => {
    const { url } = await serve((request) => void request.socket.end('garbage\r\n\r\n'))
    const failure = await failureOf(upstreamAt(url).call(get({ repeatable: false })))
    expect([failure.code, failure.outcomeUnknown]).toEqual(['upstream_error', true])
  })
})

describe.concurrent('A request that must not run twice at a time', () => {
  const alone = (own: Partial<UpstreamRequest> = {}) => get({ method: 'POST', alone: true, ...own })

  test.each([
    ['a broken connection', drop],
    ['504 of a gateway', answer(504)],
  ])('is sent again after %s when the time limit of the first attempt is over', async (_what, fault) => {
    const times: number[] = []
    const noted =
      (step: Step): Step =>
      (request, response) => {
        times.push(clock.elapsedMs())
        step(request, response)
      }
    const { url } = await serve(noted(fault), noted(answer(200)))
    const startedMs = clock.elapsedMs()
    const reply = await upstreamAt(url).call(alone({ deadlineMs: startedMs + 30_000 }))
    expect([reply.status, times.length]).toEqual([200, 2])
    expect((times[1] ?? 0) - startedMs).toBeGreaterThan(1_990)
  })

  test('is soon sent again after the upstream has answered', async () => {
    const { url, seen } = await serve(answer(500), answer(200))
    const startedMs = clock.elapsedMs()
    expect((await upstreamAt(url, { callMs: 20_000 }).call(alone({ deadlineMs: startedMs + 40_000 }))).status).toBe(200)
    expect([seen.length, clock.elapsedMs() - startedMs < 10_000]).toEqual([2, true])
  })

  test('is not sent again without its whole time, and the failure says how long the upstream may work', async () => {
    const broken = await serve(drop)
    const failure = await failureOf(upstreamAt(broken.url, { callMs: 20_000 }).call(alone()))
    expect([failure.code, failure.outcomeUnknown, broken.seen.length]).toEqual(['upstream_error', true, 1])
    expect(failure.workingMs).toBeGreaterThan(10_000)
    const late = await serve(answer(504))
    const reply = await upstreamAt(late.url, { callMs: 20_000 }).call(alone())
    expect([reply.outcomeUnknown, late.seen.length, (reply.workingMs ?? 0) > 10_000]).toEqual([true, 1, true])
    const hanging = await serve(hang)
    const inTime = { deadlineMs: clock.elapsedMs() + 2_500 }
    const timeout = await failureOf(upstreamAt(hanging.url, { callMs: 1_500 }).call(alone(inTime)))
    expect([timeout.code, timeout.workingMs, hanging.seen.length]).toEqual(['upstream_timeout', 0, 1])
  })
})

describe.concurrent('Calls with a time limit of their own', () => {
  test('do not take the connections of the others', async ({ expect }) => {
    const { url, server, seen } = await serve(hang)
    const upstream = upstreamAt(url, { callMs: 10_000 })
    const long = Array.from({ length: 70 }, () =>
      upstream.call(get({ repeatable: false, callMs: 20_000, deadlineMs: clock.elapsedMs() + 20_000 })).catch(() => 0),
    )
    await expect.poll(() => seen.length).toBe(64)
    server.removeAllListeners('request')
    server.on('request', answer(200))
    expect((await upstream.call(get({ deadlineMs: clock.elapsedMs() + 10_000 }))).status).toBe(200)
    server.closeAllConnections()
    await Promise.all(long)
  })
})

describe.concurrent('The rate limit that an upstream reports by 429', () => {
  const limited = { limitMs: 1_200 }

  test('is waited for, once, if there is time', async () => {
    const { url, seen } = await serve(answer(429), answer(200))
    const startedMs = clock.elapsedMs()
    const reply = await upstreamAt(url, limited).call(get({ deadlineMs: startedMs + 10_000 }))
    expect([reply.status, seen.length]).toEqual([200, 2])
    expect(clock.elapsedMs() - startedMs).toBeGreaterThan(1_100)
  })

  test('is answered at once with the rest of its time if there is none', async () => {
    const { url, seen } = await serve(answer(429))
    const upstream = upstreamAt(url, { limitMs: 60_000 })
    const first = problemOfReply('Sample', await upstream.call(get()))
    expect([first.code, first.headers]).toEqual(['upstream_unavailable', { 'Retry-After': '60' }])
    const startedMs = clock.elapsedMs()
    const next = await failureOf(upstream.call(get({ method: 'POST', repeatable: false })))
    expect([next.code, next.outcomeUnknown, Number(next.headers['Retry-After']) > 50]).toEqual([
      'upstream_unavailable',
      false,
      true,
    ])
    expect([seen.length, clock.elapsedMs() - startedMs < 10_000]).toEqual([1, true])
  })

  test('holds up the calls that have the time, and ends', async () => {
    const { url, seen } = await serve(answer(429), answer(200))
    const upstream = upstreamAt(url, { limitMs: 3_000, callMs: 30_000, requestsPerMinute: 6_000 })
    const startedMs = clock.elapsedMs()
    expect((await upstream.call(get({ deadlineMs: startedMs + 3_900 }))).status).toBe(429)
    const waiting = Array.from({ length: 200 }, () => upstream.call(get({ deadlineMs: startedMs + 60_000 })))
    // These would have to wait past their deadlines.
    const hasty = Array.from({ length: 200 }, () => failureOf(upstream.call(get({ deadlineMs: startedMs + 3_500 }))))
    expect(new Set((await Promise.all(hasty)).map(({ code }) => code))).toEqual(new Set(['upstream_unavailable']))
    expect(seen).toHaveLength(1)
    expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([200]))
    expect([seen.length, clock.elapsedMs() - startedMs > 2_990]).toEqual([201, true])
    expect((await upstream.call(get())).status).toBe(200)
  })

  test('lasts a minute at most for other calls', async () => {
    const { url } = await serve(answer(429, { 'Retry-After': '3600' }), answer(200))
    const upstream = upstreamAt(url)
    const { headers } = problemOfReply('Sample', await upstream.call(get()))
    expect(headers).toEqual({ 'Retry-After': '3600' })
    const next = await failureOf(upstream.call(get()))
    expect(Number(next.headers['Retry-After'])).toBeLessThanOrEqual(60)
  })
})

// Not beside the others, because they change the time.
test('a rate limit is not prolonged by calls that were on their way', async () => {
  const later = deferred()
  const { url, seen } = await serve(answer(429), (...sent) => void later.promise.then(() => answer(429)(...sent)))
  const upstream = upstreamAt(url, { limitMs: 60_000, callMs: 30_000 })
  // Whole milliseconds add up exactly.
  let nowMs = Math.ceil(clock.elapsedMs())
  const time = vi.spyOn(clock, 'elapsedMs').mockImplementation(() => nowMs)
  const calls = [1, 2].map(() => upstream.call(get({ deadlineMs: nowMs + 30_000 })))
  await expect.poll(() => seen.length).toBe(2)
  const first = await Promise.race(calls)
  nowMs += 2_000
  later.resolve()
  const pauses = (await Promise.all(calls)).map(({ pausedMs }) => pausedMs)
  expect([first.pausedMs, pauses.sort()]).toEqual([60_000, [58_000, 60_000]])
  time.mockRestore()
})

describe('The circuit breaker of an upstream', () => {
  const startMs = Date.now()
  /** The time since the beginning of a test, by the clock that the circuit breaker reads. */
  const setTime = (ms: number) => void vi.spyOn(Date, 'now').mockReturnValue(startMs + ms)
  afterEach(() => void vi.restoreAllMocks())

  test('opens after consecutive failures, answers with Retry-After, and closes after a success', async ({ expect }) => {
    setTime(0)
    const { url, seen } = await serve(answer(500), answer(500), answer(500), answer(200))
    const upstream = upstreamAt(url, { breaker: { failures: 3, openMs: 2_000 } })
    const once = () => upstream.call(get({ repeatable: false }))
    for (let time = 0; time < 3; time++) expect((await once()).status).toBe(500)
    const failure = await failureOf(upstream.call(get()))
    expect([failure.code, failure.outcomeUnknown]).toEqual(['upstream_unavailable', false])
    expect(failure.headers).toEqual({ 'Retry-After': '1' })
    setTime(1_999)
    expect((await failureOf(once())).code).toBe('upstream_unavailable')
    expect(seen).toHaveLength(3)
    setTime(2_000)
    for (let time = 0; time < 2; time++) expect((await once()).status).toBe(200)
  })

  test('refuses calls at once while one call tries whether the upstream is back', async ({ expect }) => {
    const { url, seen } = await serve(answer(500), hang)
    const upstream = upstreamAt(url, { breaker: { failures: 1, openMs: 100 }, callMs: 30_000 })
    const once = () => upstream.call(get({ repeatable: false, deadlineMs: clock.elapsedMs() + 30_000 }))
    setTime(0)
    expect((await once()).status).toBe(500)
    setTime(100)
    const trying = once().catch(() => 0)
    await expect.poll(() => seen.length).toBe(2)
    const startedMs = clock.elapsedMs()
    const refused = await Promise.all(Array.from({ length: 200 }, () => failureOf(once())))
    expect(new Set(refused.map(({ code, outcomeUnknown }) => `${code} ${outcomeUnknown}`))).toEqual(
      new Set(['upstream_unavailable false']),
    )
    expect([seen.length, clock.elapsedMs() - startedMs < 15_000]).toEqual([2, true])
    await upstream.close()
    await trying
  })

  test('is not opened, nor held open, for other calls by those with a time limit of their own', async ({ expect }) => {
    const { url, seen } = await serve(answer(500), hang, answer(200))
    const upstream = upstreamAt(url, { breaker: { failures: 1, openMs: 100 } })
    const long = () => upstream.call(get({ repeatable: false, callMs: 30_000, deadlineMs: clock.elapsedMs() + 30_000 }))
    setTime(0)
    expect((await long()).status).toBe(500)
    setTime(100)
    const trying = long().catch(() => 0)
    await expect.poll(() => seen.length).toBe(2)
    expect((await upstream.call(get({ repeatable: false }))).status).toBe(200)
    await upstream.close()
    await trying
  })

  test('stays closed while the upstream refuses requests', async () => {
    const { url } = await serve(answer(404))
    const upstream = upstreamAt(url, { breaker: { failures: 2, openMs: 60_000 } })
    for (let time = 0; time < 5; time++) expect((await upstream.call(get())).status).toBe(404)
  })
})

describe.concurrent('The rate limit of an upstream', () => {
  test('allows a burst of a tenth, spreads the rest evenly, and refuses requests that would wait too long', async () => {
    const { url, seen } = await serve(answer(200))
    // Six at once, then one each second.
    const upstream = upstreamAt(url, { requestsPerMinute: 60, callMs: 30_000 })
    const startedMs = clock.elapsedMs()
    const patient = Array.from({ length: 8 }, () => upstream.call(get({ deadlineMs: startedMs + 60_000 })))
    // Its turn comes after three seconds, and an attempt that waited needs a second of its own.
    const hasty = upstream.call(get({ deadlineMs: startedMs + 3_000 }))
    const outcomes = await Promise.allSettled([...patient, hasty])
    expect(outcomes.map(({ status }) => status)).toEqual([...Array(8).fill('fulfilled'), 'rejected'])
    expect(clock.elapsedMs() - startedMs).toBeGreaterThanOrEqual(1_990)
    expect(seen).toHaveLength(8)
    const [refused] = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? outcome.reason : []))
    expect([refused.code, refused.outcomeUnknown]).toEqual(['upstream_unavailable', false])
  })
})

describe('A reply that is not a success', () => {
  test.each([
    [401, 'upstream_error'],
    [403, 'upstream_error'],
    [408, 'upstream_timeout'],
    [429, 'upstream_unavailable'],
    [500, 'upstream_error'],
    [503, 'upstream_unavailable'],
    [504, 'upstream_timeout'],
    [302, 'upstream_error'],
  ])('%i becomes %s, with what the upstream said', (status, code) => {
    const errors = [{ code: 'sample', message: 'what it said' }]
    const problem = problemOfReply('Sample', { status, headers: {}, body: Buffer.alloc(0) }, errors)
    expect([problem.code, problem.errors]).toEqual([code, errors])
  })

  test.each([
    [true, [400, 404, 409, 415, 422]],
    [false, [302, 401, 403, 408, 429, 500, 502, 503, 504]],
  ])('lasts: %s', (lasting, statuses) => {
    const reply = { headers: {}, body: Buffer.alloc(0) }
    const lasts = statuses.map((status) => problemOfReply('Sample', { ...reply, status }).lasting)
    expect(lasts).toEqual(statuses.map(() => lasting))
  })

  test('403 lasts if the upstream gives the reason', () => {
    const errors = [{ code: 'forbidden', message: 'the token lacks a scope' }]
    expect(problemOfReply('Sample', { status: 403, headers: {}, body: Buffer.alloc(0) }, errors).lasting).toBe(true)
  })

  test('becomes upstream_error if a successful body is not JSON', () => {
    const reply = { status: 200, headers: {}, body: Buffer.from('<html>') }
    expect(() => jsonOf('Sample', reply)).toThrow(expect.objectContaining({ code: 'upstream_error' }))
  })
})

test('Every attempt has a span without path and query if tracing is on', async () => {
  const end = listenToSpans()
  try {
    const { url } = await serve(answer(503), drop, answer(404))
    expect((await upstreamAt(url).call(get())).status).toBe(404)
    const span = (failed: boolean, more: object) => ({
      name: 'Sample GET',
      kind: SpanKind.CLIENT,
      attributes: { 'http.request.method': 'GET', 'server.address': '127.0.0.1', 'purser.upstream': 'Sample', ...more },
      parent: undefined,
      failed,
      ended: true,
    })
    expect(seenSpans.splice(0)).toEqual([
      span(true, { 'http.response.status_code': 503 }),
      span(true, {}),
      span(false, { 'http.response.status_code': 404 }),
    ])
  } finally {
    end()
  }
})
