import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { TestBankOptions } from '../support/bank/options.ts'
import { openTestBank, type Reply, type TestBank } from '../support/harness.ts'
import { issueKey, statusWith } from '../support/keys.ts'
import { locksAwaited } from '../support/ledger.ts'
import { makeAccount, makeCustomer } from '../support/world.ts'

const opened: TestBank[] = []
afterEach(async () => {
  for (const bank of opened.splice(0)) await bank.close()
})

async function live(options: TestBankOptions = {}): Promise<TestBank> {
  const bank = await openTestBank({ mode: 'live', rates: { reads: 100, writes: 25 }, ...options })
  opened.push(bank)
  return bank
}

const problem = ({ status, json }: Reply) => [status, json?.code]
const read = (bank: TestBank, options = {}) => bank.call('GET', '/v0/banking/accounts', options)
const write = (bank: TestBank, options = {}) =>
  bank.call('POST', '/v0/banking/accounts', { body: { customerId: '1' }, ...options })

describe('requests of a key', () => {
  test('are counted in live mode, reads and writes apart, and shown in the headers', async () => {
    const bank = await live()
    const got = await read(bank)
    expect([got.status, got.headers['ratelimit-policy'], got.headers.ratelimit]).toEqual([
      200,
      '"reads";q=200;w=2',
      '"reads";r=199;t=1',
    ])
    const refused = await write(bank)
    expect([refused.status, refused.headers['ratelimit-policy'], refused.headers.ratelimit]).toEqual([
      404,
      '"writes";q=50;w=2',
      '"writes";r=49;t=1',
    ])
    expect((await bank.call('HEAD', '/v0/banking/accounts')).headers['ratelimit-policy']).toContain('reads')
    const alias = await bank.call('GET', '/v0/banking/customers/1/token-verification')
    expect(alias.headers['ratelimit-policy']).toContain('writes')
  })

  test('beyond the burst answer 429 with Retry-After, and work again after it', async () => {
    const bank = await live({ rates: { reads: 2, writes: 1 } })
    const startedMs = performance.now()
    const replies = await Promise.all(Array.from({ length: 60 }, () => read(bank)))
    const seconds = (performance.now() - startedMs) / 1_000
    const served = replies.filter(({ status }) => status === 200)
    // Two more a second become free meanwhile.
    expect(served.length).toBeGreaterThanOrEqual(4)
    expect(served.length).toBeLessThanOrEqual(4 + 2 * seconds)
    for (const refused of replies.filter((reply) => !served.includes(reply))) {
      expect(problem(refused)).toEqual([429, 'rate_limited'])
      expect([refused.headers['retry-after'], refused.headers.ratelimit]).toEqual(['1', '"reads";r=0;t=2'])
    }
    expect(served.length).toBeLessThan(replies.length)
    expect(problem(await write(bank))).toEqual([404, 'customer_not_found'])
    const own = await issueKey(bank, { scopes: ['banking:read'] })
    expect(await statusWith(bank, own.key)).toBe(200)
    await expect.poll(async () => (await read(bank)).status).toBe(200)
  })

  test('that lack the scope are counted too', async () => {
    const bank = await live({ rates: { reads: 1, writes: 1 } })
    const key = await bank.makeKey('first', [])
    expect((await read(bank, { key })).status).toBe(403)
    const replies = await Promise.all(Array.from({ length: 20 }, () => read(bank, { key })))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([403, 429]))
  })

  test('are not counted in sandbox mode', async () => {
    const bank = await openTestBank()
    opened.push(bank)
    const { headers } = await read(bank)
    expect([headers.ratelimit, headers['ratelimit-policy']]).toEqual([undefined, undefined])
    for (let count = 0; count < 12; count++) expect((await read(bank, { key: 'a-made-up-key' })).status).toBe(401)
  })
})

