import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Load, type Pay, startLoad } from '../../support/postgres/load.ts'
import {
  follow,
  freeze,
  kill,
  launch,
  type Pair,
  promote,
  startPair,
  stopPair,
  synchronous,
  thaw,
} from '../../support/postgres/pair.ts'
import {
  ask,
  endServices,
  preparedDataDir,
  runPurser,
  type Service,
  scratchFolder,
  startService,
  until,
} from '../../support/service.ts'

const soak = Boolean(process.env.SOAK)
const FAULTS = soak ? 20 : 3
const CLIENTS = 4
/** So many requests are refused by each service before the database begins to recover. */
const REFUSALS = soak ? 40 : 4

/** A fault and its end, by which the database has recovered. In between, `felt` waits until both services feel it. */
type Fault = (pair: Pair, felt: () => Promise<void>) => Promise<void>

const faults: Record<string, Fault> = {
  async 'primary frozen, failover'(pair, felt) {
    await freeze(pair.primary)
    await felt()
    await kill(pair.primary)
    await promote(pair)
    await follow(pair)
  },
  async 'standby away'(pair, felt) {
    await kill(pair.standby)
    await felt()
    await launch(pair.standby, pair.primary)
  },
  async 'network cut'({ nodes }, felt) {
    for (const { proxy } of nodes) proxy.swallow()
    await felt()
    for (const { proxy } of nodes) proxy.accept()
  },
  async 'primary killed, failover'(pair, felt) {
    await kill(pair.primary)
    await felt()
    await promote(pair)
    await follow(pair)
  },
  async 'primary frozen, thawed'({ primary }, felt) {
    await freeze(primary)
    await felt()
    thaw(primary)
  },
  async 'restarted in place'({ primary, standby }, felt) {
    await kill(primary)
    await felt()
    await launch(primary, standby)
  },
  async 'read-only'({ primary }, felt) {
    await setReadOnly(primary.server, 'on')
    await felt()
    await setReadOnly(primary.server, 'off')
  },
  async 'standby frozen'(pair, felt) {
    await freeze(pair.standby)
    await felt()
    thaw(pair.standby)
  },
}

async function setReadOnly(server: Pair['primary']['server'], value: 'on' | 'off'): Promise<void> {
  await ask(server, `begin read write; alter database postgres set default_transaction_read_only = ${value}; commit`)
  // A session takes the setting of its database when it begins.
  await ask(
    server,
    'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname is not null',
  )
}

let pair: Pair
let services: Service[]
let environment: Record<string, string> & { PURSER_DATA_DIR: string }
beforeAll(async () => {
  const dataDir = await preparedDataDir()
  pair = await startPair(dataDir)
  const hosts = pair.nodes.map(({ proxy }) => `${proxy.server.host}:${proxy.server.port}`).join(',')
  environment = {
    PURSER_DATA_DIR: join(scratchFolder(), 'data'),
    DATABASE_URL: `postgres://purser@${hosts}/postgres`,
    PURSER_API_KEY: 'key-of-the-service',
    PURSER_ENCRYPTION_KEY: readFileSync(join(dataDir, 'encryption-key'), 'utf8').trim(),
    LOG_LEVEL: 'error',
  }
  services = [await startService(environment), await startService(environment)]
})
afterAll(async () => {
  await stopPair(pair)
  await endServices()
})

async function payments(): Promise<Pay> {
  const service = services[0] as Service
  async function post(path: string, body: unknown) {
    const { status, text, json } = await service.call('POST', path, { body })
    expect(status, text).toBe(201)
    return json.data
  }
  const customer = await post('/v0/sandbox/customers', { name: 'Ada Example' })
  const account = await post('/v0/banking/accounts', { customerId: customer.id })
  await post(`/v0/sandbox/accounts/${account.id}/receive-ach`, { amount: 1_000_000_00, companyName: 'Sample Payroll' })
  const counterparty = await post(`/v0/banking/customers/${customer.id}/external-accounts`, {
    type: 'Person',
    name: 'Ada Example',
    accountType: 'Checking',
    routingNumber: '021000021',
    accountNumber: '9876543210',
  })
  const path = `/v0/banking/accounts/${account.id}/payments`
  const body = { amount: 1, counterpartyAccountId: counterparty.id, originalType: 'ACH', description: 'Rent' }
  return (to, idempotencyKey) => to.call('POST', path, { body, idempotencyKey })
}

