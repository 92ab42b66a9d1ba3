import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createSocketServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Event, Purser, unwrap } from '../../client/src/index.ts'
import { UsageError } from '../../ground/failure.ts'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { endServices, launchPurser, runPurser, scratchFolder } from '../../test/support/service.ts'
import { type Attempt, type Forwarder, openForwarder } from './forwarder.ts'
import { listenSecret, secretPath } from './secret.ts'
import { targetOf } from './target.ts'

interface Received {
  headers: IncomingHttpHeaders
  body: string
}

let bank: TestBank
let purser: Purser
let url: string
let app: Server
let appUrl: URL
let received: Received[]
let answer: (request: Received, response: ServerResponse) => void

beforeAll(async () => {
  bank = await openTestBank({ webhooks: {} })
  url = await bank.app.listen({ port: 0, host: '127.0.0.1' })
  purser = new Purser({ url, apiKey: bank.key })
})
afterAll(async () => {
  await bank.close()
  await endServices()
})

beforeEach(async () => {
  received = []
  answer = (_request, response) => response.end('thanks')
  app = await openApp(0)
  appUrl = new URL(`http://127.0.0.1:${(app.address() as AddressInfo).port}/hooks`)
})
afterEach(() => closeApp(app))

async function openApp(port: number): Promise<Server> {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const one = { headers: request.headers, body }
    received.push(one)
    answer(one, response)
  })
  await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening))
  return server
}

function closeApp(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((closed) => server.close(() => closed()))
}

const secret = listenSecret(`whsec_${Buffer.alloc(32, 1).toString('base64')}`, {})
let ended: AbortController
let attempts: Attempt[]
let forwarder: Forwarder

function open(options: { target?: URL; pausesMs?: number[]; timeoutMs?: number } = {}): Forwarder {
  ended = new AbortController()
  attempts = []
  forwarder = openForwarder({
    target: appUrl,
    secret,
    userAgent: 'Purser/0.0.0-test',
    signal: ended.signal,
    show: (attempt) => attempts.push(attempt),
    pausesMs: [50, 50],
    ...options,
  })
  return forwarder
}
afterEach(() => {
  ended?.abort()
  forwarder?.close()
})

const outcomes = () => attempts.map(({ event, attempt, status }) => `${event.sequence}.${attempt}: ${status}`)

/** An event as the forwarder sees it. */
function eventOf(sequence: number, id = String(sequence)): Event {
  return { id: `evt_1_${sequence}`, type: 'card.created', sequence, entity: { type: 'card', id, version: 1 } } as Event
}

test('an event is forwarded exactly as the service delivers it', async () => {
  const endpoint = await purser.webhookEndpoints.create({ url: appUrl.href, events: ['customer.created'] })
  const { id } = await purser.sandbox.customers.create({ name: 'Zoë "Ada" Example \u2028 </script>' })
  await vi.waitFor(() => expect(received.length).toBe(1), { timeout: 20_000 })
  await purser.webhookEndpoints.delete(endpoint.id)
  const [delivered] = received.splice(0)
  const [event] = (await purser.events.list({ entityType: 'customer', entityId: id }).page()).data
  await open().add(event as Event)
  await vi.waitFor(() => expect(received.length).toBe(1), { timeout: 20_000 })
  const [forwarded] = received
  expect(forwarded?.body).toBe(delivered?.body)
  const names = ['webhook-timestamp', 'webhook-signature', 'webhook-key-id']
  const constant = (headers: IncomingHttpHeaders = {}) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)))
  expect(constant(forwarded?.headers)).toEqual(constant(delivered?.headers))
  expect(Object.keys(forwarded?.headers ?? {}).toSorted()).toEqual(Object.keys(delivered?.headers ?? {}).toSorted())
  expect((await unwrap(forwarded?.body ?? '', forwarded?.headers ?? {}, secret)).id).toBe(event?.id)
  await expect(unwrap(forwarded?.body ?? '', forwarded?.headers ?? {}, endpoint.secret)).rejects.toMatchObject({
    reason: 'other_secret',
  })
})