describe('failed authentications', () => {
  const fail = async (bank: TestBank, times: number, headers = {}) => {
    const statuses: number[] = []
    for (let count = 0; count < times; count++) {
      statuses.push((await read(bank, { key: `a-made-up-key-${count}`, headers })).status)
    }
    return statuses
  }

  test('are taken ten times a minute from an address, then refused without a look at the key', async () => {
    const bank = await live()
    const startedMs = performance.now()
    expect(await fail(bank, 12)).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429])
    const refused = await read(bank, { key: null })
    expect(problem(refused)).toEqual([429, 'rate_limited'])
    const passed = (performance.now() - startedMs) / 1_000
    expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(60 - passed)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
    // A right guess looks like a wrong one.
    expect(problem(await read(bank, { key: bank.otherKey }))).toEqual([429, 'rate_limited'])
  })

  test('are taken ten times, however many come at once', async () => {
    const bank = await live()
    const guess = (_: unknown, count: number) => read(bank, { key: `a-made-up-key-${count}` })
    const statuses = (await Promise.all(Array.from({ length: 200 }, guess))).map(({ status }) => status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(10)
    expect(statuses.filter((status) => status === 429)).toHaveLength(190)
  })

  test('are none of requests without a key, and good keys may come at once', async () => {
    const bank = await live()
    const keyless = await Promise.all(Array.from({ length: 30 }, () => read(bank, { key: null })))
    expect(new Set(keyless.map(({ status }) => status))).toEqual(new Set([401]))
    const keys = await Promise.all(Array.from({ length: 30 }, () => bank.makeKey('first', null)))
    const replies = await Promise.all(keys.flatMap((key) => [read(bank, { key }), read(bank, { key })]))
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  })

  test('lock out nobody whose key was good before', async () => {
    const bank = await live()
    expect((await read(bank)).status).toBe(200)
    await fail(bank, 11)
    expect((await read(bank)).status).toBe(200)
    expect((await bank.call('GET', '/livez', { key: null })).status).toBe(200)
  })

  test('count by the address that a trusted proxy names, and by no other', async () => {
    const behind = await live({ trustedProxies: ['127.0.0.1'] })
    const from = (address: string) => ({ 'x-forwarded-for': address })
    expect((await fail(behind, 11, from('192.0.2.1'))).at(-1)).toBe(429)
    expect(await fail(behind, 1, from('192.0.2.2'))).toEqual([401])
    expect(await fail(behind, 1, from('192.0.2.2, 192.0.2.1'))).toEqual([429])
    const open = await live()
    const forged: number[] = []
    for (let count = 0; count < 11; count++) forged.push(...(await fail(open, 1, from(`192.0.2.${count}`))))
    expect(forged.at(-1)).toBe(429)
  })
})

describe('load', () => {
  let bank: TestBank
  let accountId: string
  beforeAll(async () => {
    bank = await openTestBank({ maxRequests: 2, lockTimeoutMs: 60_000 })
    accountId = await makeAccount(bank)
  })
  afterAll(() => bank.close())

  /** Runs while requests wait for an account that somebody holds. */
  async function withWaiting(requests: number, work: () => Promise<void>): Promise<Reply[]> {
    let waiting: Promise<Reply>[] = []
    await bank.database.transaction(async (transaction) => {
      await transaction.query(`select from account where id = $1::bigint for update`, [accountId])
      waiting = Array.from({ length: requests }, () => bank.call('POST', `/v0/banking/accounts/${accountId}/freeze`))
      await locksAwaited(bank, requests)
      await work()
    })
    return Promise.all(waiting)
  }

  test('up to the bound is served', async () => {
    const waited = await withWaiting(1, async () => expect(await statusWith(bank, bank.key)).toBe(200))
    expect(waited.map(({ status }) => status)).toEqual([200])
  })

  test('beyond it answers 503 with Retry-After, health still answers, and it ends with what caused it', async () => {
    const waited = await withWaiting(2, async () => {
      const shed = await read(bank)
      expect([...problem(shed), shed.headers['retry-after']]).toEqual([503, 'unavailable', '1'])
      expect(shed.json.detail).toContain('more requests in progress')
      for (const path of ['/livez', '/readyz']) expect((await bank.call('GET', path)).status, path).toBe(200)
    })
    expect(waited.map(({ status }) => status)).toEqual([409, 409])
    expect(await statusWith(bank, bank.key)).toBe(200)
  })

  test('holds for requests that come all at once, too', async () => {
    const customerId = await makeCustomer(bank)
    const create = () => bank.call('POST', '/v0/banking/accounts', { body: { customerId } })
    const replies = await Promise.all(Array.from({ length: 10 }, create))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, ...Array<number>(8).fill(503)])
  })

  test('leaves nothing behind of requests that are refused, whatever they are refused for', async () => {
    for (let count = 0; count < 5; count++) {
      await read(bank, { key: `a-made-up-key-${count}` })
      await bank.call('GET', '/v0/banking/accounts?surprise=1')
      await bank.call('POST', '/v0/banking/accounts', { raw: '{' })
      await bank.call('GET', '/v0/banking/accounts/1')
    }
    expect(await statusWith(bank, bank.key)).toBe(200)
  })
})
