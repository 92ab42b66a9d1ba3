import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { insertTransaction } from '../../../test/support/rewards.ts'

let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

const get = (query: string) => bank.call('GET', `/v0/rewards/reconciliations/daily${query}`)

describe('getDailyReconciliation', () => {
  test('a day without rewards is balanced', async () => {
    const { status, json } = await get('?date=2026-02-28')
    expect(status).toBe(200)
    expect(json.data).toEqual({
      date: '2026-02-28',
      purchases: { count: 0, amount: 0 },
      rewards: { count: 0, userAmount: 0, issuerAmount: 0 },
      payouts: { count: 0, amount: 0 },
      ledger: { payouts: 0, clawBacks: 0, fundingBalance: 0 },
      balanced: true,
    })
  })

  test.each(['9999-12-31', '0001-01-01', '2024-02-29', '2000-02-29', '1999-12-31'])(
    'answers at the edges of the calendar: %s',
    async (date) => {
      const { status, json } = await get(`?date=${date}`)
      expect([status, json.data?.date]).toEqual([200, date])
    },
  )

  test('counts the last millisecond of a day, and not the first of the next', async () => {
    for (const createdAt of ['2031-05-05T23:59:59.999Z', '2031-05-06T00:00:00.000Z', '9999-12-31T23:59:59.999Z']) {
      await insertTransaction(bank, { createdAt, amount: 7 })
    }
    for (const date of ['2031-05-05', '2031-05-06', '9999-12-31']) {
      expect((await get(`?date=${date}`)).json.data.purchases, date).toEqual({ count: 1, amount: 7 })
    }
  })

  test('refuses a day whose sums pass what a number holds', async () => {
    for (const amount of [9_007_199_254_740_991, 1]) {
      await insertTransaction(bank, { createdAt: '2032-05-05T00:00:00.000Z', amount })
    }
    const { status, json } = await get('?date=2032-05-05')
    expect([status, json.code]).toEqual([422, 'balance_limit'])
  })

  test.each([
    '',
    '?date=2026-02-29',
    '?date=1900-02-29',
    '?date=0000-01-01',
    '?date=2026-00-10',
    '?date=2026-2-1',
    '?date=today',
    '?date=2026-02-28T00:00:00Z',
  ])('asks for a day of the calendar: %s', async (query) => {
    const { status, json } = await get(query)
    expect(status).toBe(400)
    expect(json.errors[0].parameter).toBe('date')
  })
})
