import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { organisationNamed, setBankTime } from '../../test/support/bank-time.ts'
import {
  advance,
  ask,
  authorize,
  bankNow,
  getAuthorization,
  later,
  makeCard,
  makeFunded,
  makeOrganisation,
  makeVirtualCard,
  moneyOf,
  settle,
  times,
  timestamp,
} from '../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { makeSandboxOrganisation } from '../../test/support/organisations.ts'
import { type Database, DatabaseUnavailable, type Queryable } from '../database/database.ts'
import { verifyLedger } from '../ledger/verify.ts'

let bank: TestBank
/** A part of the text of the statement that fails next. */
let breaksAt: string | undefined

/** A database whose connection breaks at one statement, inside a transaction or outside. */
const around = (database: Database): Database => {
  const frail = (queryable: Queryable): Queryable => ({
    query: async (text, values, use) => {
      if (breaksAt === undefined || !text.includes(breaksAt)) return queryable.query(text, values, use)
      breaksAt = undefined
      throw new DatabaseUnavailable('broken')
    },
  })
  return {
    ...database,
    query: frail(database).query,
    transaction: (work, options) => database.transaction((transaction) => work(frail(transaction)), options),
  }
}

beforeAll(async () => {
  bank = await openTestBank({ around })
})
afterAll(async () => {
  expect(await verifyLedger(bank.database)).toEqual([])
  await bank.close()
})

let organisations = 0
const newKey = () => bank.makeKey(`clock-${organisations++}`, null)
const call = (body: unknown, key = bank.key, headers: Record<string, string> = {}) =>
  bank.call('POST', '/v0/sandbox/clock/advance', { body, key, headers })
/** An account with 100 dollars and its card, in an organisation of their own, on the 2nd of a month. */
async function makeOwn() {
  const key = await makeOrganisation(bank, `clock-${organisations++}`)
  const account = await makeFunded(bank, 100_00, key)
  return { key, account, card: (await makeVirtualCard(bank, account, key)).id as string }
}
const days = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000
/** Bank time goes on while a test runs. */
const slack = 60 / 86_400

