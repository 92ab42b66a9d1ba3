import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Consumer, openConsumer, verify } from '../../support/consumer.ts'
import { createServiceDatabase } from '../../support/harness.ts'
import { type Attempt, runKillLoop } from '../../support/kill-loop.ts'
import { choicesOfTest } from '../../support/random.ts'
import {
  ask,
  databaseUrl,
  endServices,
  type Service,
  scratchFolder,
  startService,
  until,
} from '../../support/service.ts'

const soak = Boolean(process.env.SOAK)
const PAYMENTS = soak ? 4_000 : 80
const KILLS = soak ? 10 : 1
/** Percentage of calls that the consumer fails. */
const FAILING = 20

interface RecordedEvent {
  id: string
  type: string
  sequence: number
  entity: { type: string; id: string }
}

let pair: Service[]
let consumer: Consumer
let database: Awaited<ReturnType<typeof createServiceDatabase>>

const environment = () => ({
  PURSER_DATA_DIR: join(scratchFolder(), 'data'),
  DATABASE_URL: databaseUrl(database.server),
  PURSER_API_KEY: 'key-of-both-processes',
  PURSER_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
  // The lease of a killed process ends after four times the time-out.
  PURSER_WEBHOOK_TIMEOUT: 'PT1S',
  PURSER_WEBHOOK_RETRIES: Array(20).fill('PT0S').join(),
  LOG_LEVEL: 'warn',
})

beforeEach(async () => {
  database = await createServiceDatabase()
  consumer = await openConsumer()
  const shared = environment()
  pair = await Promise.all([startService(shared), startService(shared)])
})
afterEach(async () => {
  await endServices()
  await consumer.close()
  await database.drop()
})

test(`${PAYMENTS} payments, two processes killed ${KILLS} times, a consumer that fails one call in five`, async () => {
  const { account, external } = await makePayer()
  // The first delivery may arrive before the test knows the secret, so that it is refused and repeated.
  consumer.answer = () => ({ status: 503 })
  const endpoint = await post('/v0/webhook-endpoints', { url: consumer.url, events: ['*'] })
  const from = (await events(0)).filter(({ entity }) => entity.id !== endpoint.id).at(-1)?.sequence ?? 0

  /** The call by which an event first arrived, and the one by which it was first acknowledged. */
  const arrived = new Map<number, number>()
  const acknowledged = new Map<number, number>()
  const bad: string[] = []
  let calls = 0
  const choices = choicesOfTest()
  consumer.answer = (received) => {
    const { event, headers } = received
    const call = calls++
    try {
      verify(endpoint.secret, received)
      if (headers['webhook-id'] !== event.id) throw new Error('another id')
    } catch (error) {
      bad.push(`${event.id}: ${error}`)
    }
    if (!arrived.has(event.sequence)) arrived.set(event.sequence, call)
    const luck = choices.below(100)
    if (luck < FAILING / 2) return { status: 500 }
    if (luck < FAILING) return { status: 503, headers: { 'retry-after': '0' } }
    if (!acknowledged.has(event.sequence)) acknowledged.set(event.sequence, call)
    return {}
  }

  const { refused, retries } = await runKillLoop({
    requests: PAYMENTS,
    kills: KILLS,
    send: (index, key) => payAndReturn(index, key, account, external),
    kill: async () => {
      await Promise.all(pair.map((service) => service.kill()))
      const shared = environment()
      pair = await Promise.all([startService(shared), startService(shared)])
    },
  })
  expect(refused).toEqual([])
  expect(retries).toBeGreaterThan(0)

  const emitted = await events(from)
  // No number is missing, neither in the feed nor at the consumer.
  expect(emitted.map(({ sequence }) => sequence)).toEqual(emitted.map((_event, place) => from + place + 1))
  expect(emitted.length).toBeGreaterThanOrEqual(2 * PAYMENTS)
  while (acknowledged.size < emitted.length) {
    const before = acknowledged.size
    await until('another delivery', () => acknowledged.size > before)
  }
  expect([...acknowledged.keys()].sort((a, b) => a - b)).toEqual(emitted.map(({ sequence }) => sequence))
  expect(bad).toEqual([])
  expect(outOfOrder(emitted, arrived, acknowledged)).toEqual([])
  // Some calls failed.
  expect(calls).toBeGreaterThan(emitted.length)

  await until('every outcome to be written', async () => {
    const rows = await ask(database.server, `select from webhook_delivery where status <> 'Succeeded' limit 1`)
    return rows.length === 0
  })
  const counts = await ask<{ made: number }>(database.server, 'select count(*)::int as made from webhook_delivery')
  expect(counts).toEqual([{ made: emitted.length }])
})

