import { join } from 'node:path'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FakeUnit, openFakeUnit } from '../../support/fakes/unit.ts'
import { createServiceDatabase } from '../../support/harness.ts'
import {
  ask,
  connect,
  databaseUrl,
  endServices,
  launchService,
  type Service,
  scratchFolder,
  startService,
  until,
} from '../../support/service.ts'

let fake: FakeUnit
let database: { server: pg.ClientConfig; drop(): Promise<void> }
let environment: Record<string, string> & { PURSER_DATA_DIR: string }
let service: Service
let customerId: string

beforeAll(async () => {
  fake = await openFakeUnit()
  customerId = fake.addCustomer().id
  database = await createServiceDatabase()
  environment = {
    PURSER_DATA_DIR: join(scratchFolder(), 'data'),
    DATABASE_URL: databaseUrl(database.server),
    PURSER_API_KEY: 'key-of-the-killed',
    PURSER_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
    PURSER_BANKING_PROVIDER: 'unit',
    PURSER_UNIT_URL: fake.url,
    PURSER_UNIT_TOKEN: fake.token,
    PURSER_UPSTREAM_CALL_MS: '3000',
    PURSER_UPSTREAM_TOTAL_MS: '3000',
  }
  service = await startService(environment)
})
afterAll(async () => {
  await endServices()
  await database.drop()
  await fake.close()
})

/** A creation, for which the upstream accepts an idempotency key, and a change, for which it does not. */
interface Pair {
  create(): Promise<Outcome>
  move(): Promise<Outcome>
}

type Outcome = { status: number; code: string | undefined; text: string; replayed: boolean } | 'gone'

let pairs = 0

async function makePair(): Promise<Pair> {
  const name = `pair-${pairs++}`
  const made = await service.call('POST', '/v0/banking/accounts', { body: { customerId } })
  const accountId = made.json.data.id
  await service.call('POST', `/v0/banking/accounts/${accountId}/close`, { body: { reason: 'ByCustomer' } })
  const send = async (path: string, idempotencyKey: string, body?: unknown): Promise<Outcome> => {
    try {
      const { status, json, text, headers } = await service.call('POST', path, { body, idempotencyKey })
      return { status, code: json?.code, text, replayed: headers.get('Idempotent-Replayed') === 'true' }
    } catch {
      return 'gone'
    }
  }
  return {
    create: () => send('/v0/banking/accounts', `${name}-create`, { customerId }),
    move: () => send(`/v0/banking/accounts/${accountId}/reopen`, `${name}-move`),
  }
}

/** Waits until both requests of a pair wait for a lock of the table. */
async function waitingFor(table: string): Promise<void> {
  await until(`two requests that wait for ${table}`, async () => {
    const rows = await ask(
      database.server,
      `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like $1`,
      [`insert into ${table} %`],
    )
    return rows.length === 2
  })
}

/** Brings both requests to a point, kills the gateway there and starts it again. */
async function killedAt(point: () => Promise<() => Promise<void>>, pair: Pair): Promise<void> {
  const arrive = await point()
  const running = [pair.create(), pair.move()]
  await arrive()
  await service.kill()
  expect(await Promise.all(running)).toEqual(['gone', 'gone'])
}

function atLock(table: string) {
  let holder: pg.Client
  return {
    point: async () => {
      holder = await connect(database.server)
      await holder.query(`begin`)
      await holder.query(`lock table ${table} in exclusive mode`)
      return () => waitingFor(table)
    },
    release: async () => {
      await holder.query('rollback')
      await holder.end()
    },
  }
}

function atUpstream(fault: 'hold' | 'hold-after') {
  return {
    point: async () => {
      const before = fake.server.held()
      fake.server.misbehave(fault, fault)
      return async () => void (await until('two held requests', () => fake.server.held() === before + 2))
    },
    release: async () => undefined,
  }
}

