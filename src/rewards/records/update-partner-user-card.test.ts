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

const update = (id: number | string, isRemoved: boolean, key = bank.key) =>
  setRemoved(bank, 'partner-user-cards', id, isRemoved, key)
const makeOne = async () => makeLink(bank, user, await makeBankCard(bank))

describe('update partner user card', () => {
  test('removes a link and brings it back', async () => {
    const link = await makeOne()
    const removed = await update(link.id, true)
    expect([removed.status, removed.json.data]).toEqual([
      200,
      { ...link, isRemoved: true, updatedAt: expect.stringMatching(/^\d{4}-.*Z$/) },
    ])
    const back = await update(link.id, false)
    expect([back.status, back.json.data.isRemoved]).toEqual([200, false])
  })

  test('changes nothing of a link that is in the requested state', async () => {
    const link = await makeOne()
    expect((await update(link.id, false)).json.data).toEqual(link)
    const removed = (await update(link.id, true)).json.data
    expect((await update(link.id, true)).json.data).toEqual(removed)
  })

  test('brings no link back while the card has another live one', async () => {
    const old = await makeOne()
    await update(old.id, true)
    const live = await makeLink(bank, (await makePartnerUser(bank)).id, old.bankCardId)
    const refused = await update(old.id, false)
    expect([refused.status, refused.json.code]).toEqual([409, 'card_already_linked'])
    expect((await update(old.id, true)).status).toBe(200)
    await update(live.id, true)
    expect((await update(old.id, false)).status).toBe(200)
    expect((await update(live.id, false)).json.code).toBe('card_already_linked')
  })

  test('leaves one live link when many are brought back and made at once', async () => {
    const bankCardId = await makeBankCard(bank)
    const links = []
    for (let at = 0; at < 5; at++) {
      links.push(await makeLink(bank, user, bankCardId))
      await update(links[at].id, true)
    }
    const body = { partnerUserId: user, bankCardId }
    const replies = await Promise.all([
      ...links.map(({ id }) => update(id, false)),
      ...links.map(() => bank.call('POST', '/v0/rewards/partner-user-cards', { body })),
    ])
    const won = replies.filter(({ status }) => status < 300)
    expect(won).toHaveLength(1)
    expect(replies.filter((reply) => !won.includes(reply)).map(({ json }) => json.code)).toEqual(
      Array.from({ length: 9 }, () => 'card_already_linked'),
    )
  })

  test("refuses an unknown id, and another organisation's", async () => {
    const { id } = await makeOne()
    for (const reply of [await update(id, true, bank.otherKey), await update(id + 1, true), await update('x', true)]) {
      expect([reply.status, reply.json.code]).toEqual([404, 'partner_user_card_not_found'])
    }
  })
})