describe('a forward that fails', () => {
  test('is tried again, while later events of the same record wait and those of others go on', async () => {
    let refusals = 2
    answer = ({ body }, response) => {
      response.statusCode = JSON.parse(body).sequence === 1 && refusals-- > 0 ? 503 : 200
      response.end('done')
    }
    const own = open()
    for (const [sequence, record] of [1, 2, 3].map((each) => [each, each === 2 ? 'other' : 'same'] as const)) {
      await own.add(eventOf(sequence, record))
    }
    await vi.waitFor(() => expect(attempts.length).toBe(5), { timeout: 20_000 })
    expect(outcomes().filter((each) => !each.startsWith('2'))).toEqual(['1.1: 503', '1.2: 503', '1.3: 200', '3.1: 200'])
    expect(outcomes().indexOf('2.1: 200')).toBeLessThan(2)
    expect(attempts.find(({ event }) => event.sequence === 1)?.retryInMs).toBe(50)
  })

  test('is given up after the last pause', async () => {
    answer = (_request, response) => {
      response.statusCode = 410
      response.end('gone')
    }
    const own = open()
    await own.add(eventOf(1, 'same'))
    await own.add(eventOf(2, 'same'))
    await vi.waitFor(() => expect(attempts.length).toBe(6), { timeout: 20_000 })
    expect(attempts.map(({ retryInMs }) => retryInMs)).toEqual([50, 50, null, 50, 50, null])
  })

  test('waits for as long as the app asks for, up to a minute', async () => {
    answer = (_request, response) => response.writeHead(429, { 'retry-after': '3600' }).end()
    await open().add(eventOf(1))
    await vi.waitFor(() => expect(attempts.map(({ retryInMs }) => retryInMs)).toEqual([60_000]), { timeout: 20_000 })
  })

  test('says that the app is not there, and succeeds once it is', async () => {
    const { port } = app.address() as AddressInfo
    await closeApp(app)
    await open({ pausesMs: [20, 20, 20, 1_000] }).add(eventOf(1))
    await vi.waitFor(() => expect(attempts.length).toBe(4), { timeout: 20_000 })
    expect(attempts[0]?.error).toBe(`nothing listens on 127.0.0.1:${port}: is the app running?`)
    app = await openApp(port)
    await vi.waitFor(() => expect(attempts.at(-1)?.status).toBe(200), { timeout: 10_000 })
  })

  test('ends in time if the app says nothing, is read to a limit if it says too much, and no redirect is followed', async () => {
    answer = () => undefined
    await open({ timeoutMs: 100, pausesMs: [] }).add(eventOf(1))
    await vi.waitFor(() => expect(attempts[0]?.error).toBe('no answer within 0.1 s'), { timeout: 20_000 })
    answer = (_request, response) => response.end('x'.repeat(1_000_000))
    await open({ pausesMs: [] }).add(eventOf(1))
    await vi.waitFor(() => expect(attempts[0]?.body).toBe(`${'x'.repeat(200)}…`), { timeout: 20_000 })
    answer = (_request, response) => response.writeHead(308, { location: '/hooks/' }).end()
    await open({ pausesMs: [] }).add(eventOf(1))
    await vi.waitFor(
      () => expect(attempts[0]).toMatchObject({ status: 308, error: 'redirects are not followed: /hooks/' }),
      { timeout: 20_000 },
    )
    const raw = createSocketServer((socket) => socket.once('data', () => socket.end('nonsense\r\n\r\n')))
    await new Promise<void>((listening) => raw.listen(0, '127.0.0.1', listening))
    const target = new URL(`http://127.0.0.1:${(raw.address() as AddressInfo).port}`)
    await open({ target, pausesMs: [] }).add(eventOf(1))
    await vi.waitFor(() => expect(attempts[0]).toMatchObject({ status: null, error: expect.stringMatching(/HTTP/) }), {
      timeout: 20_000,
    })
    raw.close()
  })
})

test('at most 20 requests are on their way and 1,000 events in hand; the end lets go of all', async () => {
  const open20: { event: string; response: ServerResponse }[] = []
  answer = (request, response) => {
    const event = request.headers['webhook-id']
    if (event) open20.push({ event: String(event), response })
    else response.end()
  }
  const own = open()
  const added: number[] = []
  const all = Promise.all(
    Array.from({ length: 1_005 }, async (_, at) => {
      await own.add(eventOf(at + 1))
      added.push(at)
    }),
  )
  await vi.waitFor(() => expect(open20.length).toBe(20), { timeout: 20_000 })
  // A further one would have arrived before this request, which is sent after it.
  await fetch(appUrl)
  expect([open20.length, added.length]).toEqual([20, 1_000])
  // Requests on connections of their own arrive in any order.
  const first = [1, 2, 3].map((number) => eventOf(number).id)
  for (const { response } of open20.filter(({ event }) => first.includes(event))) response.end()
  await vi.waitFor(() => expect([open20.length, added.length]).toEqual([23, 1_003]), { timeout: 20_000 })
  ended.abort()
  await all
  expect(own.firstPending()).toBe(4)
})

test('an address is a URL, host, port and path, or a port', () => {
  const addresses = ['localhost:3000/hooks', '3000', ':3000/hooks', 'app.test', 'HTTPS://app.test/a?b=c', '[::1]:80']
  expect(addresses.map((each) => targetOf(each).href)).toEqual([
    'http://localhost:3000/hooks',
    'http://localhost:3000/',
    'http://localhost:3000/hooks',
    'http://app.test/',
    'https://app.test/a?b=c',
    'http://[::1]/',
  ])
  for (const wrong of ['ftp://app.test', 'http://', 'localhost:99999', '', 'http://u:p@app.test', 'app.test/#x']) {
    expect(() => targetOf(wrong)).toThrow(UsageError)
  }
})

