import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { attest, collect, giveMandate, makeDebtor } from '../../../test/support/bank/debits.ts'
import type { Reply } from '../../../test/support/harness.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import {
  accountOf,
  expectSoundLedger,
  makeExternalAccount,
  makePayer,
  type Payer,
  pay,
  returnPayment,
  transactionsOf,
} from '../../../test/support/ledger.ts'
import { decide } from '../../../test/support/review/payments.ts'

let bank: TestBank
let payer: Payer
beforeAll(async () => {
  bank = await openTestBank()
  payer = await makeDebtor(bank)
})
afterEach(() => expectSoundLedger(bank))
afterAll(() => bank.close())

const debit = (body: Record<string, unknown> = {}, of: Payer = payer) => collect(bank, of, body)
const balanceOf = async (of: Payer = payer) => (await accountOf(bank, of.accountId)).balance as number
async function codeOf(answer: Promise<Reply>): Promise<[number, string]> {
  const { status, json } = await answer
  return [status, json.code]
}

describe('a debit', () => {
  test('is credited at once, and the return takes it back, below zero', async () => {
    const of = await makeDebtor(bank)
    const { status, text, json } = await debit({ amount: 50_00, tags: { order: '1' } }, of)
    expect(status, text).toBe(201)
    expect(json.data).toEqual({
      ...{ id: expect.any(String), type: 'achPayment', amount: 50_00, createdAt: expect.any(String) },
      ...{ description: 'Rent', direction: 'Debit', status: 'Sent', originalType: 'ACH' },
      counterparty: {
        ...{ name: 'Grace Sample', routingNumber: '021000021', accountNumber: '9876543210', accountType: 'Checking' },
      },
    })
    expect((await bank.call('GET', `/v0/banking/payments/${json.data.id}`)).json.data).toEqual(json.data)
    expect(await balanceOf(of)).toBe(50_00)
    const externalAccountId = await makeExternalAccount(bank, of.customerId)
    expect((await pay(bank, { ...of, externalAccountId }, { amount: 40_00 })).status).toBe(201)
    const returned = await returnPayment(bank, json.data.id, 'R10')
    expect(returned.status, returned.text).toBe(200)
    expect(returned.json.data).toMatchObject({ status: 'Returned', returnCode: 'R10' })
    expect(await balanceOf(of)).toBe(-40_00)
    const moved = (await transactionsOf(bank, of.accountId)).map(({ direction, amount }) => [direction, amount])
    expect(moved).toEqual([
      ['Credit', 50_00],
      ['Debit', 40_00],
      ['Debit', 50_00],
    ])
    const { json: listed } = await bank.call('GET', `/v0/banking/transactions?accountId=${of.accountId}&limit=1`)
    expect(listed.data[0]).toMatchObject({
      ...{ summary: 'Grace Sample  |  Return R10', returnCode: 'R10', returnReason: expect.any(String) },
      tags: { originalType: 'ACH', paymentId: json.data.id },
    })
    expect(await codeOf(returnPayment(bank, json.data.id))).toEqual([409, 'payment_not_returnable'])
    const transfers = await bank.call('GET', `/v0/ledger/transfers?sourceType=payment&sourceId=${json.data.id}`)
    expect(transfers.json.data.map(({ kind }: { kind: string }) => kind)).toEqual(['debitReturn', 'debit'])
    const found = await bank.call('GET', `/v0/lookup/payment/${json.data.id}`)
    const types = found.json.data.related.map(({ type }: { type: string }) => type)
    expect(types.filter((type: string) => type === 'transaction')).toHaveLength(2)
  })

  test('has one effect for one idempotency key, and can be part of a batch', async () => {
    const of = await makeDebtor(bank)
    const headers = { 'idempotency-key': `debit-${of.accountId}` }
    const first = await collect(bank, of, { amount: 5_00 }, { headers })
    const again = await collect(bank, of, { amount: 5_00 }, { headers })
    expect([again.status, again.text]).toEqual([201, first.text])
    const item = { accountId: of.accountId, counterpartyAccountId: of.externalAccountId, originalType: 'ACH' }
    const payments = [
      { ...item, direction: 'Debit', amount: 3_00, description: 'One' },
      { ...item, direction: 'Credit', amount: 8_00, description: 'Two' },
      { ...item, direction: 'Debit', amount: 1_00, description: 'Three' },
    ]
    const { json } = await bank.call('POST', '/v0/banking/payments/batch', { body: { payments } })
    expect(json.data.map(({ payment }: { payment: { direction: string } }) => payment.direction)).toEqual([
      'Debit',
      'Credit',
      'Debit',
    ])
    expect(await balanceOf(of)).toBe(1_00)
    const listed = await bank.call('GET', `/v0/banking/payments?accountId=${of.accountId}&direction=Debit`)
    expect(listed.json.data).toHaveLength(3)
  })

  test('needs a verified account at another bank, and a mandate with its SEC code', async () => {
    const { customerId, accountId } = payer
    const of = async (body: Record<string, unknown>) => ({
      ...{ customerId, accountId },
      externalAccountId: await makeExternalAccount(bank, customerId, body),
    })
    const plain = await of({})
    expect(await codeOf(debit({}, plain))).toEqual([422, 'debit_not_permitted'])
    await attest(bank, plain.externalAccountId)
    expect(await codeOf(debit({}, plain))).toEqual([422, 'mandate_missing'])
    await giveMandate(bank, plain.externalAccountId)
    expect((await debit({}, plain)).status).toBe(201)
    expect((await debit({ secCode: 'WEB' }, plain)).status).toBe(201)
    expect(await codeOf(debit({ secCode: 'PPD' }, plain))).toEqual([422, 'sec_code_not_allowed'])
    expect(await codeOf(debit({}, await of({ accountType: 'Loan' })))).toEqual([422, 'external_account_not_debitable'])
    const own = await of({ routingNumber: '812345678' })
    expect(await codeOf(debit({}, own))).toEqual([422, 'external_account_not_debitable'])
    const stranger = await makePayer(bank)
    expect(await codeOf(debit({}, { ...plain, accountId: stranger.accountId }))).toEqual([
      ...[404, 'external_account_not_found'],
    ])
    expect(await codeOf(debit({ direction: 'Both' }))).toEqual([400, 'invalid_request'])
    await bank.call('POST', `/v0/banking/external-accounts/${plain.externalAccountId}/mandate/revoke`)
    expect(await codeOf(debit({}, plain))).toEqual([422, 'mandate_missing'])
  })

  test('is refused for an account that is frozen or closed', async () => {
    const of = await makeDebtor(bank)
    await bank.call('POST', `/v0/banking/accounts/${of.accountId}/freeze`)
    expect(await codeOf(debit({}, of))).toEqual([409, 'account_not_open'])
  })

  test('has limits of its own, at their edges', async () => {
    const of = await makeDebtor(bank)
    const set = (debits: unknown) =>
      bank.call('PUT', `/v0/banking/accounts/${of.accountId}/limits`, { body: { debits } })
    const limits = { payment: { hard: 10_00 }, day: { soft: 12_00, hard: 15_00 }, dayCount: 4 }
    const { status, text, json } = await set(limits)
    expect(status, text).toBe(200)
    expect(json.data.debits).toEqual({
      ...{ payment: { soft: null, hard: 10_00 }, day: { soft: 12_00, hard: 15_00, used: 0 } },
      ...{ month: { soft: null, hard: null, used: 0 }, dayCount: 4, clearingDays: null, earlyAvailability: null },
    })
    expect(await codeOf(debit({ amount: 10_01 }, of))).toEqual([422, 'limit_exceeded'])
    expect((await debit({ amount: 10_00 }, of)).json.data.status).toBe('Sent')
    expect((await debit({ amount: 2_00 }, of)).json.data.status).toBe('Sent')
    const waiting = await debit({ amount: 3_00 }, of)
    expect(waiting.json.data.status).toBe('PendingReview')
    expect((await debit({ amount: 1 }, of)).json.limit).toMatchObject({ scope: 'account', period: 'day', left: 0 })
    await bank.call('POST', `/v0/banking/payments/${waiting.json.data.id}/cancel`)
    expect((await debit({ amount: 1_00 }, of)).json.data.status).toBe('PendingReview')
    expect((await debit({ amount: 1_00 }, of)).json.data.status).toBe('PendingReview')
    expect(await codeOf(debit({ amount: 1 }, of))).toEqual([422, 'limit_exceeded'])
    const { json: shown } = await bank.call('GET', `/v0/banking/accounts/${of.accountId}/limits`)
    expect(shown.data.debits.day.used).toBe(14_00)
    // They count no credits, and the limits of credits no debits.
    expect(shown.data.day.used).toBe(0)
    expect((await set(undefined)).json.data).not.toHaveProperty('debits')
  })

  test('waits for a review, which credits the account or refuses', async () => {
    const careful = await openTestBank({ reviewFirstPayment: true })
    const of = await makeDebtor(careful)
    const [one, two] = [await collect(careful, of, { amount: 5_00 }), await collect(careful, of, { amount: 6_00 })]
    expect([one.json.data.status, two.json.data.status]).toEqual(['PendingReview', 'PendingReview'])
    expect((await decide(careful, one.json.data.id, 'approve')).json.data).toMatchObject({ status: 'Sent' })
    expect((await decide(careful, two.json.data.id, 'reject')).json.data.status).toBe('Rejected')
    expect((await accountOf(careful, of.accountId)).balance).toBe(5_00)
    expect((await collect(careful, of, { amount: 7_00 })).json.data.status).toBe('Sent')
    // The account is known for debits, and a payment to it is still the first one.
    expect((await pay(careful, of, { amount: 1_00 })).json.data.status).toBe('PendingReview')
    await expectSoundLedger(careful)
    await careful.close()
  })
})
