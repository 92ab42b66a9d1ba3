import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { idsOf, insertRecord, insertReward, listRecords } from '../../../test/support/rewards.ts'

let bank: TestBank
const rows: { id: number; rewardId: number; paymentId: number; createdAt: string; updatedAt: string | null }[] = []

beforeAll(async () => {
  bank = await openTestBank()
  for (const [at, paymentId] of [1_000_300, 1_000_100, 9_007_199_254_740_991].entries()) {
    const record = {
      rewardId: await insertReward(bank),
      paymentId,
      createdAt: `2026-01-0${at + 1}T00:00:00.000Z`,
      updatedAt: null,
    }
    rows.push({ id: await insertRecord(bank, 'reward_payment', record), ...record })
  }
})
afterAll(() => bank.close())

describe('R5 list reward payments', () => {
  test('answers whole records by id', async () => {
    const { status, json } = await listRecords(bank, 'reward-payments')
    expect([status, json]).toEqual([200, { data: rows }])
    expect(await idsOf(bank, 'reward-payments', {}, bank.otherKey)).toEqual([])
  })

  test('filters and orders by its columns', async () => {
    const [first, second, third] = rows.map(({ id }) => id)
    const whereClause = '$C1 IN ( $V1 )'
    const texts = { whereClause, columnNames: 'id', values: `[${first},${third}]`, orderByClause: '$C1 DESC' }
    expect(await idsOf(bank, 'reward-payments', texts)).toEqual([third, first])
    const byPayment = { columnNames: 'paymentId', orderByClause: '$C1' }
    expect(await idsOf(bank, 'reward-payments', byPayment)).toEqual([second, first, third])
    const one = { whereClause: '$C1 = $V1', columnNames: 'paymentId', values: '[9007199254740991]' }
    expect(await idsOf(bank, 'reward-payments', one)).toEqual([third])
    const ofReward = { whereClause: '$C1 = $V1', columnNames: 'rewardId', values: `[${rows[1]?.rewardId}]` }
    expect(await idsOf(bank, 'reward-payments', ofReward)).toEqual([second])
  })

  test('refuses columns of other lists', async () => {
    const { status, json } = await listRecords(bank, 'reward-payments', { columnNames: 'userId' })
    expect([status, json.errors[0].code]).toEqual([400, 'unknown_column'])
    expect(json.errors[0].message).toContain('id, rewardId, paymentId, createdAt, updatedAt')
  })
})
