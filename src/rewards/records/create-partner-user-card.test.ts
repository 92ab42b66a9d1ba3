import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makeBankCard, makeLink, makePartnerUser, setRemoved } from '../../../test/support/rewards.ts'

let bank: TestBank
let user: number

beforeAll(async () => {
  bank = await openTestBank()
  user = (await makePartnerUser(bank)).id
})
afterAll(() => bank.close())

const create = (body: unknown, key = bank.key) => bank.call('POST', '/v0/rewards/partner-user-cards', { body, key })

describe('create partner user card', () => {
  test('links a card to a partner user', async () => {
    const bankCardId = await makeBankCard(bank)
    const { status, json } = await create({ partnerUserId: user, bankCardId })
    expect([status, json]).toEqual([
      201,
      {
        data: {
          id: expect.any(Number),
          partnerUserId: user,
          bankCardId,
          isRemoved: false,
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          updatedAt: null,
        },
      },
    ])
  })

  test('links a card once, until the link is removed', async () => {
    const bankCardId = await makeBankCard(bank)
    const link = await makeLink(bank, user, bankCardId)
    const other = await makePartnerUser(bank)
    for (const partnerUserId of [user, other.id]) {
      const { status, json } = await create({ partnerUserId, bankCardId })
      expect([status, json.code]).toEqual([409, 'card_already_linked'])
    }
    await setRemoved(bank, 'partner-user-cards', link.id, true)
    expect((await create({ partnerUserId: other.id, bankCardId })).status).toBe(201)
  })

  test('links a card once when twenty try at once', async () => {
    const bankCardId = await makeBankCard(bank)
    const replies = await Promise.all(Array.from({ length: 20 }, () => create({ partnerUserId: user, bankCardId })))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 19 }, () => 409)])
  })

  test('links any number of cards to one partner user', async () => {
    for (let card = 0; card < 3; card++) await makeLink(bank, user, await makeBankCard(bank))
  })

  test("refuses an unknown partner user and an unknown card, and another organisation's", async () => {
    const bankCardId = await makeBankCard(bank)
    const code = async (body: unknown, key = bank.key) => {
      const { status, json } = await create(body, key)
      return [status, json.code]
    }
    expect(await code({ partnerUserId: 1_999_999_999, bankCardId })).toEqual([404, 'partner_user_not_found'])
    expect(await code({ partnerUserId: user, bankCardId: '1000' })).toEqual([404, 'card_not_found'])
    expect(await code({ partnerUserId: user, bankCardId }, bank.otherKey)).toEqual([404, 'partner_user_not_found'])
    const { json } = await bank.call('POST', '/v0/rewards/partner-users', { body: { userId: 1 }, key: bank.otherKey })
    expect(await code({ partnerUserId: json.data.id, bankCardId }, bank.otherKey)).toEqual([404, 'card_not_found'])
    expect(await code({ partnerUserId: user, bankCardId })).toEqual([201, undefined])
  })
})