test('the secret is made once, kept for its user alone, and replaced by one that is given', () => {
  const home = scratchFolder()
  const environment = { XDG_CONFIG_HOME: home }
  const own = listenSecret(undefined, environment)
  expect(own).toMatch(/^whsec_[\w+/]{43}=$/)
  expect(listenSecret(undefined, environment)).toBe(own)
  expect(listenSecret(secret, environment)).toBe(secret)
  expect(statSync(secretPath(environment)).mode & 0o777).toBe(0o600)
  expect(secretPath({ HOME: '/home/ada' })).toBe('/home/ada/.config/purser/webhook-secret')
  expect(() => listenSecret('secret', environment)).toThrow(UsageError)
  writeFileSync(secretPath(environment), 'something else')
  expect(() => listenSecret(undefined, environment)).toThrow(/does not hold a secret/)
  mkdirSync(join(home, 'other/purser/webhook-secret'), { recursive: true })
  expect(() => listenSecret(undefined, { XDG_CONFIG_HOME: join(home, 'other') })).toThrow(/EISDIR.*--secret/)
})

describe('the command', () => {
  const environment = () => ({ PURSER_URL: url, PURSER_API_KEY: bank.key, XDG_CONFIG_HOME: scratchFolder() })
  const linesOf = (text: string) =>
    text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line))

  test('forwards new events and redelivered ones, and ends with 130 at Ctrl-C', async () => {
    const own = environment()
    answer = (_request, response) => response.end('\u001b[2Jthanks')
    const before = received.length
    const words = ['listen', '--forward-to', appUrl.href, '--events', 'customer.*,card.created']
    const listening = launchPurser(words, { environment: own })
    await vi.waitFor(() => expect(listening.errors()).toMatch(/PURSER_WEBHOOK_SECRET=whsec_/), { timeout: 20_000 })
    const kept = readFileSync(secretPath(own), 'utf8').trim()
    expect(listening.errors()).toContain(`Forwards customer.*, card.created to ${appUrl.href}, from now on.`)
    expect(listening.errors()).toContain(`PURSER_WEBHOOK_SECRET=${kept}\n`)
    // Customers until the feed is followed.
    await vi.waitFor(
      async () => {
        await purser.sandbox.customers.create({ name: 'Ada Example' })
        expect(received.length).toBeGreaterThan(before)
      },
      { timeout: 20_000, interval: 200 },
    )
    const [first] = received
    const { id } = await unwrap(first?.body ?? '', first?.headers ?? {}, kept)
    const count = () => received.filter(({ headers }) => headers['webhook-id'] === id).length
    await vi.waitFor(
      async () => {
        await purser.events.redeliver(id)
        expect(count()).toBeGreaterThan(1)
      },
      { timeout: 20_000, interval: 200 },
    )
    const [account] = (await purser.events.list({ type: ['webhookEndpoint.created'] }).page()).data
    await purser.events.redeliver(account?.id ?? '')
    const exit = await listening.stop('SIGINT')
    expect(exit.code).toBe(130)
    const lines = linesOf(exit.stdout)
    expect(lines[0]).toEqual({
      sequence: expect.any(Number),
      id,
      type: 'customer.created',
      entity: expect.objectContaining({ type: 'customer' }),
      status: 200,
      ms: expect.any(Number),
      body: '\u001b[2Jthanks',
      error: null,
      attempt: 1,
      redelivered: false,
      retryInMs: null,
    })
    expect(exit.stdout).not.toContain('\u001b')
    expect(lines).toContainEqual(expect.objectContaining({ id, redelivered: true }))
    expect(new Set(lines.map(({ type }) => type))).toEqual(new Set(['customer.created']))
    // Its own reads are not in the log of requests.
    const { data } = await purser.requests.list({ operation: 'listEvents', limit: 1000 }).page()
    expect(data.filter(({ query }) => query?.includes('after=latest'))).toEqual([])
  })

  test('begins after a number, and names the place to go on from', async () => {
    answer = () => undefined
    const words = ['listen', '--forward-to', appUrl.href, '--after', '0', '--secret', secret]
    const listening = launchPurser(words, { environment: environment() })
    // The first events are forwarded at once and arrive in any order.
    const sequences = () => received.map(({ body }) => JSON.parse(body).sequence)
    await vi.waitFor(() => expect(sequences()).toContain(1), { timeout: 20_000 })
    const exit = await listening.stop('SIGINT')
    expect(exit.code).toBe(130)
    expect(exit.stderr).toContain('--after 0 begins with them')
  })

  test.each([
    [['--forward-to', 'ftp://x'], 2, /takes an http or https address/],
    [[], 2, /--forward-to is missing/],
    [['--forward-to', '1', '--after', 'x'], 2, /--after takes a sequence number/],
    [['--forward-to', '1', '--events', 'payment.*,'], 2, /separated by commas/],
    [['--forward-to', '1', '--events', 'payment.retruned'], 1, /invalid_request: .*type/],
    [['--forward-to', '1', '--api-key', 'sk_another'], 4, /unauthorized/],
  ])('is refused: %j', async (words, code, message) => {
    const exit = await runPurser(['listen', ...words], { environment: environment() })
    expect(exit).toMatchObject({ code, stdout: '', stderr: expect.stringMatching(message) })
  })
})
