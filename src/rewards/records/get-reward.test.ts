import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { insertReward } from '../../../test/support/rewards.ts'

let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

const get = (id: number | string, key = bank.key) => bank.call('GET', `/v0/rewards/rewards/${id}`, { key })

describe('get reward', () => {
  test('answers one reward', async () => {
    const id = await insertReward(bank, { state: 'CLAWED_BACK', updatedAt: '2026-02-01T00:00:00.000Z' })
    const { status, json } = await get(id)
    expect([status, json]).toEqual([
      200,
      {
        data: {
          id,
          partnerUserId: expect.any(Number),
          rewardableTransactionId: expect.any(Number),
          offerId: '1000042',
          merchantName: 'Sample Coffee',
          amount: 10_00,
          userAmount: 50,
          state: 'CLAWED_BACK',
          createdAt: '2026-01-31T12:00:00.000Z',
          updatedAt: '2026-02-01T00:00:00.000Z',
        },
      },
    ])
  })

  test("refuses an unknown id, and another organisation's", async () => {
    const id = await insertReward(bank)
    for (const reply of [await get(id, bank.otherKey), await get(id + 1), await get(`0${id}`), await get('x')]) {
      expect([reply.status, reply.json.code]).toEqual([404, 'reward_not_found'])
    }
  })
})
