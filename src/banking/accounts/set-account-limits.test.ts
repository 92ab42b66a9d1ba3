import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { setNoon } from '../../../test/support/bank-time.ts'
import { authorize, makeVirtualCard } from '../../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import {
  accountOf,
  expectSoundLedger,
  makePayer,
  type Payer,
  pay,
  returnPayment,
} from '../../../test/support/ledger.ts'
import { makeAccount } from '../../../test/support/world.ts'

let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank({ overdraftCents: 5_00 })
  await setNoon(bank)
})
afterEach(() => expectSoundLedger(bank))
afterAll(() => bank.close())

type Options = Parameters<TestBank['call']>[2]
const limitsPath = (id: string) => `/v0/banking/accounts/${id}/limits`
const setLimits = (id: string, body: unknown, options: Options = {}) =>
  bank.call('PUT', limitsPath(id), { body, ...options })
const limitsOf = async (id: string) => (await bank.call('GET', limitsPath(id))).json.data
const none = { soft: null, hard: null }
const cancel = (id: string) => bank.call('POST', `/v0/banking/payments/${id}/cancel`)
const reject = (id: string) => bank.call('POST', `/v0/review/payments/${id}/reject`, { body: { reason: 'No' } })

async function makeLimited(limits: unknown, balance = 1_000_00): Promise<Payer> {
  const payer = await makePayer(bank, balance)
  expect((await setLimits(payer.accountId, limits)).status).toBe(200)
  return payer
}

/** The status of a new payment, or the refusal with what is left of the limit. */
async function paid(payer: Payer, amount: number) {
  const { status, json } = await pay(bank, payer, { amount })
  return status === 201 ? json.data.status : [json.code, json.limit?.period, json.limit?.left]
}

