import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { expectSoundLedger, makeExternalAccount, makePayer, pay } from '../../../test/support/ledger.ts'
import { makeCustomer } from '../../../test/support/world.ts'

let bank: TestBank
let customerId: string

beforeAll(async () => {
  bank = await openTestBank()
  customerId = await makeCustomer(bank)
})
afterAll(() => bank.close())

const remove = (id: string, key = bank.key) => bank.call('DELETE', `/v0/banking/external-accounts/${id}`, { key })
const listed = async () =>
  (await bank.call('GET', `/v0/banking/customers/${customerId}/external-accounts`)).json.data.map(
    ({ id }: { id: string }) => id,
  )

describe('delete external account', () => {
  test('answers 204 without a body, and the account is no longer listed', async () => {
    const kept = await makeExternalAccount(bank, customerId)
    const id = await makeExternalAccount(bank, customerId)
    const { status, text } = await remove(id)
    expect([status, text]).toEqual([204, ''])
    expect(await listed()).toEqual([kept])
  })

  test('refuses an account that was deleted already', async () => {
    const id = await makeExternalAccount(bank, customerId)
    const replies = await Promise.all([remove(id), remove(id), remove(id)])
    expect(replies.map(({ status }) => status).sort()).toEqual([204, 404, 404])
    const again = await remove(id)
    expect([again.status, again.json.code]).toEqual([404, 'external_account_not_found'])
  })

  test('leaves the payments that were made to the account', async () => {
    const ada = await makePayer(bank, 50_00)
    const made = await pay(bank, ada)
    await remove(ada.externalAccountId)
    expect((await bank.call('GET', `/v0/banking/payments/${made.json.data.id}`)).text).toBe(made.text)
    expect((await pay(bank, ada)).json.code).toBe('external_account_not_found')
    await expectSoundLedger(bank)
  })

  test('refuses an unknown id and an account of another organisation', async () => {
    const id = await makeExternalAccount(bank, customerId)
    for (const unknown of ['1000', 'abc', customerId]) {
      const { status, json } = await remove(unknown)
      expect([status, json.code]).toEqual([404, 'external_account_not_found'])
    }
    const foreign = await remove(id, bank.otherKey)
    expect([foreign.status, foreign.json.code]).toEqual([404, 'external_account_not_found'])
    expect(await listed()).toContain(id)
  })
})
