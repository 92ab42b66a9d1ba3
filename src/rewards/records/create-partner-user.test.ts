import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { advance, bankNow } from '../../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { idsOf, setRemoved } from '../../../test/support/rewards.ts'

let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

const create = (body: unknown, options = {}) => bank.call('POST', '/v0/rewards/partner-users', { body, ...options })

describe('create partner user', () => {
  test('enrols a user, at bank time', async () => {
    await advance(bank, { by: 'P30D' })
    const before = await bankNow(bank)
    const { status, json } = await create({ userId: 222 })
    expect([status, json]).toEqual([
      201,
      {
        data: {
          id: expect.any(Number),
          userId: 222,
          isRemoved: false,
          tags: {},
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          updatedAt: null,
        },
      },
    ])
    expect(json.data.createdAt >= before).toBe(true)
    expect(await idsOf(bank, 'partner-users', {})).toContain(json.data.id)
  })

  test('enrols a user once an organisation, removed or not', async () => {
    const { json } = await create({ userId: 333 })
    const again = await create({ userId: 333 })
    expect([again.status, again.json.code]).toEqual([409, 'partner_user_exists'])
    await setRemoved(bank, 'partner-users', json.data.id, true)
    const refused = await create({ userId: 333 })
    expect([refused.status, refused.json.code]).toEqual([409, 'partner_user_exists'])
    expect(refused.json.detail).toContain('PATCH /v0/rewards/partner-users/:partnerUserId')
    expect((await create({ userId: 333 }, { key: bank.otherKey })).status).toBe(201)
  })

  test('enrols a user once when twenty try at once', async () => {
    const replies = await Promise.all(Array.from({ length: 20 }, () => create({ userId: 444 })))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 409)])
  })

  test('answers a repeated request with the first answer', async () => {
    const headers = { 'idempotency-key': 'enrol' }
    const first = await create({ userId: 555 }, { headers })
    const again = await create({ userId: 555 }, { headers })
    expect([again.status, again.text, again.headers['idempotent-replayed']]).toEqual([201, first.text, 'true'])
  })

  test('takes whole numbers from 1 to what a number holds', async () => {
    expect((await create({ userId: 9_007_199_254_740_991 })).json.data.userId).toBe(9_007_199_254_740_991)
    expect((await create({ userId: 1 })).status).toBe(201)
    for (const userId of [0, -1, 1.5, '5', null, 9_007_199_254_740_992]) {
      const { status, json } = await create({ userId })
      expect([status, json.errors[0].pointer], String(userId)).toEqual([400, '/userId'])
    }
  })
})