interface Measured {
  fault: string
  /** From the beginning of the fault until the database answered a COMMIT again. */
  recoveredMs: number
  /** From then until both services had acknowledged a payment. */
  writesMs: number
  /** The longest answer to a request that was under way when the fault began, or that was sent meanwhile. */
  inFlightMs: number
}

/** Waits until each service has answered so many requests in a way, of those that were sent after a time. */
async function answered(load: Load, status: number, sinceMs: number, count = 1): Promise<void> {
  await until(`${count} answers ${status} of each service`, () =>
    services.every((_, number) => {
      const own = load.answers.filter((answer) => answer.service === number && answer.sentMs > sinceMs)
      return own.filter((answer) => answer.status === status).length >= count
    }),
  )
}

async function suffer(fault: string, load: Load): Promise<Measured> {
  const beganMs = performance.now()
  await faults[fault]?.(pair, async () => {
    await answered(load, 503, beganMs, REFUSALS)
    await until('both services not to be ready', async () => {
      const replies = await Promise.all(services.map((service) => service.call('GET', '/readyz')))
      return replies.every(({ status }) => status === 503)
    })
  })
  await synchronous(pair)
  const recoveredAtMs = performance.now()
  await answered(load, 201, recoveredAtMs)
  const during = load.answers.filter(({ sentMs, ms }) => sentMs + ms > beganMs && sentMs < recoveredAtMs)
  return {
    fault,
    recoveredMs: recoveredAtMs - beganMs,
    writesMs: performance.now() - recoveredAtMs,
    inFlightMs: Math.max(0, ...during.map(({ ms }) => ms)),
  }
}

test(`two services survive ${FAULTS} faults of the database: nothing is lost, doubled or skipped`, async () => {
  const pay = await payments()
  const load = startLoad(services, CLIENTS, pay)
  const names = Object.keys(faults)
  const measured: Measured[] = []
  await answered(load, 201, 0)
  for (let index = 0; index < FAULTS; index++) {
    measured.push(await suffer(names[index % names.length] ?? '', load))
  }
  await load.stop()

  const { acknowledged } = load
  const repeated = await Promise.all(
    [...acknowledged].map(async ([key, text]) => (await pay(services[0] as Service, key)).text === text),
  )
  const lost = repeated.filter((same) => !same).length
  const [stored] = await ask<{ count: string }>(pair.primary.server, 'select count(*) from payment')
  const doubled = Number(stored?.count) - acknowledged.size
  const numbers = await sequences(services[1] as Service)
  const gaps = numbers.filter((sequence, place) => sequence !== place + 1).length
  print(measured, { acknowledged: acknowledged.size, lost, doubled, gaps })

  expect({ lost, doubled, gaps, wrong: load.wrong }).toEqual({ lost: 0, doubled: 0, gaps: 0, wrong: [] })
  const verified = await runPurser(['verify'], { environment })
  expect([verified.code, verified.stderr]).toEqual([0, expect.stringContaining('every law of the ledger holds')])
})

/** The numbers of all events, by the feed. */
async function sequences(service: Service): Promise<number[]> {
  const numbers: number[] = []
  for (;;) {
    const { json } = await service.call('GET', `/v0/events?limit=1000&after=${numbers.at(-1) ?? 0}`)
    if (json.data.length === 0) return numbers
    for (const { sequence } of json.data) numbers.push(sequence)
  }
}

function print(measured: Measured[], totals: Record<string, number>): void {
  const seconds = (ms: number) => (ms / 1_000).toFixed(1).padStart(7)
  const lines = measured.map(
    ({ fault, recoveredMs, writesMs, inFlightMs }, index) =>
      `${String(index + 1).padStart(2)}  ${fault.padEnd(26)}${[recoveredMs, writesMs, inFlightMs].map(seconds).join('  ')}`,
  )
  const head = `    fault                     recovered  writes  in flight   (seconds)`
  const longest = `longest time without a write after the recovery: ${seconds(Math.max(...measured.map(({ writesMs }) => writesMs))).trim()} s`
  process.stdout.write(`\n${[head, ...lines, longest, JSON.stringify(totals)].join('\n')}\n`)
}
