import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'

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

  test.each(['', '?date=2026-02-29', '?date=2026-2-1', '?date=today', '?date=2026-02-28T00:00:00Z'])(
    'asks for a day of the calendar: %s',
    async (query) => {
      const { status, json } = await get(query)
      expect(status).toBe(400)
      expect(json.errors[0].parameter).toBe('date')
    },
  )
})
