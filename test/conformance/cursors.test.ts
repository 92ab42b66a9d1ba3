import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Position } from '../../src/base/page.ts'
import { cursorOf, type ListRequest } from '../../src/http/cursor.ts'
import { authorize, makeVirtualCard } from '../support/cards.ts'
import { openTestBank, type Reply, type TestBank } from '../support/harness.ts'
import { makeExternalAccount, makePayer, type Payer, pay, receiveAch } from '../support/ledger.ts'
import { makeAccount, makeCustomer } from '../support/world.ts'

let bank: TestBank
let payer: Payer
/** A second account of the payer, so that the transactions of its customer are merged from two. */
let second: string
let card: string

beforeAll(async () => {
  bank = await openTestBank()
  payer = await makePayer(bank, 100_000)
  second = await makeAccount(bank, { customerId: payer.customerId })
  card = (await makeVirtualCard(bank, payer.accountId)).id
  for (let round = 0; round < 5; round++) await Promise.all(Object.values(arrivals).map((arrive) => arrive()))
})
afterAll(() => bank.close())

/** Makes a record that the list shows. */
const arrivals: Record<string, () => Promise<unknown>> = {
  '/v0/banking/customers': () => makeCustomer(bank),
  '/v0/banking/accounts': () => makeAccount(bank),
  '/v0/banking/cards': () => makeVirtualCard(bank, payer.accountId),
  '/v0/banking/payments': () => pay(bank, payer, { amount: 1 }),
  '/v0/banking/transactions': () => receiveAch(bank, payer.accountId, { amount: 1 }),
  '/v0/banking/transactions second': () => receiveAch(bank, second, { amount: 1 }),
  '/v0/banking/authorizations': () => authorize(bank, card, 1),
  '/v0/banking/customers/external-accounts': () => makeExternalAccount(bank, payer.customerId),
}

const lists: [string, () => string, () => Promise<unknown>][] = [
  ...['customers', 'accounts', 'cards', 'payments', 'transactions'].map((name): (typeof lists)[number] => {
    const path = `/v0/banking/${name}`
    return [name, () => `${path}?`, async () => arrivals[path]?.()]
  }),
  [
    'transactions of an account',
    () => `/v0/banking/transactions?accountId=${payer.accountId}&`,
    () => receiveAch(bank, payer.accountId, { amount: 1 }),
  ],
  [
    'credits of an account',
    () => `/v0/banking/transactions?accountId=${payer.accountId}&direction=Credit&`,
    () => receiveAch(bank, payer.accountId, { amount: 1 }),
  ],
  [
    'transactions of a customer',
    () => `/v0/banking/transactions?customerId=${payer.customerId}&`,
    () => receiveAch(bank, second, { amount: 1 }),
  ],
  [
    'payments of an account',
    () => `/v0/banking/payments?accountId=${payer.accountId}&status=sent&`,
    () => pay(bank, payer, { amount: 1 }),
  ],
  [
    'authorizations',
    () => `/v0/banking/authorizations?customerId=${payer.customerId}&status=Authorized&`,
    () => authorize(bank, card, 1),
  ],
  [
    'external accounts',
    () => `/v0/banking/customers/${payer.customerId}/external-accounts?sort=-createdAt&`,
    () => makeExternalAccount(bank, payer.customerId),
  ],
]

const idsOf = ({ json }: Reply): string[] => json.data.map(({ id }: { id: string }) => id)
const nextOf = ({ headers }: Reply) => /^<([^>]+)>; rel="next"$/.exec(String(headers.link))?.[1]
const totalOf = ({ headers }: Reply) => headers['x-total-count']

async function read(path: string, key = bank.key): Promise<Reply> {
  const reply = await bank.call('GET', path, { key })
  expect(reply.status, `${path}: ${reply.text}`).toBe(200)
  return reply
}

/** Follows Link to the end, and lets a record arrive before each further page. */
async function follow(path: string, arrive: () => Promise<unknown>): Promise<string[]> {
  const seen: string[] = []
  let next: string | undefined = path
  while (next) {
    const reply: Reply = await read(next)
    seen.push(...idsOf(reply))
    next = nextOf(reply)
    if (next) await arrive()
  }
  return seen
}