/** Events that arrived before an earlier one of their record was acknowledged. */
function outOfOrder(
  emitted: RecordedEvent[],
  arrived: Map<number, number>,
  acknowledged: Map<number, number>,
): string[] {
  const before = new Map<string, RecordedEvent>()
  let pairs = 0
  const faults = emitted.flatMap((event) => {
    const name = `${event.entity.type}/${event.entity.id}`
    const earlier = before.get(name)
    before.set(name, event)
    if (!earlier) return []
    pairs++
    const [came, known] = [arrived.get(event.sequence) ?? 0, acknowledged.get(earlier.sequence) ?? 0]
    return came > known ? [] : [`${event.id} ${event.type} came before ${earlier.id} was acknowledged`]
  })
  expect(pairs).toBeGreaterThan(PAYMENTS / 5)
  return faults
}

let turn = 0
/** The next of the two services. */
function service(): Service {
  return pair[turn++ % 2] as Service
}

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as the JSON they are
async function post(path: string, body: unknown): Promise<any> {
  const { status, text, json } = await service().call('POST', path, { body })
  expect(status, text).toBe(201)
  return json.data
}

async function makePayer(): Promise<{ account: string; external: string }> {
  const { id: customerId } = await post('/v0/sandbox/customers', { name: 'Ada Example' })
  const { id: account } = await post('/v0/banking/accounts', { customerId })
  await post(`/v0/sandbox/accounts/${account}/receive-ach`, { amount: 1_000_000_00, companyName: 'Sample Payroll' })
  const { id: external } = await post(`/v0/banking/customers/${customerId}/external-accounts`, {
    type: 'Person',
    name: 'Grace Sample',
    routingNumber: '021000021',
    accountNumber: '9876543210',
    accountType: 'Checking',
  })
  return { account, external }
}

/** A payment, and for every fourth one its return: one record with two events. */
async function payAndReturn(index: number, key: string, account: string, external: string): Promise<Attempt> {
  const body = { amount: 1 + (index % 50), counterpartyAccountId: external, description: 'Soak', originalType: 'ACH' }
  const payment = await service().call('POST', `/v0/banking/accounts/${account}/payments`, {
    body,
    idempotencyKey: key,
  })
  if (payment.status !== 201 || index % 4 !== 0) return attemptOf(payment)
  const path = `/v0/sandbox/payments/${payment.json.data.id}/return`
  return attemptOf(await service().call('POST', path, { body: { returnCode: 'R01' }, idempotencyKey: `${key}-return` }))
}

function attemptOf({ status, text, headers }: Awaited<ReturnType<Service['call']>>): Attempt {
  return { status, text, replayed: headers.get('Idempotent-Replayed') === 'true' }
}

/** Every event after a number, as a consumer of the feed reads them. */
async function events(after: number): Promise<RecordedEvent[]> {
  const all: RecordedEvent[] = []
  for (;;) {
    const { status, text, json } = await service().call(
      'GET',
      `/v0/events?limit=1000&after=${all.at(-1)?.sequence ?? after}`,
    )
    expect(status, text).toBe(200)
    if (json.data.length === 0) return all
    all.push(...json.data)
  }
}
