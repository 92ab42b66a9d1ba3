import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
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
} from '../../support/service.ts'

vi.setConfig({ testTimeout: 1_800_000 })

const soak = Boolean(process.env.SOAK)
const FAULTS = soak ? 20 : 3
const CLIENTS = 4
/** Ten times the bounds that are promised: the machine may be busy. The table shows what was measured. */
const WRITES_AGAIN_MS = 50_000
const NEW_REQUEST_MS = 20_000
const IN_FLIGHT_MS = 100_000
/** A request that is sent so long after the beginning of a fault is a new one. */
const NEW_AFTER_MS = 4_000
/** How long a fault lasts before the database begins to recover. */
const LASTS_MS = soak ? 8_000 : 5_000

/** A fault and its end, by which the database has recovered: it answers a COMMIT that the standby has. */
type Fault = (pair: Pair) => Promise<void>

const faults: Record<string, Fault> = {
  async 'primary frozen, failover'(pair) {
    await freeze(pair.primary)
    await sleep(LASTS_MS)
    await kill(pair.primary)
    await promote(pair)
    await follow(pair)
  },
  async 'standby away'(pair) {
    await kill(pair.standby)
    await sleep(LASTS_MS)
    await launch(pair.standby, pair.primary)
  },
  async 'network cut'({ nodes }) {
    for (const { proxy } of nodes) proxy.swallow()
    await sleep(LASTS_MS)
    for (const { proxy } of nodes) proxy.accept()
  },
  async 'primary killed, failover'(pair) {
    await kill(pair.primary)
    await sleep(1_000)
    await promote(pair)
    await follow(pair)
  },
  async 'primary frozen, thawed'({ primary }) {
    await freeze(primary)
    await sleep(LASTS_MS)
    thaw(primary)
  },
  async 'restarted in place'({ primary, standby }) {
    await kill(primary)
    await sleep(1_000)
    await launch(primary, standby)
  },
  async 'read-only'({ primary }) {
    await setReadOnly(primary.server, 'on')
    await sleep(LASTS_MS)
    await setReadOnly(primary.server, 'off')
  },
  async 'standby frozen'(pair) {
    await freeze(pair.standby)
    await sleep(LASTS_MS)
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
  await endServices()
  await stopPair(pair)
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
  /** The longest answer to a request that was under way when the fault began, or that was sent soon after. */
  inFlightMs: number
  /** The longest answer to a request that was sent later and refused. */
  refusedMs: number
  /** Whether both services said meanwhile that they were not ready. */
  notReady: boolean
}

async function suffer(fault: string, load: Load): Promise<Measured> {
  const beganMs = performance.now()
  let over = false
  const seen = services.map(() => false)
  const watching = services.map(async (service, number) => {
    while (!over) {
      const { status } = await service.call('GET', '/readyz')
      seen[number] ||= status === 503
      await sleep(200)
    }
  })
  await faults[fault]?.(pair)
  await synchronous(pair)
  const recoveredAtMs = performance.now()
  over = true
  await Promise.all(watching)
  const wroteAgain = () =>
    services.every((_, number) =>
      load.answers.some(
        ({ service, sentMs, ms, status }) => service === number && status === 201 && sentMs + ms > recoveredAtMs,
      ),
    )
  while (!wroteAgain()) {
    expect(performance.now() - recoveredAtMs, `writes after: ${fault}`).toBeLessThan(WRITES_AGAIN_MS)
    await sleep(10)
  }
  const writesMs = performance.now() - recoveredAtMs
  const during = load.answers.filter(({ sentMs, ms }) => sentMs + ms > beganMs)
  const isNew = ({ sentMs }: { sentMs: number }) => sentMs > beganMs + NEW_AFTER_MS && sentMs < recoveredAtMs
  const longest = (of: typeof during) => Math.max(0, ...of.map(({ ms }) => ms))
  return {
    fault,
    recoveredMs: recoveredAtMs - beganMs,
    writesMs,
    inFlightMs: longest(during),
    refusedMs: longest(during.filter((answer) => isNew(answer) && answer.status === 503)),
    notReady: seen.every(Boolean),
  }
}

test(`two services survive ${FAULTS} faults of the database: nothing is lost, doubled or skipped`, async () => {
  const pay = await payments()
  const load = startLoad(services, CLIENTS, pay)
  const names = Object.keys(faults)
  const measured: Measured[] = []
  for (let index = 0; index < FAULTS; index++) {
    await sleep(500)
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
  for (const { fault, inFlightMs, refusedMs, notReady } of measured) {
    expect(inFlightMs, fault).toBeLessThan(IN_FLIGHT_MS)
    expect(refusedMs, fault).toBeLessThan(NEW_REQUEST_MS)
    // A server that restarts at once may be back between two looks.
    if (fault !== 'restarted in place') expect(notReady, fault).toBe(true)
  }
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
    ({ fault, recoveredMs, writesMs, inFlightMs, refusedMs, notReady }, index) =>
      `${String(index + 1).padStart(2)}  ${fault.padEnd(26)}${[recoveredMs, writesMs, inFlightMs, refusedMs].map(seconds).join('  ')}  ${notReady ? 'yes' : 'no'}`,
  )
  const head = `    fault                     recovered  writes  in flight  refused  not ready   (seconds)`
  const longest = `longest time without a write after the recovery: ${seconds(Math.max(...measured.map(({ writesMs }) => writesMs))).trim()} s`
  process.stdout.write(`\n${[head, ...lines, longest, JSON.stringify(totals)].join('\n')}\n`)
}