test.each(lists)('the list of %s shows each record once while others arrive', async (_name, path, arrive) => {
  const before = idsOf(await read(`${path()}limit=1000`))
  expect(before.length).toBeGreaterThan(3)
  expect(await follow(`${path()}limit=2`, arrive)).toEqual(before)
  // An offset is left behind with the first page.
  const now = idsOf(await read(`${path()}limit=1000`))
  expect(await follow(`${path()}limit=3&offset=1`, arrive)).toEqual(now.slice(1))
})

test('a list of which the oldest come first goes on with the records that arrived meanwhile', async () => {
  const before = idsOf(await read('/v0/banking/customers?sort=createdAt&limit=1000'))
  let arrived = 0
  const arrive = async () => (++arrived > 2 ? undefined : makeCustomer(bank))
  const seen = await follow('/v0/banking/customers?sort=createdAt&limit=3', arrive)
  expect(seen.slice(0, before.length)).toEqual(before)
  expect(seen).toEqual(idsOf(await read('/v0/banking/customers?sort=createdAt&limit=1000')))
})

test('Link keeps the filters and leaves out offset and count; another limit is fine', async () => {
  const link = nextOf(await read('/v0/banking/payments?count=true&status=sent&offset=1&limit=1')) ?? ''
  expect(link).toMatch(/^\/v0\/banking\/payments\?status=sent&limit=1&cursor=[\w-]{32}$/)
  const sent = idsOf(await read('/v0/banking/payments?status=sent'))
  expect(idsOf(await read(link.replace('limit=1', 'limit=2')))).toEqual(sent.slice(2, 4))
})

describe('a cursor is refused', () => {
  const refused = async (path: string, code: string, key = bank.key) => {
    const { status, json } = await bank.call('GET', path, { key })
    const faults = json.errors.map((fault: { parameter: string; code: string }) => [fault.parameter, fault.code])
    expect([status, json.code, faults], path).toEqual([400, 'invalid_request', [['cursor', code]]])
  }

  test.each([
    ['too short', 'abc', 'bad_format'],
    ['too long', 'A'.repeat(33), 'bad_format'],
    ['of other characters', `${'A'.repeat(31)}=`, 'bad_format'],
    ['made up', 'A'.repeat(32), 'unknown_cursor'],
  ])('that is %s', (_how, cursor, code) => refused(`/v0/banking/payments?cursor=${cursor}`, code))

  test('beside an offset', async () => {
    const link = nextOf(await read('/v0/banking/payments?limit=1')) ?? ''
    await refused(`${link}&offset=0`, 'conflict')
  })

  test('of another filter, order, list or organisation', async () => {
    const link = nextOf(await read(`/v0/banking/payments?accountId=${payer.accountId}&limit=1`)) ?? ''
    await refused(link.replace(/accountId=\d+&/, ''), 'unknown_cursor')
    await refused(link.replace(payer.accountId, second), 'unknown_cursor')
    await refused(`${link}&status=sent`, 'unknown_cursor')
    await refused(`${link}&sort=createdAt`, 'unknown_cursor')
    await refused(link.replace('payments', 'transactions'), 'unknown_cursor')
    await refused(link, 'unknown_cursor', bank.otherKey)
    const ofCustomer = nextOf(await read(`/v0/banking/customers/${payer.customerId}/external-accounts?limit=1`)) ?? ''
    await refused(ofCustomer.replace(payer.customerId, await makeCustomer(bank)), 'unknown_cursor')
  })

  test('that a caller computed for a place where no record can be', async () => {
    const [row] = await bank.database.query<{ id: number }>(`select id from organisation where name = 'first'`)
    const list: ListRequest = { operationId: 'listPayments', organisationId: row?.id ?? 0, params: {}, query: {} }
    const path = (createdAt: string, id: number) =>
      `/v0/banking/payments?cursor=${cursorOf(new Position(createdAt, id), list)}`
    await refused(path('-000001-01-01T00:00:00.000Z', 1), 'unknown_cursor')
    await refused(path('+010000-01-01T00:00:00.000Z', 1), 'unknown_cursor')
    await refused(path('2026-01-01T00:00:00.000Z', 2 ** 53), 'unknown_cursor')
    await read(path('9999-12-31T23:59:59.999Z', 2 ** 53 - 1))
    await read(path('1970-01-01T00:00:00.000Z', -1))
  })

  test('or leads to records of its own organisation only', async () => {
    const [row] = await bank.database.query<{ id: number }>(`select id from organisation where name = 'second'`)
    const last = new Position(
      '9999-12-31T23:59:59.999Z',
      Number(idsOf(await read('/v0/banking/transactions?limit=1'))[0]),
    )
    for (const query of [{}, { accountId: payer.accountId }, { customerId: payer.customerId }]) {
      const list = { operationId: 'listTransactions', organisationId: row?.id ?? 0, params: {}, query }
      const search = new URLSearchParams({ ...query, cursor: cursorOf(last, list) } as Record<string, string>)
      expect(idsOf(await read(`/v0/banking/transactions?${search}`, bank.otherKey))).toEqual([])
    }
  })
})

