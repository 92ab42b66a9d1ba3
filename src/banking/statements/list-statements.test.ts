import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openedAt } from '../../../test/support/bank-time.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makeAccount, makeCustomer } from '../../../test/support/world.ts'

let bank: TestBank
let customerId: string
let accountId: string
const periods = ['2025-11', '2026-01', '2025-12']
const made = new Map<string, string>()

beforeAll(async () => {
  bank = await openTestBank()
  customerId = await makeCustomer(bank)
  accountId = await makeAccount(bank, { customerId })
  await openedAt(bank, accountId, '2025-11-15T12:00:00Z')
  for (const period of periods) {
    const { json } = await bank.call('POST', `/v0/sandbox/accounts/${accountId}/statements`, { body: { period } })
    made.set(period, json.data.id)
  }
})
afterAll(() => bank.close())

const list = (query: string) => bank.call('GET', `/v0/banking/statements${query}`)
const periodsOf = async (query: string) =>
  (await list(`?accountId=${accountId}${query}`)).json.data.map(({ period }: { period: string }) => period)

describe('B13 list statements', () => {
  test('answers whole statements, the latest month first', async () => {
    const { status, json } = await list(`?accountId=${accountId}`)
    expect(status).toBe(200)
    expect(json).toEqual({
      data: ['2026-01', '2025-12', '2025-11'].map((period) => ({
        type: 'accountStatementDTO',
        id: made.get(period),
        period,
        accountId,
        customerId,
      })),
    })
  })

  test('filters by month', async () => {
    expect(await periodsOf('&period=2025-12')).toEqual(['2025-12'])
    expect(await periodsOf('&period=2024-12')).toEqual([])
    for (const period of ['2025-13', '2025-00', '2025-1', '0999-12', '2025-12-01', 'December']) {
      const { status, json } = await list(`?accountId=${accountId}&period=${period}`)
      expect([status, json.errors?.[0]?.parameter], period).toEqual([400, 'period'])
    }
  })

  test('turns round, limits and skips, and says when more follows', async () => {
    expect(await periodsOf('&sort=createdAt')).toEqual(['2025-11', '2025-12', '2026-01'])
    expect(await periodsOf('&limit=1&offset=1')).toEqual(['2025-12'])
    expect(await periodsOf('&offset=3')).toEqual([])
    const { headers } = await list(`?accountId=${accountId}&limit=2`)
    expect(headers.link).toBe(`</v0/banking/statements?accountId=${accountId}&limit=2&offset=2>; rel="next"`)
  })

  test('answers an empty list for an account without statements and for none at all', async () => {
    for (const id of [await makeAccount(bank), '1999999', customerId]) {
      const { status, json } = await list(`?accountId=${id}`)
      expect([status, json]).toEqual([200, { data: [] }])
    }
  })

  test('needs the account', async () => {
    const { status, json } = await list('?period=2026-01')
    expect([status, json.errors]).toEqual([
      400,
      [{ parameter: 'accountId', code: 'required', message: 'accountId is required' }],
    ])
  })
})
