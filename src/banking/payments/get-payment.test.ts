import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { expectSoundLedger, makePayer, pay, returnPayment } from '../../../test/support/ledger.ts'

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(async () => {
  await expectSoundLedger(bank)
  await bank.close()
})

const get = (id: string, key = bank.key) => bank.call('GET', `/v0/banking/payments/${id}`, { key })

describe('get payment', () => {
  test('answers the payment as it was made', async () => {
    const made = await pay(bank, await makePayer(bank, 50_00), { addenda: 'Invoice 1', tags: { a: 'b' } })
    const { status, text } = await get(made.json.data.id)
    expect([status, text]).toEqual([200, made.text])
  })

  test('answers the status Returned and the reason once the payment was returned', async () => {
    const made = await pay(bank, await makePayer(bank, 50_00))
    await returnPayment(bank, made.json.data.id)
    const { json } = await get(made.json.data.id)
    const reason = { returnCode: 'R01', returnReason: 'Insufficient funds' }
    expect(json).toEqual({ data: { ...made.json.data, status: 'Returned', ...reason } })
  })

  test('still answers the counterparty after the external account was deleted', async () => {
    const ada = await makePayer(bank, 50_00)
    const made = await pay(bank, ada)
    await bank.call('DELETE', `/v0/banking/external-accounts/${ada.externalAccountId}`)
    expect((await get(made.json.data.id)).text).toBe(made.text)
  })

  test('answers 404 for an unknown id and for a payment of another organisation', async () => {
    const ada = await makePayer(bank, 50_00)
    const made = await pay(bank, ada)
    for (const id of ['1000', 'abc', '99999999999999999999', ada.accountId]) {
      const { status, json } = await get(id)
      expect([status, json.code], id).toEqual([404, 'payment_not_found'])
    }
    const foreign = await get(made.json.data.id, bank.otherKey)
    expect([foreign.status, foreign.json.code]).toEqual([404, 'payment_not_found'])
  })
})
