import { afterAll, beforeAll, expect, test } from 'vitest'
import { refusalOf } from '../../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makePartnerUser } from '../../../test/support/rewards.ts'

let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

test('a partner user is read with its tags, by its own organisation', async () => {
  const { id } = await makePartnerUser(bank)
  const path = `/v0/rewards/partner-users/${id}`
  const changed = await bank.call('PATCH', path, { body: { tags: { plan: 'gold' } } })
  expect((await bank.call('GET', path)).json.data).toEqual(changed.json.data)
  expect(changed.json.data).toMatchObject({ id, tags: { plan: 'gold' } })
  expect((await bank.call('PATCH', path, { body: { isRemoved: true } })).json.data.tags).toEqual({ plan: 'gold' })
  const key = await bank.makeKey('others', null)
  expect(refusalOf(await bank.call('GET', path, { key }))).toEqual([404, 'partner_user_not_found'])
})

test('getPartnerUser answers 404 for an unknown id', async () => {
  const answer = await bank.call('GET', '/v0/rewards/partner-users/999999')
  expect(refusalOf(answer)).toEqual([404, 'partner_user_not_found'])
})
