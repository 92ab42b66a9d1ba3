import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { advance, authorize, makeFunded, makeVirtualCard, settle } from '../../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { accountOf, expectSoundLedger, makePayer, pay, receiveAch } from '../../../test/support/ledger.ts'
import { makeAccount } from '../../../test/support/world.ts'

const LARGEST = 999_999_999_999
const MAX_CENTS = 9_007_199_254_740_991
let bank: TestBank
let overdrawn: TestBank

beforeAll(async () => {
  bank = await openTestBank()
  overdrawn = await openTestBank({ overdraftCents: 5_00 })
})
afterEach(async () => {
  await expectSoundLedger(bank)
  await expectSoundLedger(overdrawn)
})
afterAll(() => Promise.all([bank.close(), overdrawn.close()]))

const hold = (accountId: string, body: Record<string, unknown> = {}, options = {}, on = bank) =>
  on.call('POST', `/v0/banking/accounts/${accountId}/holds`, {
    body: { amount: 20_00, reason: 'Dispute', ...body },
    ...options,
  })
const outcome = async (...call: Parameters<typeof hold>) => {
  const { status, json } = await hold(...call)
  return status === 201 ? status : json.code
}
const move = async (accountId: string, name: string, body?: unknown) => {
  expect((await bank.call('POST', `/v0/banking/accounts/${accountId}/${name}`, { body })).status).toBe(200)
}
const availableOf = async (accountId: string, on = bank) => (await accountOf(on, accountId)).available
const nowOf = async (on = bank) => (await on.call('GET', '/v0/sandbox/clock')).json.data.now as string
const later = (instant: string, ms: number) => new Date(Date.parse(instant) + ms).toISOString()