describe('advance clock', () => {
  test('moves to a time and answers the time and what happened on the way', async () => {
    const key = await newKey()
    const to = later(await bankNow(bank, key), 10)
    const { status, json } = await call({ to }, key)
    expect(status).toBe(200)
    expect(json).toEqual({
      data: { now: expect.stringMatching(timestamp), happened: expect.any(Array), total: expect.any(Number) },
    })
    expect(json.data.now >= to).toBe(true)
    expect(days(to, json.data.now)).toBeLessThan(slack)
  })

  test('accepts a time with a zone or any fraction of a second, and a date', async () => {
    const key = await newKey()
    const year = Number((await bankNow(bank, key)).slice(0, 4)) + 1
    for (const [to, reached] of [
      [`${year}-01-10T01:30:00+02:00`, `${year}-01-09T23:30:00.000Z`],
      [`${year}-01-11t10:00:00z`, `${year}-01-11T10:00:00.000Z`],
      [`${year}-01-12T10:00:00.123456789Z`, `${year}-01-12T10:00:00.123Z`],
      [`${year}-01-13`, `${year}-01-13T00:00:00.000Z`],
    ] as const) {
      const { now } = await advance(bank, { to }, key)
      expect(now >= reached, to).toBe(true)
      expect(days(reached, now), to).toBeLessThan(slack)
    }
  })

  test('moves forward by a duration', async () => {
    const key = await newKey()
    const table: [by: string, least: number, most: number][] = [
      ['P3D', 3, 3],
      ['PT1H', 1 / 24, 1 / 24],
      ['PT90M', 1.5 / 24, 1.5 / 24],
      ['PT86400S', 1, 1],
      ['P2W', 14, 14],
      ['P1M', 28, 31],
      ['P1Y', 365, 366],
      ['P1M2W3DT4H5M6S', 28 + 17, 31 + 17.2],
      ['P1DT12H', 1.5, 1.5],
    ]
    for (const [by, least, most] of table) {
      const before = await bankNow(bank, key)
      const { now } = await advance(bank, { by }, key)
      expect(days(before, now), by).toBeGreaterThanOrEqual(least)
      expect(days(before, now), by).toBeLessThan(most + slack)
    }
  })

  test('counts months by the calendar: to the same day of the month, or to its last day', async () => {
    const key = await newKey()
    const year = Number((await bankNow(bank, key)).slice(0, 4)) + 1
    await advance(bank, { to: `${year}-01-31T12:00:00Z` }, key)
    const february = (await advance(bank, { by: 'P1M' }, key)).now.slice(0, 10)
    expect(february).toBe(new Date(Date.UTC(year, 2, 0)).toISOString().slice(0, 10))
    expect((await advance(bank, { by: 'P1M' }, key)).now.slice(0, 10)).toBe(`${year}-03-${february.slice(8)}`)
  })

  test('moves at most 400 days in one call', async () => {
    const key = await newKey()
    for (const by of ['P400D', 'PT9600H']) expect((await call({ by }, key)).status, by).toBe(200)
    expect((await call({ to: later(await bankNow(bank, key), 400) }, key)).status).toBe(200)
    const before = await bankNow(bank, key)
    for (const body of [{ by: 'P401D' }, { by: 'PT9600H1S' }, { by: 'P9999Y9999M' }, { by: 'P2Y' }]) {
      const { status, json } = await call(body, key)
      expect([status, json.code], body.by).toEqual([400, 'invalid_request'])
      expect(json.errors).toEqual([
        { pointer: '/by', code: 'out_of_range', message: 'the clock advances by at most 400 days a call' },
      ])
    }
    for (const to of [later(before, 400, 60_000), '9999-12-31']) {
      const { status, json } = await call({ to }, key)
      expect([status, json.errors[0].pointer, json.errors[0].code]).toEqual([400, '/to', 'out_of_range'])
    }
    expect(days(before, await bankNow(bank, key))).toBeLessThan(slack)
  })

  test('refuses a target that is not later than the present', async () => {
    const key = await newKey()
    const before = await bankNow(bank, key)
    for (const body of [
      { to: before },
      { to: later(before, -1) },
      { to: '1970-01-01' },
      { to: '0001-01-01' },
      { by: 'P0D' },
      { by: 'PT0S' },
      { by: 'P0Y0M0W0DT0H0M0S' },
    ]) {
      const { status, json } = await call(body, key)
      expect([status, json.code], JSON.stringify(body)).toEqual([422, 'clock_not_forward'])
    }
    expect(days(before, await bankNow(bank, key))).toBeLessThan(slack)
  })

  test('requires exactly one of to and by, in a valid form', async () => {
    const key = await newKey()
    const before = await bankNow(bank, key)
    for (const body of [undefined, {}, null, { to: null }, { by: null }, { to: null, by: null }]) {
      const { status, json } = await call(body, key)
      expect([status, json.errors]).toEqual([
        400,
        [{ pointer: '/to', code: 'required', message: 'one of to, by is required' }],
      ])
    }
    const both = await call({ to: later(before, 1), by: 'P1D' }, key)
    expect([both.status, both.json.errors]).toEqual([
      400,
      [{ pointer: '/by', code: 'conflict', message: 'send only one of to, by' }],
    ])
    const year = Number(before.slice(0, 4)) + 1
    const badTimes = ['', 'tomorrow', `${year}-02-30`, `${year}-01-01T24:00:00Z`, `${year}-01-01T10:00:00`, `${year}`]
    for (const to of [...badTimes, `${year}-01-01T10:00Z`, ' 2999-01-01', 1, true]) {
      const { status, json } = await call({ to }, key)
      expect([status, json.errors[0].pointer], String(to)).toEqual([400, '/to'])
    }
    const badDurations = ['', 'P', 'PT', 'P1DT', '3D', 'p3d', '-P3D', 'P-3D', 'P1.5D', 'PT0.5S', 'P1H', 'PT1D', 'P1D1M']
    for (const by of [...badDurations, 'P10000D', 'P3D ', '3 days', 3]) {
      const { status, json } = await call({ by }, key)
      expect([status, json.errors[0].pointer], String(by)).toEqual([400, '/by'])
    }
    expect(days(before, await bankNow(bank, key))).toBeLessThan(slack)
  })

  test('leaves the clocks and the authorizations of other organisations as they are', async () => {
    const [ours, theirs] = [await makeOwn(), await makeOwn()]
    const [one, two] = [
      await authorize(bank, ours.card, 1_00, ours.key),
      await authorize(bank, theirs.card, 1_00, theirs.key),
    ]
    const before = await bankNow(bank, theirs.key)
    expect((await advance(bank, { by: 'P9D' }, ours.key)).total).toBe(1)
    expect(days(before, await bankNow(bank, theirs.key))).toBeLessThan(slack)
    expect(await getAuthorization(bank, one.id, ours.key)).toMatchObject({ status: 'Canceled' })
    expect(await getAuthorization(bank, two.id, theirs.key)).toMatchObject({ status: 'Authorized' })
  })

  test('gives every new record the advanced time', async () => {
    const { key, account, card } = await makeOwn()
    const { now } = await advance(bank, { by: 'P10D' }, key)
    const customer = await ask(bank, 'POST', '/v0/sandbox/customers', { name: 'Ada' }, key)
    const funds = { amount: 1_00, companyName: 'Sample Payroll' }
    const authorization = await authorize(bank, card, 1_00, key)
    const made = [
      customer,
      await ask(bank, 'POST', '/v0/banking/accounts', { customerId: customer.id }, key),
      await makeCard(bank, account, key),
      authorization,
      await ask(bank, 'POST', `/v0/sandbox/accounts/${account}/receive-ach`, funds, key),
      await ask(bank, 'POST', `/v0/sandbox/authorizations/${authorization.id}/settle`, {}, key),
    ]
    for (const { createdAt } of made) {
      expect(createdAt >= now).toBe(true)
      expect(days(now, createdAt)).toBeLessThan(slack)
    }
  })
})