describe('set account limits', () => {
  test('a request without a body, or with null, is refused and leaves the limits as they are', async () => {
    const { accountId } = await makeLimited({ payment: { hard: 5_00 } })
    for (const body of [undefined, null]) {
      const { status, json } = await setLimits(accountId, body)
      expect([status, json.code, json.errors?.[0]?.pointer]).toEqual([400, 'invalid_request', ''])
      expect(json.detail).toBe('the body must be an object')
    }
    expect((await limitsOf(accountId)).payment.hard).toBe(5_00)
    expect((await setLimits(accountId, {})).json.data.payment.hard).toBeNull()
  })

  test('replaces all limits, shows them with what is used, and emits them once', async () => {
    const payer = await makePayer(bank, 100_00)
    const id = payer.accountId
    const empty = {
      id,
      payment: none,
      day: { ...none, used: null },
      month: { ...none, used: null },
      overdraft: null,
    }
    expect(await limitsOf(id)).toEqual(empty)
    await pay(bank, payer, { amount: 7_00 })
    const body = { payment: { soft: 1_00 }, day: { soft: 0, hard: 50_00 }, month: { hard: 60_00 }, overdraft: 0 }
    const { status, json } = await setLimits(id, body)
    const shown = {
      id,
      payment: { soft: 1_00, hard: null },
      day: { soft: 0, hard: 50_00, used: 7_00 },
      month: { soft: null, hard: 60_00, used: 7_00 },
      overdraft: 0,
    }
    expect([status, json]).toEqual([200, { data: shown }])
    expect((await setLimits(id, body)).json).toEqual({ data: shown })
    expect(await limitsOf(id)).toEqual(shown)
    expect((await setLimits(id, {})).json).toEqual({ data: empty })
    const { json: events } = await bank.call('GET', `/v0/events?entityType=account&entityId=${id}`)
    const changed = events.data.filter(({ type }: { type: string }) => type === 'account.limitsChanged')
    expect(changed.map(({ data }: { data: unknown }) => data)).toEqual([shown, empty])
  })

  test.each([
    ['payment', { payment: { soft: 10_00, hard: 20_00 } }],
    ['day', { day: { soft: 10_00, hard: 20_00 } }],
    ['month', { month: { soft: 10_00, hard: 20_00 } }],
  ])('limits each %s: at the edge it passes, a cent above it is reviewed or refused', async (period, limits) => {
    const payer = await makeLimited(limits)
    const isTotal = period !== 'payment'
    expect(await paid(payer, 10_00)).toBe('Sent')
    expect(await paid(payer, isTotal ? 1 : 10_01)).toBe('PendingReview')
    const left = isTotal ? 9_99 : 20_00
    expect(await paid(payer, left + 1)).toEqual(['limit_exceeded', period, left])
    expect(await paid(payer, left)).toBe('PendingReview')
    expect(await paid(payer, isTotal ? 1 : 20_01)).toEqual(['limit_exceeded', period, isTotal ? 0 : 20_00])
  })

  test('says which limit is exceeded in the problem', async () => {
    const payer = await makeLimited({ day: { hard: 5_00 } })
    const { status, json } = await pay(bank, payer, { amount: 5_01 })
    expect([status, json.limit]).toEqual([422, { scope: 'account', period: 'day', limit: 5_00, left: 5_00 }])
    expect(json.detail).toBe('The amount exceeds the limit of the account for a day: 500 of 500 cents are left.')
    await setLimits(payer.accountId, { payment: { hard: 4_00 } })
    const { detail } = (await pay(bank, payer, { amount: 5_01 })).json
    expect(detail).toBe('The amount exceeds the limit of the account for a payment: 400 cents.')
    expect((await accountOf(bank, payer.accountId)).balance).toBe(1_000_00)
  })

  test('a limit of zero stops all payments, and none removes the limits', async () => {
    const payer = await makeLimited({ payment: { hard: 0 } })
    expect(await paid(payer, 1)).toEqual(['limit_exceeded', 'payment', 0])
    await setLimits(payer.accountId, {})
    expect(await paid(payer, 1)).toBe('Sent')
    await setLimits(payer.accountId, { month: { hard: 1_00 } })
    expect((await limitsOf(payer.accountId)).month.used).toBe(1)
  })

  test('canceled and rejected payments free the limit, returned ones do not', async () => {
    const payer = await makeLimited({ payment: { soft: 1_00 }, day: { hard: 10_00 } })
    const make = async (amount: number) => (await pay(bank, payer, { amount })).json.data.id
    await cancel(await make(9_00))
    await reject(await make(9_00))
    const small = await make(1_00)
    await returnPayment(bank, small)
    expect((await limitsOf(payer.accountId)).day.used).toBe(1_00)
    expect(await paid(payer, 9_01)).toEqual(['limit_exceeded', 'day', 9_00])
    const approved = await make(9_00)
    await bank.call('POST', `/v0/review/payments/${approved}/approve`, { body: { reason: 'Yes' } })
    expect((await limitsOf(payer.accountId)).day.used).toBe(10_00)
    // Limits that are set anew count the payments that there are.
    await setLimits(payer.accountId, {})
    expect((await setLimits(payer.accountId, { day: { hard: 10_00 } })).json.data.day.used).toBe(10_00)
  })

  test('a payment that is canceled or rejected on a later day frees the limit of its own day', async () => {
    const payer = await makeLimited({ payment: { soft: 0 }, day: { hard: 10_00 } })
    const make = async (amount: number) => (await pay(bank, payer, { amount })).json.data.id
    const [canceled, rejected] = [await make(3_00), await make(4_00)]
    await bank.call('POST', '/v0/sandbox/clock/advance', { body: { by: 'P1D' } })
    await make(2_00)
    expect((await cancel(canceled)).status).toBe(200)
    expect((await reject(rejected)).status).toBe(200)
    const { day, month } = await limitsOf(payer.accountId)
    expect([day.used, month.used]).toEqual([2_00, 2_00])
  })

  test('a day and a month begin at midnight UTC in bank time', async () => {
    const { json } = await bank.call('POST', '/v0/sandbox/organisations', {
      body: { name: 'Midnight', now: '2031-01-30T23:59:00Z' },
    })
    const key = json.data.apiKey.key
    const call = async (method: string, path: string, body?: unknown) =>
      (await bank.call(method, path, { key, ...(body !== undefined && { body }) })).json
    const customerId = (await call('POST', '/v0/sandbox/customers', { name: 'Ada' })).data.id
    const accountId = (await call('POST', '/v0/banking/accounts', { customerId })).data.id
    await call('POST', `/v0/sandbox/accounts/${accountId}/receive-ach`, { amount: 1_000_00, companyName: 'X' })
    const external = {
      name: 'G',
      type: 'Person',
      routingNumber: '021000021',
      accountNumber: '98',
      accountType: 'Checking',
    }
    const to = (await call('POST', `/v0/banking/customers/${customerId}/external-accounts`, external)).data.id
    await call('PUT', limitsPath(accountId), { day: { hard: 10_00 }, month: { hard: 25_00 } })
    const order = { counterpartyAccountId: to, description: 'Rent', originalType: 'ACH' }
    const send = async (amount: number) => {
      const { data, limit } = await call('POST', `/v0/banking/accounts/${accountId}/payments`, { ...order, amount })
      return data?.status ?? [limit.period, limit.left]
    }
    const advance = (to: string) => call('POST', '/v0/sandbox/clock/advance', { to })
    expect(await send(10_00)).toBe('Sent')
    expect(await send(1)).toEqual(['day', 0])
    await advance('2031-01-31T00:00:00Z')
    expect(await send(10_00)).toBe('Sent')
    await advance('2031-01-31T23:59:00Z')
    expect(await send(1)).toEqual(['day', 0])
    await advance('2031-02-01T00:00:00Z')
    expect(await send(10_00)).toBe('Sent')
    await advance('2031-02-02T00:00:00Z')
    expect(await send(10_00)).toBe('Sent')
    await advance('2031-02-03T00:00:00Z')
    expect(await send(5_01)).toEqual(['month', 5_00])
    expect(await send(5_00)).toBe('Sent')
  })

  test('the overdraft of the account takes the place of the setting, for payments and cards', async () => {
    const payer = await makePayer(bank, 10_00)
    expect(await paid(payer, 15_01)).toEqual(['insufficient_funds', undefined, undefined])
    await setLimits(payer.accountId, { overdraft: 20_00 })
    expect(await paid(payer, 30_01)).toEqual(['insufficient_funds', undefined, undefined])
    expect(await paid(payer, 25_00)).toBe('Sent')
    const card = (await makeVirtualCard(bank, payer.accountId)).id
    const charged = async (amount: number) => (await authorize(bank, card, amount)).status
    expect([await charged(5_01), await charged(5_00)]).toEqual(['Declined', 'Authorized'])
    await setLimits(payer.accountId, { overdraft: 0 })
    expect(await paid(payer, 1)).toEqual(['insufficient_funds', undefined, undefined])
  })

  test('of payments at once exactly as many pass as the limit allows', async () => {
    const payer = await makeLimited({ day: { soft: 50_00, hard: 80_00 } })
    const states = await Promise.all(Array.from({ length: 100 }, () => paid(payer, 1_00)))
    const count = (state: string) => states.filter((each) => String(each).startsWith(state)).length
    expect([count('Sent'), count('PendingReview'), count('limit_exceeded')]).toEqual([50, 30, 20])
  })

  test('refuses limits that are negative, too large, in disorder or of a wrong type, and unknown accounts', async () => {
    const id = await makeAccount(bank)
    const refused: unknown[] = [
      { payment: { soft: -1 } },
      { day: { hard: 2 ** 53 } },
      { month: { soft: 2, hard: 1 } },
      { overdraft: -1 },
      { overdraft: '1' },
      { payment: 5 },
      { week: { hard: 1 } },
    ]
    for (const body of refused) expect((await setLimits(id, body)).status, JSON.stringify(body)).toBe(400)
    expect((await setLimits(id, { payment: { soft: 2 ** 53 - 1, hard: 2 ** 53 - 1 } })).status).toBe(200)
    for (const options of [{}, { key: bank.otherKey }]) {
      const target = 'key' in options ? id : '999999999'
      expect((await setLimits(target, {}, options)).json.code).toBe('account_not_found')
      expect((await bank.call('GET', limitsPath(target), options)).json.code).toBe('account_not_found')
    }
  })
})
