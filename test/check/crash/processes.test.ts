import { type IncomingHttpHeaders, request } from 'node:http'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { openDatabase, plainTimeouts } from '../../../src/database/database.ts'
import { createServiceDatabase } from '../../support/harness.ts'
import { runKillLoop } from '../../support/kill-loop.ts'
import { expectSoundLedger } from '../../support/ledger.ts'
import { isRunning, processesOf } from '../../support/processes/of-service.ts'
import { type DatabaseProxy, openProxy } from '../../support/proxy.ts'
import { choicesOfTest } from '../../support/random.ts'
import {
  databaseUrl,
  embeddedOf,
  endServices,
  isPostgres,
  launchService,
  postmasterOf,
  preparedDataDir,
  type Service,
  scratchFolder,
  startService,
  until,
} from '../../support/service.ts'

const soak = Boolean(process.env.SOAK)
const PAYMENTS = soak ? 2_000 : 120
/** In a long run each process is killed some eight times, and replaced after pauses that grow to five seconds. */
const KILLS = soak ? 16 : 3

afterEach(endServices)

async function fundedAccount({ call }: Service): Promise<{ account: string; external: string }> {
  const post = async (path: string, body: unknown) => {
    const { status, text, json } = await call('POST', path, { body })
    expect(status, text).toBe(201)
    return json.data.id
  }
  const customer = await post('/v0/sandbox/customers', { name: 'Ada Example' })
  const account = await post('/v0/banking/accounts', { customerId: customer })
  await post(`/v0/sandbox/accounts/${account}/receive-ach`, { amount: 1_000_000, companyName: 'Sample Payroll' })
  const external = await post(`/v0/banking/customers/${customer}/external-accounts`, {
    type: 'Person',
    name: 'Ada Example',
    accountType: 'Checking',
    routingNumber: '021000021',
    accountNumber: '9876543210',
  })
  return { account, external }
}

interface Call {
  method?: string
  key?: string
  requestId?: string
  body?: unknown
}

/** Connections are handed out in turn; one that is kept alive stays with its process. */
async function onNewConnection(service: Service, path: string, call: Call = {}) {
  const { method = 'GET', key = service.key, requestId, body } = call
  const headers = {
    'X-Service-API-Key': key,
    'Content-Type': 'application/json',
    ...(requestId && { 'X-Request-Id': requestId }),
  }
  return new Promise<{ status: number; headers: IncomingHttpHeaders; json: Json }>((resolve, reject) => {
    const sent = request(`${service.url}${path}`, { agent: false, method, headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          json: text === '' ? undefined : JSON.parse(text),
        }),
      )
    })
    sent.once('error', reject).end(body === undefined ? undefined : JSON.stringify(body))
  })
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as the JSON they are
type Json = any

const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))

const statusesOf = (replies: { status: number }[]) => replies.map(({ status }) => status)

interface LogLine {
  process?: number
  path?: string
  msg?: string
}

/** The JSON lines of the output. A line that begins like one and is broken fails. */
function logLines(output: string): LogLine[] {
  return output
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
}

/** How many processes have served in the place of another one. */
const replacements = (service: Service) =>
  logLines(service.output()).filter(({ msg }) => msg === 'a process was replaced').length