describe('an authorization expires', () => {
  test('exactly seven days of bank time after its creation, and releases its hold', async () => {
    // One clock stops a millisecond before, another at the very instant.
    const [early, due] = [await makeOwn(), await makeOwn()]
    const one = await authorize(bank, early.card, 30_00, early.key)
    const two = await authorize(bank, due.card, 30_00, due.key)

    const before = await advance(bank, { to: later(one.createdAt, 7, -1) }, early.key)
    expect([before.happened, before.total]).toEqual([[], 0])
    expect(await getAuthorization(bank, one.id, early.key)).toEqual(one)
    expect(await moneyOf(bank, early.account, early.key)).toEqual({ balance: 100_00, hold: 30_00, available: 70_00 })

    const end = later(two.createdAt, 7)
    const { happened, total } = await advance(bank, { to: end }, due.key)
    expect([happened, total]).toEqual([[{ at: end, type: 'authorization.canceled', id: two.id }], 1])
    expect(await getAuthorization(bank, two.id, due.key)).toEqual({ ...two, status: 'Canceled' })
    expect(await moneyOf(bank, due.account, due.key)).toEqual({ balance: 100_00, hold: 0, available: 100_00 })
    expect(await verifyLedger(bank.database)).toEqual([])
  })

  test('once, in the order of expiry across all accounts', async () => {
    const { key, account, card } = await makeOwn()
    const other = (await makeVirtualCard(bank, await makeFunded(bank, 100_00, key), key)).id
    const made = []
    for (const of of [card, other, card, other]) {
      made.push(await authorize(bank, of, 1_00, key))
      await advance(bank, { by: 'PT1H' }, key)
    }
    const { happened, total } = await advance(bank, { by: 'P8D' }, key)
    expect(happened).toEqual(
      made.map(({ id, createdAt }) => ({ at: later(createdAt, 7), type: 'authorization.canceled', id })),
    )
    expect(total).toBe(4)
    expect(await advance(bank, { by: 'P8D' }, key)).toMatchObject({ happened: [], total: 0 })
    expect(await moneyOf(bank, account, key)).toMatchObject({ hold: 0 })
  })

  test('and can then neither be settled nor reversed, while a part that settled can be refunded', async () => {
    const { key, account, card } = await makeOwn()
    const part = await authorize(bank, card, 30_00, key)
    const done = await authorize(bank, card, 5_00, key)
    const act = (id: string, name: string, body: unknown = {}) =>
      bank.call('POST', `/v0/sandbox/authorizations/${id}/${name}`, {
        key,
        body: name === 'reverse' ? undefined : body,
      })
    await act(part.id, 'settle', { amount: 10_00, final: false })
    await act(done.id, 'settle')
    expect(await moneyOf(bank, account, key)).toEqual({ balance: 85_00, hold: 20_00, available: 65_00 })
    expect((await advance(bank, { by: 'P8D' }, key)).happened).toMatchObject([{ id: part.id }])
    expect(await moneyOf(bank, account, key)).toEqual({ balance: 85_00, hold: 0, available: 85_00 })
    expect(await getAuthorization(bank, done.id, key)).toMatchObject({ status: 'Completed' })
    for (const name of ['settle', 'reverse']) {
      expect((await act(part.id, name)).json).toMatchObject({ status: 409, code: 'authorization_not_open' })
    }
    expect((await act(part.id, 'refund')).json.data).toMatchObject({ amount: 10_00, balance: 95_00 })
    expect(await verifyLedger(bank.database)).toEqual([])
  })

  test('on a closed account as well', async () => {
    const { key, account, card } = await makeOwn()
    const { id } = await authorize(bank, card, 30_00, key)
    await ask(bank, 'POST', `/v0/banking/accounts/${account}/close`, { reason: 'ByCustomer' }, key)
    expect((await advance(bank, { by: 'P7D' }, key)).happened).toMatchObject([{ id }])
    expect(await moneyOf(bank, account, key)).toEqual({ balance: 100_00, hold: 0, available: 100_00 })
  })

  test('together with 1,004 others, of which the answer shows the first 1,000', async () => {
    const { key, account, card } = await makeOwn()
    const { id, createdAt } = await authorize(bank, card, 1, key)
    // Copies of one, a third of them at each of three instants, spare a thousand calls.
    await bank.database.query(
      `insert into card_authorization
       select (jsonb_populate_record(c, jsonb_build_object('id', 8000000 + n,
         'expires_at', c.expires_at + (n % 3 + 1) * interval '1 ms'))).*
       from card_authorization c, generate_series(1, 1004) n where c.id = $1`,
      [id],
    )
    await bank.database.query('update account set hold = 1005 where id = $1', [account])
    expect(await verifyLedger(bank.database)).toEqual([])

    const { happened, total } = await advance(bank, { by: 'P8D' }, key)
    expect([happened.length, total]).toEqual([1_000, 1_005])
    const copies = Array.from({ length: 1_004 }, (_, at) => ({ id: 8_000_001 + at, ms: ((at + 1) % 3) + 1 }))
    const inOrder = [{ id: Number(id), ms: 0 }, ...copies].sort((a, b) => a.ms - b.ms || a.id - b.id)
    expect(happened).toEqual(
      inOrder
        .slice(0, 1_000)
        .map(({ id, ms }) => ({ at: later(createdAt, 7, ms), type: 'authorization.canceled', id: String(id) })),
    )
    expect(await moneyOf(bank, account, key)).toEqual({ balance: 100_00, hold: 0, available: 100_00 })
    expect(await verifyLedger(bank.database)).toEqual([])
  })

  test('or is settled, but not both, when both happen at once', async () => {
    const { card } = await makeOwnHere()
    const made = await times(40, () => authorize(bank, card, 1_00))
    const [{ happened }, ...replies] = await Promise.all([
      advance(bank, { by: 'P8D' }),
      ...made.map(({ id }) => settle(bank, id)),
    ])
    const settled = replies.filter(({ status }) => status === 201).length
    const canceled = happened.filter(({ type }: { type: string }) => type === 'authorization.canceled').length
    expect(settled + canceled).toBe(40)
    expect(await verifyLedger(bank.database)).toEqual([])
  })

  async function makeOwnHere() {
    const account = await makeFunded(bank, 100_00)
    return { account, card: (await makeVirtualCard(bank, account)).id as string }
  }
})

