import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { expectSoundLedger } from '../../../test/support/ledger.ts'
import { merchant, nationalOffer } from '../../../test/support/offers.ts'
import { makeAccount, newUserId } from '../../../test/support/world.ts'

let bank: TestBank
beforeAll(async () => {
  const offers = [nationalOffer({ merchant: merchant('Tamberly Market'), commission: 5, totalCommission: 8 })]
  bank = await openTestBank({ catalogue: offers })
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

/** An authorization that settled twice, 100 dollars each, before its card was linked. */
async function settledTwice() {
  const first = await linked()
  const body = { amount: 200_00, merchant: { name: 'Tamberly Market' } }
  await bank.call('PATCH', `/v0/rewards/partner-user-cards/${first.linkId}`, { body: { isRemoved: true } })
  await made(`/v0/sandbox/authorizations/${first.authorizationId}/refund`, {})
  const { id: authorizationId } = await made(`/v0/sandbox/cards/${first.bankCardId}/authorizations`, body)
  const settlements: string[] = []
  for (const final of [false, true]) {
    const { id } = await made(`/v0/sandbox/authorizations/${authorizationId}/settle`, { amount: 100_00, final })
    settlements.push(id)
  }
  await bank.call('PATCH', `/v0/rewards/partner-user-cards/${first.linkId}`, { body: { isRemoved: false } })
  return { ...first, authorizationId, settlements }
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

  test('replays the stored answer after the card was unlinked', async () => {
    const { bankCardId, bankTransactionId, linkId } = await linked()
    const request = { body: { bankCardId, bankTransactionId }, headers: { 'idempotency-key': `hand-in-${linkId}` } }
    const first = await bank.call('POST', path, request)
    expect(first.status).toBe(201)
    await bank.call('PATCH', `/v0/rewards/partner-user-cards/${linkId}`, { body: { isRemoved: true } })
    const again = await bank.call('POST', path, request)
    expect([again.status, again.text]).toEqual([201, first.text])
    expect(again.headers['idempotent-replayed']).toBe('true')
    expect(await code(request.body)).toEqual([409, 'card_not_linked'])
  })

  test.each([
    ['the older one first', [0, 1]],
    ['the newer one first', [1, 0]],
  ])('takes a refund off two settlements once, handed in with %s', async (_order, order) => {
    const { accountId, bankCardId, authorizationId, settlements } = await settledTwice()
    await made(`/v0/sandbox/authorizations/${authorizationId}/refund`, { amount: 100_00 })
    for (const number of order) await made(path, { bankCardId, bankTransactionId: settlements[number] })
    expect((await bank.call('GET', `/v0/banking/accounts/${accountId}`)).json.data.balance).toBe(900_00 + 5_00)
    await expectSoundLedger(bank)
  })

  test.each([
    ['before', 30_00],
    ['after', 30_00],
    ['before', 130_00],
    ['after', 130_00],
  ])('takes a refund made %s the first is handed in, of %i, off once', async (when, amount) => {
    const { accountId, bankCardId, authorizationId, settlements } = await settledTwice()
    const giveBack = () => made(`/v0/sandbox/authorizations/${authorizationId}/refund`, { amount })
    if (when === 'before') await giveBack()
    await made(path, { bankCardId, bankTransactionId: settlements[1] })
    if (when === 'after') await giveBack()
    await made(path, { bankCardId, bankTransactionId: settlements[0] })
    const reward = (200_00 - amount) * 0.05
    expect((await bank.call('GET', `/v0/banking/accounts/${accountId}`)).json.data.balance).toBe(
      1_000_00 - 200_00 + amount + reward,
    )
    await expectSoundLedger(bank)
  })

  test('earns for the part that was not refunded', async () => {
    const { accountId, bankCardId, bankTransactionId, authorizationId } = await linked()
    await made(`/v0/sandbox/authorizations/${authorizationId}/refund`, { amount: 60_00 })
    await made(path, { bankCardId, bankTransactionId })
    expect((await bank.call('GET', `/v0/banking/accounts/${accountId}`)).json.data.balance).toBe(960_00 + 2_00)
    await expectSoundLedger(bank)
  })

  test('refuses an unlinked card, another card, and a transaction that is no purchase', async () => {
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
