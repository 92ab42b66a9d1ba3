import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { idsOf, insertReward, listRecords } from '../../../test/support/rewards.ts'

let bank: TestBank
let coffee: number
let books: number
let rejected: number

beforeAll(async () => {
  bank = await openTestBank()
  coffee = await insertReward(bank, { state: 'PAID', amount: 20_00, userAmount: 1_00 })
  books = await insertReward(bank, { merchantName: 'Sample Books', offerId: '7', userAmount: 25 })
  rejected = await insertReward(bank, { state: 'REJECTED', updatedAt: '2026-02-01T00:00:00.000Z' })
})
afterAll(() => bank.close())

const ids = (texts: Parameters<typeof idsOf>[2]) => idsOf(bank, 'rewards', texts)

describe('list rewards', () => {
  test('answers whole rewards by id, without the shares that are not shown', async () => {
    const { status, json } = await listRecords(bank, 'rewards')
    expect(status).toBe(200)
    expect(json.data.map(({ id }: { id: number }) => id)).toEqual([coffee, books, rejected])
    expect(json.data[0]).toEqual({
      id: coffee,
      partnerUserId: expect.any(Number),
      rewardableTransactionId: expect.any(Number),
      offerId: '1000042',
      merchantName: 'Sample Coffee',
      amount: 20_00,
      userAmount: 1_00,
      state: 'PAID',
      createdAt: '2026-01-31T12:00:00.000Z',
      updatedAt: null,
    })
    expect(await idsOf(bank, 'rewards', {}, bank.otherKey)).toEqual([])
  })

  test('filters and orders by its fields', async () => {
    const of = (columnNames: string, condition: string, values: string) =>
      ids({ whereClause: `$C1 ${condition}`, columnNames, values })
    expect(await of('state', 'IN ($V1)', '[PAID, PENDING]')).toEqual([coffee, books])
    expect(await of('merchantName', 'ILIKE $V1', "['%books']")).toEqual([books])
    expect(await of('offerId', '= $V1', '[7]')).toEqual([books])
    expect(await of('userAmount', '>= $V1', '[50]')).toEqual([coffee, rejected])
    expect(await ids({ columnNames: 'userAmount', orderByClause: '$C1 DESC' })).toEqual([coffee, rejected, books])
    expect(await ids({ columnNames: 'updatedAt', orderByClause: '$C1' })).toEqual([rejected, coffee, books])
  })

  test("does not know the issuer's share", async () => {
    const { status, json } = await listRecords(bank, 'rewards', { columnNames: 'issuerAmount' })
    expect([status, json.errors[0].code]).toEqual([400, 'unknown_column'])
  })
})