describe('an advance that is repeated with its idempotency key', () => {
  const keyed = () => ({ 'idempotency-key': randomUUID() })

  test('moves the clock once and repeats the answer', async () => {
    const { key, card } = await makeOwn()
    await authorize(bank, card, 1_00, key)
    const headers = keyed()
    const before = await bankNow(bank, key)
    const first = await call({ by: 'P8D' }, key, headers)
    const again = await call({ by: 'P8D' }, key, headers)
    expect([again.status, again.text]).toEqual([200, first.text])
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(days(before, await bankNow(bank, key))).toBeLessThan(8 + slack)
  })

  test('moves the clock once when both requests run at once', async () => {
    const key = await newKey()
    const headers = keyed()
    const before = await bankNow(bank, key)
    const replies = await times(3, () => call({ by: 'P8D' }, key, headers))
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(days(before, await bankNow(bank, key))).toBeLessThan(8 + slack)
  })

  for (const [when, text] of Object.entries({
    'before it began': 'pg_advisory_xact_lock',
    'before the clock moved': 'update organisation set clock_offset',
    'after the clock had moved': 'insert into answer',
    'before it was written down': 'update organisation set advancing_to',
    'between two steps': 'order by expires_at, id limit $3',
  })) {
    test(`moves the clock once when the first attempt failed ${when}`, async () => {
      const { key, account, card } = await makeOwn()
      await authorize(bank, card, 30_00, key)
      const headers = keyed()
      const before = await bankNow(bank, key)
      breaksAt = text
      const broken = await call({ by: 'P8D' }, key, headers)
      expect([broken.status, broken.json.code, breaksAt]).toEqual([503, 'unavailable', undefined])
      const again = await call({ by: 'P8D' }, key, headers)
      expect([again.status, again.headers['idempotent-replayed']]).toEqual([200, undefined])
      expect(days(before, await bankNow(bank, key))).toBeGreaterThanOrEqual(8)
      expect(days(before, await bankNow(bank, key))).toBeLessThan(8 + slack)
      expect(await moneyOf(bank, account, key)).toEqual({ balance: 100_00, hold: 0, available: 100_00 })
      expect((await call({ by: 'P8D' }, key, headers)).text).toBe(again.text)
      expect(days(before, await bankNow(bank, key))).toBeLessThan(8 + slack)
    })
  }

  test('is a new advance when the first attempt failed and the retry asks for another time', async () => {
    const key = await newKey()
    const headers = keyed()
    const before = await bankNow(bank, key)
    breaksAt = 'insert into answer'
    expect((await call({ by: 'P1D' }, key, headers)).status).toBe(503)
    expect((await call({ by: 'P30D' }, key, headers)).status).toBe(200)
    expect(days(before, await bankNow(bank, key))).toBeGreaterThanOrEqual(30)
  })
})