describe('count=true', () => {
  test.each(['customers', 'accounts', 'payments', 'transactions'])('counts %s in X-Total-Count', async (name) => {
    const all = await read(`/v0/banking/${name}?limit=1000`)
    expect(totalOf(all)).toBeUndefined()
    expect(totalOf(await read(`/v0/banking/${name}?limit=1&count=false`))).toBeUndefined()
    expect(totalOf(await read(`/v0/banking/${name}?limit=1&offset=2&count=true`))).toBe(String(idsOf(all).length))
    expect(totalOf(await read(`/v0/banking/${name}?count=true`, bank.otherKey))).toBe('0')
    const next = nextOf(await read(`/v0/banking/${name}?limit=1`)) ?? ''
    expect(totalOf(await read(`${next}&count=true`))).toBe(String(idsOf(all).length))
  })

  test.each([
    () => `accounts?customerId=${payer.customerId}`,
    () => `accounts?customerId=${payer.customerId}&status=closed`,
    () => 'accounts?status=open',
    () => 'accounts?customerId=1',
    () => `payments?accountId=${payer.accountId}`,
    () => `payments?customerId=${payer.customerId}&status=returned`,
    () => `payments?counterpartyAccountId=${payer.externalAccountId}&fromAmount=1&toAmount=1`,
    () => 'payments?type=bookPayment',
    () => 'payments?direction=Debit,Credit&since=2020-01-01&until=2099-01-01',
    () => 'payments?tags=%7B%22no%22%3A%22such%22%7D',
    () => 'payments?recurringPaymentId=1',
    () => `payments?accountId=${second}`,
    () => `transactions?accountId=${payer.accountId}`,
    () => `transactions?accountId=${payer.accountId}&direction=Debit`,
    () => `transactions?accountId=${payer.accountId}&direction=Credit`,
    () => `transactions?customerId=${payer.customerId}&accountId=${second}`,
    () => 'transactions?customerId=1',
  ])('respects the filters of %s', async (path) => {
    const matching = await read(`/v0/banking/${path()}&limit=1000&count=true`)
    expect(totalOf(matching)).toBe(String(idsOf(matching).length))
    expect(totalOf(await read(`/v0/banking/${path()}&count=true`, bank.otherKey))).toBe('0')
  })

  test('finds one payment, and none of another organisation', async () => {
    const [paymentId] = idsOf(await read('/v0/banking/payments?limit=1'))
    expect(totalOf(await read(`/v0/banking/payments?paymentId=${paymentId}&count=true`))).toBe('1')
    expect(totalOf(await read(`/v0/banking/payments?paymentId=${paymentId}&status=returned&count=true`))).toBe('0')
    for (const filter of [`paymentId=${paymentId}`, `accountId=${payer.accountId}`, `customerId=${payer.customerId}`]) {
      expect(totalOf(await read(`/v0/banking/payments?${filter}&count=true`, bank.otherKey)), filter).toBe('0')
    }
    for (const list of ['accounts?', 'transactions?']) {
      const path = `/v0/banking/${list}customerId=${payer.customerId}&count=true`
      expect(totalOf(await read(path, bank.otherKey)), path).toBe('0')
    }
  })
})
