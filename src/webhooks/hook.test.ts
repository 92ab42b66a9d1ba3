import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Consumer, openConsumer, verify } from '../../test/support/consumer.ts'
import type { Resolve } from './delivery/resolve.ts'
import { makeSecret } from './delivery/signature.ts'
import { type Hook, type HookParts, openHook } from './hook.ts'

const TIMEOUT_MS = 300
/** Ten times the deadline, for a machine that is busy. */
const LATE_MS = 3_000
const LIMIT = 16_384
const secret = makeSecret()
const question = { type: 'question.asked', data: { amount: 42, name: 'Ада' } }

const lines: [object, string][] = []
const outcomes: [string, string][] = []
let hook: Hook

beforeEach(() => {
  lines.length = 0
  outcomes.length = 0
})
afterEach(() => hook.close())

function open(url: string, parts: Partial<HookParts> & { timeoutMs?: number } = {}): void {
  const { timeoutMs = TIMEOUT_MS, ...rest } = parts
  hook = openHook(
    { url, secret, timeoutMs },
    {
      name: 'sample',
      userAgent: 'Purser/test',
      decisions: ['approve', 'decline'],
      log: { warn: (fields: object, text: string) => void lines.push([fields, text]) } as HookParts['log'],
      observe: (name, outcome, seconds) => {
        expect(seconds).toBeGreaterThanOrEqual(0)
        outcomes.push([name, outcome])
      },
      ...rest,
    },
  )
}

describe('a hook that answers', () => {
  let consumer: Consumer
  beforeEach(async () => {
    consumer = await openConsumer()
  })
  afterEach(() => consumer.close())

  const answers = (body: string, status = 200, headers: Record<string, string> = {}) => {
    consumer.answer = () => ({ status, body, headers })
  }

  test('is sent a signed question, and its JSON is the answer', async () => {
    open(`${consumer.url}?a=b`, { timeoutMs: 10_000 })
    answers('{"decision":"approve"}', 201)
    expect(await hook.ask(7, question)).toEqual({ json: { decision: 'approve' } })
    const [received] = consumer.received
    if (!received) throw new Error('nothing was received')
    verify(secret, received)
    const { id, timestamp, ...rest } = received.event
    expect(rest).toEqual(question)
    expect(id).toBe(received.headers['webhook-id'])
    expect(Math.abs(Date.parse(timestamp) - Date.now())).toBeLessThan(60_000)
    expect(received.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Purser/test',
      accept: 'application/json',
    })
    expect(outcomes).toEqual([['sample', 'answered']])
    expect(lines).toEqual([])
    await hook.ask(7, question)
    expect(consumer.received[1]?.event.id).not.toBe(id)
  })

  test('may answer further members, up to the limit of bytes', async () => {
    const json = { decision: 'decline', reason: '' }
    json.reason = 'x'.repeat(LIMIT - JSON.stringify(json).length)
    open(consumer.url, { timeoutMs: 10_000 })
    answers(JSON.stringify(json))
    expect(await hook.ask(7, question)).toEqual({ json })
  })

  test.each([
    ['no JSON', '{"decision":', 200, 'answered no JSON'],
    ['an empty body', '', 200, 'answered no JSON'],
    ['204', '', 204, 'answered no JSON'],
    ['one byte too much', `"${'x'.repeat(LIMIT - 1)}"`, 200, 'answered more than 16384 bytes'],
    ['500 with JSON', '{"decision":"approve"}', 500, 'answered 500'],
    ['304', '', 304, 'answered 304'],
    ['another decision', '{"decision":"yes"}', 200, 'answered no decision: it is approve or decline'],
    ['a decision that is no text', '{"decision":["approve"]}', 200, 'answered no decision: it is approve or decline'],
    ['no decision', '{"approved":true}', 200, 'answered no decision: it is approve or decline'],
    ['an array', '[1]', 200, 'answered no decision: it is approve or decline'],
    ['a number', '0', 200, 'answered no decision: it is approve or decline'],
    ['null', 'null', 200, 'answered no decision: it is approve or decline'],
  ])('is not understood with %s', async (_kind, body, status, reason) => {
    open(consumer.url, { timeoutMs: 10_000 })
    answers(body, status)
    expect(await hook.ask(7, question)).toEqual({ fault: 'unintelligible', reason })
    expect(outcomes).toEqual([['sample', 'unintelligible']])
    const fields = { hook: 'sample', organisationId: 7, fault: 'unintelligible', reason, ms: expect.any(Number) }
    expect(lines).toEqual([[fields, 'hook failed']])
  })

  test('is not followed to another address', async () => {
    open(consumer.url, { timeoutMs: 10_000 })
    answers('', 307, { location: consumer.url })
    expect(await hook.ask(7, question)).toEqual({ fault: 'unintelligible', reason: 'answered 307' })
    expect(consumer.received).toHaveLength(1)
  })

  test('is late after the deadline, and the next question is asked anew', async () => {
    open(consumer.url)
    consumer.answer = () => ({ status: 200, body: '1', ms: TIMEOUT_MS * 3 })
    expect(await hook.ask(7, question)).toEqual({ fault: 'late', reason: 'no answer within 0.3 s' })
    expect(outcomes).toEqual([['sample', 'late']])
    answers('{"decision":"decline"}')
    expect(await hook.ask(7, question)).toEqual({ json: { decision: 'decline' } })
  })
})