describe('concurrent advances', () => {
  test('run one after the other, and each moves the clock', async () => {
    const key = await newKey()
    const before = await bankNow(bank, key)
    const replies = await times(25, () => call({ by: 'P1D' }, key))
    expect(replies.map(({ status }) => status)).toEqual(Array(25).fill(200))
    const reached = replies.map(({ json }) => json.data.now).sort()
    for (const [at, now] of reached.entries()) expect(Math.floor(days(before, now))).toBe(at + 1)
  })

  test('of many organisations all finish', async () => {
    const keys = await times(15, () => newKey())
    const replies = await Promise.all(keys.map((key) => call({ by: 'P1D' }, key)))
    expect(replies.map(({ status }) => status)).toEqual(Array(15).fill(200))
  })
})

describe('the end of bank time', () => {
  const LAST = '9999-12-31T23:59:59.999Z'
  const standsAt = async (time: string) => {
    const name = `clock-${organisations++}`
    const key = await bank.makeKey(name, null)
    await setBankTime(bank, await organisationNamed(bank, name), time)
    // As if every advance up to here had been made: there would be 95,000 months to turn.
    await bank.database.query(
      `update organisation set statements_from = date_trunc('month', $2::timestamptz) where name = $1`,
      [name, time],
    )
    return key
  }

  test('refuses an advance past 9999-12-31T23:59:59.999Z and takes one that ends there', async () => {
    const key = await standsAt('9999-12-20T00:00:00Z')
    for (const body of [{ by: 'P20D' }, { by: 'P1M' }, { by: 'P1Y' }]) {
      const { status, json } = await call(body, key)
      expect([status, json.errors], JSON.stringify(body)).toEqual([
        400,
        [{ pointer: '/by', code: 'out_of_range', message: `bank time ends at ${LAST}` }],
      ])
    }
    expect((await advance(bank, { to: '9999-12-31T23:59:59.9999Z' }, key)).now).toBe(LAST)
    expect((await call({ by: 'PT1S' }, key)).status).toBe(400)
    expect((await call({ to: LAST }, key)).json.code).toBe('clock_not_forward')
  })

  test('is where the clock stops, and where every operation still answers in years of four digits', async () => {
    const key = await standsAt(LAST)
    // A clock that runs has moved meanwhile.
    const before = await bankNow(bank)
    await expect.poll(() => bankNow(bank)).not.toBe(before)
    expect(await bankNow(bank, key)).toBe(LAST)
    const { accountId, cardId } = await ask(bank, 'POST', '/v0/sandbox/scenarios', undefined, key)
    const { expirationDate } = await ask(bank, 'GET', `/v0/banking/cards/${cardId}`, undefined, key)
    expect(expirationDate).toBe('9999-12')
    const authorization = await authorize(bank, cardId, 1_00, key)
    expect(authorization).toMatchObject({ status: 'Authorized', createdAt: LAST })
    const { status, json } = await bank.call('POST', `/v0/sandbox/accounts/${accountId}/statements`, {
      body: { period: '9999-12' },
      key,
    })
    expect([status, json.code]).toEqual([422, 'period_not_over'])
    expect((await bank.call('GET', '/v0/events?limit=1000', { key })).text).not.toMatch(/1\d{4}-\d\d-\d\d/)
  })

  test('is reached from the last month with its statements made and its authorizations expired', async () => {
    const key = await standsAt('9999-11-20T00:00:00Z')
    const account = await makeFunded(bank, 100_00, key)
    const { id } = await authorize(bank, (await makeVirtualCard(bank, account, key)).id, 30_00, key)
    const { happened } = await advance(bank, { to: LAST }, key)
    expect(happened.map(({ type }: { type: string }) => type)).toEqual(['authorization.canceled', 'statement.created'])
    expect(await getAuthorization(bank, id, key)).toMatchObject({ status: 'Canceled' })
  })
})

