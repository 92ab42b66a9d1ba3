import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { expectSoundLedger } from '../../../test/support/ledger.ts'
import { merchant, nationalOffer } from '../../../test/support/offers.ts'
import { makeAccount, newUserId } from '../../../test/support/world.ts'

let bank: TestBank
beforeAll(async () => {
  const offers = [nationalOffer({ merchant: merchant('Tamberly Market'), commission: 5, totalCommission: 8 })]
  bank = await openTestBank({ catalogue: { zipCodes: [], offers } })
})
afterAll(() => bank.close())

async function made(path: string, body: unknown) {
  const reply = await bank.call('POST', path, { body })
  expect(reply.status, reply.text).toBe(201)
  return reply.json.data
}

/** A purchase that was settled before anybody linked the card. */
async function purchase() {
  const accountId = await makeAccount(bank)
  await made(`/v0/sandbox/accounts/${accountId}/receive-ach`, { amount: 1_000_00, companyName: 'Sample Payroll' })
  const { id: bankCardId } = await made('/v0/banking/cards', { type: 'individualVirtualDebitCard', accountId })
  const body = { amount: 100_00, merchant: { name: 'Tamberly Market' } }
  const { id } = await made(`/v0/sandbox/cards/${bankCardId}/authorizations`, body)
  const { id: bankTransactionId } = await made(`/v0/sandbox/authorizations/${id}/settle`, {})
  return { accountId, bankCardId, bankTransactionId, authorizationId: id }
}

async function linked() {
  const bought = await purchase()
  const { id: partnerUserId } = await made('/v0/rewards/partner-users', { userId: newUserId() })
  const { id: linkId } = await made('/v0/rewards/partner-user-cards', { partnerUserId, bankCardId: bought.bankCardId })
  return { ...bought, linkId }
}

const path = '/v0/rewards/rewardable-transactions'
const code = async (body: unknown) => {
  const { status, json } = await bank.call('POST', path, { body })
  return [status, json.code]
}

describe('createRewardableTransaction', () => {
  test('answers the record, and the purchase earns', async () => {
    const { accountId, bankCardId, bankTransactionId, linkId } = await linked()
    const record = await made(path, { bankCardId, bankTransactionId })
    expect(record).toEqual({
      id: expect.any(Number),
      partnerUserCardId: linkId,
      bankTransactionId,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: null,
    })
    const account = (await bank.call('GET', `/v0/banking/accounts/${accountId}`)).json.data
    expect(account.balance).toBe(1_000_00 - 100_00 + 5_00)
    await expectSoundLedger(bank)
  })

  test('answers the same record again, and earns no second time', async () => {
    const { accountId, bankCardId, bankTransactionId } = await linked()
    const first = await made(path, { bankCardId, bankTransactionId })
    expect((await made(path, { bankCardId, bankTransactionId })).id).toBe(first.id)
    expect((await bank.call('GET', `/v0/banking/accounts/${accountId}`)).json.data.balance).toBe(905_00)
  })

  test('earns for what was not refunded meanwhile', async () => {
    const { accountId, bankCardId, bankTransactionId, authorizationId } = await linked()
    await made(`/v0/sandbox/authorizations/${authorizationId}/refund`, { amount: 60_00 })
    await made(path, { bankCardId, bankTransactionId })
    expect((await bank.call('GET', `/v0/banking/accounts/${accountId}`)).json.data.balance).toBe(960_00 + 2_00)
    await expectSoundLedger(bank)
  })

  test('refuses a card that nobody earns with, another card, and what is no purchase', async () => {
    const unlinked = await purchase()
    expect(await code({ bankCardId: unlinked.bankCardId, bankTransactionId: unlinked.bankTransactionId })).toEqual([
      409,
      'card_not_linked',
    ])
    const { accountId, bankCardId, bankTransactionId } = await linked()
    expect(await code({ bankCardId: unlinked.bankCardId, bankTransactionId })).toEqual([404, 'transaction_not_found'])
    expect(await code({ bankCardId: '9000000', bankTransactionId })).toEqual([404, 'card_not_found'])
    expect(await code({ bankCardId, bankTransactionId: '9000000' })).toEqual([404, 'transaction_not_found'])
    const salary = { amount: 1_00, companyName: 'Sample Payroll' }
    const { id } = await made(`/v0/sandbox/accounts/${accountId}/receive-ach`, salary)
    expect(await code({ bankCardId, bankTransactionId: id })).toEqual([404, 'transaction_not_found'])
  })
})