describe('a hook that misbehaves', () => {
  let server: Server
  let url: string
  let behave: (socket: Socket) => void
  const sockets = new Set<Socket>()

  beforeEach(async () => {
    server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
      socket.once('data', () => behave(socket))
    })
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const address = server.address()
    url = `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/`
  })
  afterEach(() => void server.close())

  test.each<[string, (socket: Socket) => void]>([
    ['says nothing', () => undefined],
    ['stops within its headers', (socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-')],
    ['stops within its body', (socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{"a"')],
  ])('and %s is late', async (_kind, behaviour) => {
    open(url)
    behave = behaviour
    const started = performance.now()
    expect(await hook.ask(7, question)).toEqual({ fault: 'late', reason: 'no answer within 0.3 s' })
    expect(performance.now() - started).toBeLessThan(LATE_MS)
  })

  test.each<[string, (socket: Socket) => void]>([
    ['resets the connection', (socket) => void socket.resetAndDestroy()],
    ['ends the connection', (socket) => void socket.end()],
    ['answers something else than HTTP', (socket) => void socket.end('SSH-2.0-OpenSSH_9.6\r\n')],
    [
      'resets the connection within its body',
      (socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{"a"', () => socket.resetAndDestroy()),
    ],
    [
      'sends headers without end',
      (socket) => {
        socket.write('HTTP/1.1 200 OK\r\n')
        for (let at = 0; at < 40; at++) socket.write(`x-filler: ${'x'.repeat(1_000)}\r\n`)
      },
    ],
  ])('and %s is unreachable', async (_kind, behaviour) => {
    open(url, { timeoutMs: 10_000 })
    behave = behaviour
    expect(await hook.ask(7, question)).toEqual({ fault: 'unreachable', reason: expect.stringMatching(/./) })
    expect(outcomes).toEqual([['sample', 'unreachable']])
  })

  test('and sends a body without end is cut off', async () => {
    open(url, { timeoutMs: 10_000 })
    behave = (socket) => {
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n')
      const more = () => {
        while (!socket.destroyed && socket.write(`1000\r\n${'x'.repeat(4096)}\r\n`));
        if (!socket.destroyed) socket.once('drain', more)
      }
      more()
    }
    expect(await hook.ask(7, question)).toMatchObject({
      fault: 'unintelligible',
      reason: expect.stringMatching(/more/),
    })
    await expect.poll(() => sockets.size).toBe(0)
  })

  test('and hangs answers further questions at once, leaves room to other organisations, and recovers', async () => {
    open(url, { maxAtOnce: 8, timeoutMs: 1_000 })
    behave = () => undefined
    const hanging = Array.from({ length: 6 }, () => hook.ask(7, question))
    const busy = { fault: 'unreachable', reason: 'too many questions under way' }
    const started = performance.now()
    expect(await hook.ask(7, question)).toEqual(busy)
    const others = [hook.ask(8, question), hook.ask(9, question)]
    expect(await hook.ask(10, question)).toEqual(busy)
    // At once: before the deadline of the others.
    expect(performance.now() - started).toBeLessThan(1_000)
    const ended = await Promise.all([...hanging, ...others])
    expect(ended.map((answer) => ('fault' in answer ? answer.fault : 'answered'))).toEqual(Array(8).fill('late'))
    expect(sockets.size).toBeLessThanOrEqual(8)
    behave = (socket) => void socket.write('HTTP/1.1 200 OK\r\ncontent-length: 22\r\n\r\n{"decision":"approve"}')
    expect(await hook.ask(7, question)).toEqual({ json: { decision: 'approve' } })
  })

  test('and hangs does not hold up the end of the service', async () => {
    open(url, { timeoutMs: 60_000 })
    behave = () => void hook.close()
    expect(await hook.ask(7, question)).toEqual({ fault: 'unreachable', reason: expect.stringMatching(/./) })
    expect(await hook.ask(7, question)).toMatchObject({ fault: 'unreachable' })
  })
})

describe('the address of a hook', () => {
  const resolving =
    (address: string): Resolve =>
    () =>
      Promise.resolve([{ address, family: 4 }])

  test('is unreachable where nothing listens', async () => {
    open('http://127.0.0.1:1/')
    expect(await hook.ask(7, question)).toMatchObject({ fault: 'unreachable', reason: expect.stringMatching(/127/) })
  })

  test('is unreachable or late where its name is never looked up', async () => {
    open('http://hook.example/', { resolve: () => new Promise(() => undefined) })
    const started = performance.now()
    const answer = await hook.ask(7, question)
    expect(answer).toMatchObject({ fault: expect.stringMatching(/^(late|unreachable)$/) })
    expect(performance.now() - started).toBeLessThan(LATE_MS)
  })

  test('may not be one at which clouds serve credentials', async () => {
    open('http://169.254.169.254/latest', { timeoutMs: 10_000 })
    expect(await hook.ask(7, question)).toMatchObject({
      fault: 'unreachable',
      reason: expect.stringMatching(/may not/),
    })
    await hook.close()
    open('http://hook.example/', { timeoutMs: 10_000, resolve: resolving('169.254.169.254') })
    expect(await hook.ask(7, question)).toMatchObject({
      fault: 'unreachable',
      reason: expect.stringMatching(/may not/),
    })
  })
})