describe('advance to the next thing that is due', () => {
  const path = '/v0/sandbox/clock/advance'

  test('goes from one to the next, and does each', async () => {
    const { key } = await makeSandboxOrganisation(bank, { now: '2027-01-10T12:00:00Z', frozen: true })
    const call = async (method: string, to: string, body?: unknown) =>
      (await bank.call(method, to, { key, body })).json.data
    const { cardId } = await call('POST', '/v0/sandbox/scenarios')
    await call('POST', '/v0/sandbox/clock/advance', { by: 'P1D' })
    const charge = { amount: 1_00, merchant: { name: 'Sample Coffee' } }
    const { id } = await call('POST', `/v0/sandbox/cards/${cardId}/authorizations`, charge)
    const { upcoming } = await call('GET', '/v0/sandbox/clock')
    const [first, second] = upcoming.map(({ at, type, id: due }: Record<string, string>) => ({ at, type, id: due }))
    expect((await call('POST', path, { to: 'next' })).happened).toEqual([first])
    expect([second.type, second.id]).toEqual(['authorization.canceled', id])
    expect(await call('POST', path, { to: 'next' })).toEqual({ now: second.at, happened: [second], total: 1 })
    const { now, happened } = await call('POST', path, { to: 'next' })
    expect(now).toBe('2027-02-01T00:00:00.000Z')
    expect(happened[0].type).toBe('statement.created')
  })

  test('refuses where nothing is due any more', async () => {
    const { key, id } = await makeSandboxOrganisation(bank, { frozen: true })
    await bank.database.query(
      `update organisation set frozen_at = '9999-12-05', statements_from = '9999-12-01' where id = $1::bigint`,
      [id],
    )
    const { status, json } = await bank.call('POST', path, { key, body: { to: 'next' } })
    expect([status, json.code]).toEqual([422, 'nothing_upcoming'])
  })
})