test('two processes behind one port: both serve, one is killed again and again under load, nothing is lost', async () => {
  const dataDir = await preparedDataDir()
  const service = await startService({ PURSER_DATA_DIR: dataDir, PURSER_PROCESSES: '2', PURSER_METRICS_PORT: '0' })
  const { account, external } = await fundedAccount(service)
  expect(processesOf(service)).toHaveLength(2)

  const body = { amount: 1, counterpartyAccountId: external, description: 'Kill', originalType: 'ACH' }
  const choices = choicesOfTest()
  const result = await runKillLoop({
    requests: PAYMENTS,
    kills: KILLS,
    send: async (_index, idempotencyKey) => {
      const path = `/v0/banking/accounts/${account}/payments`
      const { status, text, headers } = await service.call('POST', path, { body, idempotencyKey })
      return { status, text, replayed: headers.get('Idempotent-Replayed') === 'true' }
    },
    kill: async () => {
      const before = replacements(service)
      process.kill(choices.pick(...processesOf(service)), 'SIGKILL')
      await until('another process to serve in its place', () => replacements(service) > before)
    },
  })
  expect(result.refused).toEqual([])
  expect(result.again).toEqual(result.first.map((text) => ({ status: 201, text, replayed: true })))
  expect(new Set(result.first.map((text) => JSON.parse(text).data.id)).size).toBe(PAYMENTS)
  const { json } = await service.call('GET', `/v0/banking/accounts/${account}`)
  expect(json.data.balance).toBe(1_000_000 - PAYMENTS)
  const database = openDatabase({ servers: [embeddedOf(dataDir)], connections: 1, timeouts: plainTimeouts })
  await expectSoundLedger({ database })
  await database.close()

  // Requests of both are in one log, in whole lines, and in the metrics of one port.
  await until('a replaced process to serve', async () => {
    await times(4, () => onNewConnection(service, '/v0/me'))
    const lines = logLines(service.output())
    const ended = lines.filter(({ msg }) => msg === 'a process ended and is replaced')
    const served = new Set(lines.filter(({ path }) => path === '/v0/me').map((line) => line.process))
    return ended.length === KILLS && served.has(1) && served.has(2)
  })
  const [, metrics = ''] = await service.printed(/metrics at (http:\/\/\S+)\n/)
  const text = await (await fetch(metrics)).text()
  for (const number of [1, 2]) {
    expect(text).toMatch(
      new RegExp(`purser_http_request_duration_seconds_count{.*operation="getMe".*process="${number}"`),
    )
    expect(text).toMatch(new RegExp(`purser_database_connections_max{pool="requests",process="${number}"} 10`))
  }
  expect(text.match(/# TYPE purser_http_request_duration_seconds /g)).toHaveLength(1)

  await expectOneService(service)

  // SIGTERM ends all of them when their requests are answered, then the database server.
  const postmaster = postmasterOf(dataDir) ?? 0
  const processes = processesOf(service)
  const last = service.call('GET', '/v0/events?wait=20&after=latest')
  // Nothing shows that it has arrived; a busy machine needs more than a moment.
  await sleep(2_000)
  const { code, stdout, stderr } = await service.stop()
  expect([code, stderr, (await last).status]).toEqual([0, '', 200])
  expect(stdout).toMatch(/SIGTERM: finishing the requests in progress\n[\s\S]*stopped\n$/)
  expect(stdout.match(/stopped\n/g)).toHaveLength(1)
  expect(processes.filter(isRunning)).toEqual([])
  expect(isPostgres(postmaster)).toBe(false)
})

/** Whichever process answers, a caller sees the same requests, keys and fault rules. */
async function expectOneService(service: Service): Promise<void> {
  const { json: logged } = await onNewConnection(service, '/v0/requests?limit=1000')
  const after = logged.data.at(-1).sequence
  const waiting = onNewConnection(service, `/v0/requests?after=${after}&wait=30&requestId=one-of-8-7`)
  const sent = await times(8, (index) => onNewConnection(service, '/v0/me', { requestId: `one-of-8-${index}` }))
  expect(statusesOf(sent)).toEqual(Array(8).fill(200))
  const isSent = ({ requestId }: { requestId: string }) => requestId.startsWith('one-of-8-')
  const lists = await times(4, () => onNewConnection(service, '/v0/requests?limit=1000&operation=getMe'))
  const ids = lists.map(({ json }) => json.data.filter(isSent).map(({ id }: { id: string }) => id))
  expect(new Set(ids[0]).size).toBe(8)
  // Both have served some of them, and each id has a word of its process.
  expect(new Set(ids[0].map((id: string) => id.split('_').at(-1))).size).toBe(2)
  for (const list of ids) expect(list).toEqual(ids[0])
  const numbers = lists.map(({ json }) => json.data.map(({ sequence }: { sequence: number }) => sequence))
  expect(numbers[0]).toEqual([...new Set<number>(numbers[0])].sort((one, other) => one - other))
  const details = await times(16, (index) => onNewConnection(service, `/v0/requests/${ids[0][index % 8]}`))
  expect(details.map(({ json }) => json.data.id)).toEqual([...ids[0], ...ids[0]])
  expect((await onNewConnection(service, '/v0/requests/req_1_1_none')).status).toBe(404)
  expect((await waiting).json.data).toMatchObject([{ requestId: 'one-of-8-7', operation: 'getMe' }])
  // Pages follow each other without a gap, and end.
  const paged: string[] = []
  for (let path = '/v0/requests?limit=3&operation=getMe'; path !== ''; ) {
    const { json, headers } = await onNewConnection(service, path)
    paged.push(...json.data.filter(isSent).map(({ id }: { id: string }) => id))
    path = /^<(.*)>; rel="next"$/.exec(String(headers.link))?.[1] ?? ''
  }
  expect(paged).toEqual(ids[0])

  const rule = { match: { operation: 'listCards' }, effect: { status: 503 } }
  const made = await onNewConnection(service, '/v0/sandbox/faults', { method: 'POST', body: rule })
  expect(statusesOf(await times(4, () => onNewConnection(service, '/v0/banking/cards')))).toEqual(Array(4).fill(503))
  await onNewConnection(service, `/v0/sandbox/faults/${made.json.data.id}`, { method: 'DELETE' })
  expect(statusesOf(await times(4, () => onNewConnection(service, '/v0/banking/cards')))).toEqual(Array(4).fill(200))

  const issued = await onNewConnection(service, '/v0/api-keys', { method: 'POST', body: { name: 'Short' } })
  const { id, key } = issued.json.data
  expect(statusesOf(await times(4, () => onNewConnection(service, '/v0/me', { key })))).toEqual(Array(4).fill(200))
  await onNewConnection(service, `/v0/api-keys/${id}`, { method: 'DELETE' })
  expect(statusesOf(await times(4, () => onNewConnection(service, '/v0/me', { key })))).toEqual(Array(4).fill(401))
}

test('limits hold for all processes together, and a start that cannot succeed says why, once', async () => {
  const { server, drop } = await createServiceDatabase()
  const proxy = await openProxy(server)
  const environment = {
    PURSER_DATA_DIR: join(scratchFolder(), 'data'),
    DATABASE_URL: databaseUrl(proxy.server),
    PURSER_API_KEY: 'key-of-the-first-organisation',
    PURSER_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
    PURSER_MODE: 'live',
    PURSER_ACH: 'instant',
    PURSER_PROCESSES: '2',
  }
  await expectSharedLimits({ ...environment, PURSER_RATE_LIMIT_READS: '20' }, proxy)
  const taken = createServer()
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve))
  const { port } = taken.address() as { port: number }
  try {
    const inUse = await launchService({ ...environment, PORT: String(port) }).exited
    expect([inUse.code, inUse.stderr]).toEqual([
      1,
      `purser: 127.0.0.1:${port} is in use: stop the other process or set PORT (--port)\n`,
    ])
    const noMetrics = await launchService({ ...environment, PURSER_METRICS_PORT: String(port) }).exited
    expect([noMetrics.code, noMetrics.stderr]).toEqual([
      1,
      `purser: 127.0.0.1:${port} is in use: stop the other process or set PURSER_METRICS_PORT\n`,
    ])
    const tooMany = await launchService({ ...environment, PURSER_PROCESSES: '64' }).exited
    expect(tooMany.code).toBe(1)
    expect(tooMany.stderr).toMatch(
      /^purser: PURSER_PROCESSES=64 needs 1032 connections, 16 for each process, and the database allows \d+: raise max_connections, or set PURSER_PROCESSES to \d+\n$/,
    )
  } finally {
    taken.close()
    await endServices()
    await proxy.close()
    await drop()
  }
})