describe('a gateway that is killed', () => {
  const points = [
    { where: 'before its claim is committed', at: atLock('claim'), sent: false, effects: 0 },
    { where: 'before the upstream has acted', at: atUpstream('hold'), sent: true, effects: 0 },
    { where: 'after the upstream has acted', at: atUpstream('hold-after'), sent: true, effects: 2 },
    { where: 'before the answer is stored', at: atLock('answer'), sent: true, effects: 2 },
  ]

  test.each(points)('$where leaves one effect of a creation, and at most one of a move', async (killing) => {
    const { at, sent, effects } = killing
    const pair = await makePair()
    const before = fake.books.effects.length
    await killedAt(at.point, pair)
    await at.release()
    expect(fake.books.effects.length - before).toBe(effects)
    service = await startService(environment)

    const created = await pair.create()
    expect(created).toMatchObject({ status: 201, replayed: false })
    const moved = await pair.move()
    expect(moved).toMatchObject(
      sent ? { status: 502, code: 'upstream_outcome_unknown' } : { status: 200, replayed: false },
    )
    // The creation has its effect; the change too, unless it was sent and did not arrive.
    const all = sent && effects === 0 ? 1 : 2
    expect(fake.books.effects.length - before).toBe(all)

    const calls = fake.server.calls.length
    expect(await pair.create()).toEqual({ ...(created as object), replayed: true })
    expect(await pair.move()).toMatchObject(sent ? { status: 502 } : { status: 200, replayed: true })
    expect(fake.server.calls).toHaveLength(calls)
    expect(fake.books.effects.length - before).toBe(all)
  })

  test('after the answer is stored replays that answer', async () => {
    const pair = await makePair()
    const first = [await pair.create(), await pair.move()]
    await service.kill()
    service = await startService(environment)
    const again = [await pair.create(), await pair.move()]
    expect(again).toEqual(first.map((outcome) => ({ ...(outcome as object), replayed: true })))
  })
})

test('a gateway that is stopped during a payment ends in order, and the payment has one effect', async () => {
  await service.stop()
  const slow = { ...environment, PURSER_UNIT_PAYMENT_MS: '25000' }
  service = await startService(slow)
  const accountId = (await service.call('POST', '/v0/banking/accounts', { body: { customerId } })).json.data.id
  const bank = { name: 'Sample Landlord', routingNumber: '021000021', accountNumber: '123', accountType: 'Checking' }
  const path = `/v0/banking/customers/${customerId}/external-accounts`
  const made = await service.call('POST', path, { body: { ...bank, type: 'Business', permissions: 'CreditOnly' } })
  fake.fund(accountId, 100_00)
  const counterpartyAccountId = made.json.data.id
  const body = { amount: 7_00, counterpartyAccountId, description: 'Rent', originalType: 'ACH' }
  const pay = () =>
    service.call('POST', `/v0/banking/accounts/${accountId}/payments`, { body, idempotencyKey: 'pay-stopped' })
  const [effects, held] = [fake.books.effects.length, fake.server.held()]
  fake.server.misbehave('hold-after')
  const paying = pay()
  await until('the payment at Unit', () => fake.server.held() === held + 1)
  expect((await service.stop()).code).toBe(0)
  expect((await paying).json.code).toBe('upstream_error')
  service = await startService(slow)
  // Unit may be working on the payment until its time is over.
  await until('the payment', async () => (await pay()).status === 201)
  expect(fake.books.effects.length - effects).toBe(1)
})

test('a connector refuses to start on a database of more than one organisation', async () => {
  await ask(
    database.server,
    `insert into organisation (id, name, created_at) values (1, 'another', now()), (2, 'a third', now())`,
  )
  const { code, stderr } = await launchService(environment).exited
  expect(code).toBe(1)
  expect(stderr).toContain('a connector serves one organisation')
  const builtin = { ...environment, PURSER_BANKING_PROVIDER: 'builtin' }
  expect((await startService(builtin)).url).toMatch(/^http/)
})