describe('create account hold', () => {
  test('reserves the amount: the balance stays, and less is available', async () => {
    const accountId = await makeFunded(bank, 50_00)
    const { customerId } = await accountOf(bank, accountId)
    const expiresAt = later(await nowOf(), 3_600_000)
    const { status, json } = await hold(accountId, { description: 'Case 7', expiresAt })
    expect([status, json]).toEqual([
      201,
      {
        data: {
          id: expect.stringMatching(/^[1-9]\d{6,}$/),
          status: 'Active',
          accountId,
          customerId,
          amount: 20_00,
          reason: 'Dispute',
          description: 'Case 7',
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          expiresAt,
          endedAt: null,
        },
      },
    ])
    expect(await accountOf(bank, accountId)).toMatchObject({ balance: 50_00, hold: 20_00, available: 30_00 })
    const plain = (await hold(accountId, { reason: 'Other' })).json.data
    expect(plain).toMatchObject({ description: null, expiresAt: null, reason: 'Other' })
    expect(await accountOf(bank, accountId)).toMatchObject({ balance: 50_00, hold: 40_00, available: 10_00 })
  })

  test('keeps payments, transfers and purchases from the money, up to the last cent', async () => {
    const payer = await makePayer(bank, 50_00)
    const card = (await makeVirtualCard(bank, payer.accountId)).id
    const other = await makeAccount(bank)
    await hold(payer.accountId, { amount: 30_00 })
    const transfer = (amount: number) =>
      bank.call('POST', `/v0/banking/accounts/${payer.accountId}/transfers`, {
        body: { toAccountId: other, amount, description: 'Savings' },
      })
    expect((await pay(bank, payer, { amount: 20_01 })).json.code).toBe('insufficient_funds')
    expect((await transfer(20_01)).json.code).toBe('insufficient_funds')
    expect(await authorize(bank, card, 20_01)).toMatchObject({ status: 'Declined', reason: 'InsufficientFunds' })
    expect((await pay(bank, payer, { amount: 5_00 })).status).toBe(201)
    expect((await transfer(5_00)).status).toBe(201)
    expect(await authorize(bank, card, 10_00)).toMatchObject({ status: 'Authorized' })
    expect(await accountOf(bank, payer.accountId)).toMatchObject({ balance: 40_00, hold: 40_00, available: 0 })
  })

  test('lets an earlier purchase settle above what is left', async () => {
    const accountId = await makeFunded(bank, 50_00)
    const { id } = await authorize(bank, (await makeVirtualCard(bank, accountId)).id, 10_00)
    await hold(accountId, { amount: 40_00 })
    expect((await settle(bank, id, { amount: 12_00 })).status).toBe(201)
    expect(await accountOf(bank, accountId)).toMatchObject({ balance: 38_00, hold: 40_00, available: -2_00 })
  })

  test('is refused above what is available, except for a legal order, which takes money that arrives later', async () => {
    const accountId = await makeFunded(bank, 20_00)
    for (const reason of ['Dispute', 'Fraud', 'Other']) {
      expect(await outcome(accountId, { amount: 20_01, reason })).toBe('insufficient_funds')
    }
    expect(await outcome(accountId, { amount: 20_00 })).toBe(201)
    expect(await outcome(accountId, { amount: 1 })).toBe('insufficient_funds')
    expect(await outcome(accountId, { amount: 30_00, reason: 'LegalOrder' })).toBe(201)
    expect(await availableOf(accountId)).toBe(-30_00)
    await receiveAch(bank, accountId, { amount: 30_00 })
    expect(await outcome(accountId, { amount: 1 })).toBe('insufficient_funds')
    expect(await availableOf(accountId)).toBe(0)
  })

  test('may use the overdraft, as a payment may', async () => {
    const accountId = await makeFunded(overdrawn, 20_00)
    expect(await outcome(accountId, { amount: 25_01 }, {}, overdrawn)).toBe('insufficient_funds')
    expect(await outcome(accountId, { amount: 25_00 }, {}, overdrawn)).toBe(201)
    expect(await availableOf(accountId, overdrawn)).toBe(-5_00)
    expect(await outcome(accountId, { amount: 1 }, {}, overdrawn)).toBe('insufficient_funds')
  })

  test('is possible on a frozen account, and not on a closed one', async () => {
    const accountId = await makeFunded(bank, 50_00)
    await move(accountId, 'freeze')
    expect(await outcome(accountId)).toBe(201)
    await move(accountId, 'close', { reason: 'ByCustomer' })
    expect(await outcome(accountId)).toBe('account_closed')
    expect(await accountOf(bank, accountId)).toMatchObject({ status: 'Closed', hold: 20_00 })
  })

  test('stops at the largest sum', async () => {
    const accountId = await makeAccount(bank)
    const legal = { reason: 'LegalOrder', amount: LARGEST }
    expect(await outcome(accountId, legal)).toBe(201)
    // The sum of 9,007 such holds is within the limit, and that of one more is not.
    await bank.database.query(
      `with held as (
         insert into account_hold (id, organisation_id, account_id, customer_id, status, amount, reason, created_at, version)
         select nextval('record_id'), organisation_id, account_id, customer_id, status, amount, reason, created_at, version
         from account_hold cross join generate_series(1, 9006) where account_id = $1::bigint returning amount)
       update account set hold = hold + (select sum(amount) from held) where id = $1::bigint`,
      [accountId],
    )
    expect(await outcome(accountId, legal)).toBe('balance_limit')
    const room = MAX_CENTS - 9007 * LARGEST
    expect(await outcome(accountId, { ...legal, amount: room + 1 })).toBe('balance_limit')
    expect(await outcome(accountId, { ...legal, amount: room })).toBe(201)
    expect(await availableOf(accountId)).toBe(-MAX_CENTS)
  })

  test('needs an expiry in the future of bank time', async () => {
    const { json } = await bank.call('POST', '/v0/sandbox/organisations', {
      body: { name: 'Holds', now: '2026-06-15T12:00:00Z', frozen: true },
    })
    const key = json.data.apiKey.key
    const created = async (path: string, body: unknown) => (await bank.call('POST', path, { key, body })).json.data.id
    const customerId = await created('/v0/sandbox/customers', { name: 'Ada Example' })
    const accountId = await created('/v0/banking/accounts', { customerId })
    await created(`/v0/sandbox/accounts/${accountId}/receive-ach`, { amount: 100_00, companyName: 'Sample Payroll' })
    const until = (expiresAt: unknown) => hold(accountId, { amount: 1, expiresAt }, { key })
    for (const past of ['2026-06-15T12:00:00Z', '2026-06-15', '2026-06-15T14:00:00+02:00', '0001-01-01T00:00:00Z']) {
      const { status, json } = await until(past)
      expect([status, json.code, json.errors]).toEqual([
        400,
        'invalid_request',
        [
          {
            pointer: '/expiresAt',
            code: 'out_of_range',
            message: 'expiresAt must be later than bank time, which is 2026-06-15T12:00:00.000Z',
          },
        ],
      ])
    }
    for (const [text, shown] of [
      ['2026-06-15T12:00:00.001Z', '2026-06-15T12:00:00.001Z'],
      ['2026-06-15T14:00:00.0019+02:00', '2026-06-15T12:00:00.001Z'],
      ['2026-06-16', '2026-06-16T00:00:00.000Z'],
      ['9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z'],
    ]) {
      const { status, json } = await until(text)
      expect([status, json.data?.expiresAt]).toEqual([201, shown])
    }
    for (const wrong of ['soon', '2026-02-30', '2026-06-16 12:00', '', 5]) {
      const { status, json } = await until(wrong)
      expect([wrong, status, json.code, json.errors[0].pointer]).toEqual([wrong, 400, 'invalid_request', '/expiresAt'])
    }
  })

  test('counts a key once, also when the first hold has ended since', async () => {
    const accountId = await makeFunded(bank, 50_00)
    const headers = { 'idempotency-key': 'hold-1' }
    const expiresAt = later(await nowOf(), 60_000)
    const first = await hold(accountId, { amount: 30_00, expiresAt }, { headers })
    const second = await hold(accountId, { amount: 30_00, expiresAt }, { headers })
    expect([second.status, second.text]).toEqual([201, first.text])
    expect((await hold(accountId, { amount: 30_01, expiresAt }, { headers })).json.code).toBe('idempotency_key_reused')
    expect(await availableOf(accountId)).toBe(20_00)
    await advance(bank, { by: 'PT1H' })
    expect(await availableOf(accountId)).toBe(50_00)
    expect((await hold(accountId, { amount: 30_00, expiresAt }, { headers })).text).toBe(first.text)
    expect(await availableOf(accountId)).toBe(50_00)
  })

  test('refuses an unknown account, an internal one and one of another organisation', async () => {
    const accountId = await makeFunded(bank, 50_00)
    const [internal] = await bank.database.query<{ id: number }>('select id from account where id < 0 limit 1')
    for (const [id, key] of [
      ['1000', bank.key],
      ['abc', bank.key],
      [String(internal?.id), bank.key],
      [accountId, bank.otherKey],
    ]) {
      const { status, json } = await hold(id as string, {}, { key })
      expect([id, status, json.code]).toEqual([id, 404, 'account_not_found'])
    }
  })

  test('of 20 dollars, ten at a time beside 60 payments of 10: together they never take more than the account has', async () => {
    const payer = await makePayer(bank, 200_00)
    const replies = await Promise.all([
      ...Array.from({ length: 30 }, () => pay(bank, payer, { amount: 10_00 })),
      ...Array.from({ length: 10 }, () => hold(payer.accountId, { amount: 20_00 })),
      ...Array.from({ length: 30 }, () => pay(bank, payer, { amount: 10_00 })),
    ])
    const made = replies.filter(({ status }) => status === 201).map(({ json }) => json.data)
    expect(new Set(replies.map(({ status, json }) => json.code ?? status))).toEqual(
      new Set([201, 'insufficient_funds']),
    )
    const held = made.filter(({ status }) => status === 'Active').length
    const paid = made.length - held
    expect(held * 20 + paid * 10).toBe(200)
    expect(await accountOf(bank, payer.accountId)).toMatchObject({
      balance: 200_00 - paid * 10_00,
      hold: held * 20_00,
      available: 0,
    })
  })
})