/** A burst is 40 reads, of which a process may hold 2 that it does not use. */
async function expectSharedLimits(
  environment: Parameters<typeof startService>[0],
  proxy: DatabaseProxy,
): Promise<void> {
  const service = await startService(environment)
  // The first look-ups of the key.
  await times(4, () => onNewConnection(service, '/v0/me'))
  await sleep(2_500)
  const startedMs = performance.now()
  const replies = await times(120, () => onNewConnection(service, '/v0/me'))
  const grown = ((performance.now() - startedMs) / 1_000) * 20
  const served = replies.filter(({ status }) => status === 200)
  const refused = replies.filter(({ status }) => status === 429)
  expect(served.length + refused.length).toBe(120)
  expect(served.length).toBeGreaterThanOrEqual(36)
  expect(served.length).toBeLessThanOrEqual(44 + Math.ceil(grown))
  for (const { headers } of refused) expect(Number(headers['retry-after'])).toBe(1)
  const left = served.map(({ headers }) => Number(/r=(\d+)/.exec(String(headers.ratelimit))?.[1]))
  expect(Math.max(...left)).toBeLessThan(40)
  expect(Math.min(...left)).toBeLessThan(4)

  // Ten unknown keys are looked up, then the address is refused by every process; a key that worked goes on.
  const guesses = await times(24, (index) => onNewConnection(service, '/v0/me', { key: `unknown-key-${index}` }))
  expect(guesses.filter(({ status }) => status === 401)).toHaveLength(10)
  expect(guesses.filter(({ status }) => status === 429)).toHaveLength(14)
  await sleep(1_100)
  const later = await times(4, () => onNewConnection(service, '/v0/me', { key: 'another-unknown-key' }))
  expect(statusesOf(later)).toEqual(Array(4).fill(429))
  for (const { headers } of later) expect(Number(headers['retry-after'])).toBeGreaterThan(40)
  expect(statusesOf(await times(4, () => onNewConnection(service, '/v0/me')))).toEqual(Array(4).fill(200))

  // Processes that take the places of others know all of this.
  for (const victim of processesOf(service)) {
    const before = replacements(service)
    process.kill(victim, 'SIGKILL')
    await until('another process in its place', () => replacements(service) > before)
  }
  const guessed = await times(4, () => onNewConnection(service, '/v0/me', { key: 'one-more-unknown-key' }))
  const keyless = await times(4, () => onNewConnection(service, '/v0/me', { key: '' }))
  expect(statusesOf([...guessed, ...keyless])).toEqual(Array(8).fill(429))
  expect(statusesOf(await times(4, () => onNewConnection(service, '/v0/me')))).toEqual(Array(4).fill(200))
  await expectPatientProcess(service, proxy)
  expect((await service.stop()).code).toBe(0)
}

/** A process that takes the place of another one while the database is away waits for the database. */
async function expectPatientProcess(service: Service, proxy: DatabaseProxy): Promise<void> {
  const count = (text: string) => logLines(service.output()).filter(({ msg }) => msg?.startsWith(text)).length
  const [ended, replaced] = [count('a process ended'), count('a process was replaced')]
  proxy.swallow()
  const [victim = 0] = processesOf(service)
  process.kill(victim, 'SIGKILL')
  await until('a process that waits', () => count('waiting up to 60 s for the database') > 0)
  proxy.accept()
  await until('another process in its place', () => count('a process was replaced') > replaced)
  expect(count('a process ended')).toBe(ended + 1)
}
