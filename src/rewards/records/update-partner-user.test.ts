import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { listRecords, makeBankCard, makeLink, makePartnerUser, setRemoved } from '../../../test/support/rewards.ts'

let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

const update = (id: number | string, isRemoved: boolean, key = bank.key) =>
  setRemoved(bank, 'partner-users', id, isRemoved, key)

describe('update partner user', () => {
  test('removes a partner user and enrols it again', async () => {
    const user = await makePartnerUser(bank)
    const removed = await update(user.id, true)
    expect([removed.status, removed.json.data]).toEqual([
      200,
      { ...user, isRemoved: true, updatedAt: expect.stringMatching(/^\d{4}-.*Z$/) },
    ])
    expect(removed.json.data.updatedAt >= user.createdAt).toBe(true)
    const again = await update(user.id, false)
    expect([again.status, again.json.data.isRemoved]).toEqual([200, false])
    expect(again.json.data.updatedAt >= removed.json.data.updatedAt).toBe(true)
  })

  test('changes nothing of a partner user that is in the requested state', async () => {
    const user = await makePartnerUser(bank)
    expect((await update(user.id, false)).json.data).toEqual(user)
    const removed = (await update(user.id, true)).json.data
    expect((await update(user.id, true)).json.data).toEqual(removed)
  })

  test('leaves the links of its cards as they are', async () => {
    const user = await makePartnerUser(bank)
    const link = await makeLink(bank, user.id, await makeBankCard(bank))
    await update(user.id, true)
    expect((await listRecords(bank, 'partner-user-cards')).json.data).toContainEqual(link)
  })

  test('refuses a change that names nothing', async () => {
    const { id } = await makePartnerUser(bank)
    for (const place of [id, 'unknown']) {
      const { status, json } = await bank.call('PATCH', `/v0/rewards/partner-users/${place}`, { body: {} })
      expect([status, json.errors]).toEqual([
        400,
        [{ pointer: '/isRemoved', code: 'required', message: 'one of isRemoved, tags is required' }],
      ])
    }
  })

  test("refuses an unknown id, and another organisation's", async () => {
    const { id } = await makePartnerUser(bank)
    for (const reply of [await update(id, true, bank.otherKey), await update(id + 1, true), await update('x', true)]) {
      expect([reply.status, reply.json.code]).toEqual([404, 'partner_user_not_found'])
      expect(reply.json.detail).toContain('POST /v0/rewards/partner-users')
    }
    expect((await update(id, false)).json.data.updatedAt).toBeNull()
  })
})
