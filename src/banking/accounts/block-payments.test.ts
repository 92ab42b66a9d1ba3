import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { collect, makeDebtor } from '../../../test/support/bank/debits.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import {
  accountOf,
  expectSoundLedger,
  makeExternalAccount,
  type Payer,
  pay,
  receiveAch,
  returnPayment,
} from '../../../test/support/ledger.ts'
import { advanceTo, openRailBank } from '../../../test/support/rails/leaving.ts'
import { queueOf } from '../../../test/support/review/payments.ts'
import { auditOf } from '../../../test/support/review/reviewer.ts'
import { makeAccount } from '../../../test/support/world.ts'

let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank()
})
afterEach(() => expectSoundLedger(bank))
afterAll(() => bank.close())

const call = (accountId: string, verb: string, body: unknown) =>
  bank.call('POST', `/v0/banking/accounts/${accountId}/${verb}`, { body })
const block = (accountId: string, reason: unknown = 'Return R10') => call(accountId, 'block-payments', { reason })
const release = (accountId: string, reason = 'Paid') => call(accountId, 'release-payments', { reason })
const since = expect.stringMatching(/Z$/)

/** A debtor with another external account, to which money can be sent. */
async function makeSpender(debits?: unknown): Promise<Payer & { payee: Payer }> {
  const of = await makeDebtor(bank)
  if (debits) await bank.call('PUT', `/v0/banking/accounts/${of.accountId}/limits`, { body: { debits } })
  return { ...of, payee: { ...of, externalAccountId: await makeExternalAccount(bank, of.customerId) } }
}

// Also of the operation 'releasePayments'.
describe('a block of payments', () => {
  test('refuses payments and book transfers of the account until it is released', async () => {
    const { payee, ...of } = await makeSpender()
    const { accountId, customerId } = of
    await collect(bank, of, { amount: 50_00 })
    const { status, json } = await block(accountId)
    expect([status, json]).toEqual([200, { data: { id: accountId, reason: 'Return R10', since } }])
    const account = await accountOf(bank, accountId)
    expect(account.paymentBlock).toEqual({ reason: 'Return R10', since: json.data.since })
    const listed = await bank.call('GET', `/v0/banking/accounts?customerId=${customerId}`)
    expect(listed.json.data).toEqual([account])

    const refused = { status: 409, code: 'payments_blocked', detail: expect.stringContaining('Return R10') }
    expect((await pay(bank, payee, { amount: 1_00 })).json).toMatchObject(refused)
    const other = await makeAccount(bank, { customerId })
    const transfer = { toAccountId: other, amount: 1_00, description: 'Savings' }
    expect((await call(accountId, 'transfers', transfer)).json).toMatchObject(refused)
    expect((await call(accountId, 'close', { reason: 'ByCustomer', closeTo: other })).json).toMatchObject(refused)
    expect((await call(other, 'transfers', { ...transfer, toAccountId: accountId })).json.code).toBe(
      'insufficient_funds',
    )
    expect((await collect(bank, of, { amount: 1_00 })).status).toBe(201)
    expect((await block(accountId, 'Case 42')).json.data.reason).toBe('Case 42')

    const released = await release(accountId)
    expect([released.status, released.json]).toEqual([200, { data: { id: accountId, reason: null, since: null } }])
    expect(await accountOf(bank, accountId)).not.toHaveProperty('paymentBlock')
    expect((await auditOf(bank, 'account.paymentsReleased', accountId)).reason).toBe('Paid')
    expect((await pay(bank, payee, { amount: 1_00 })).status).toBe(201)
    expect((await release(accountId)).json).toMatchObject({ status: 409, code: 'payments_not_blocked' })
  })

  test('follows the return of a debit if the account has that term', async () => {
    const { payee, ...of } = await makeSpender({ blockOnReturn: true })
    const limits = await bank.call('GET', `/v0/banking/accounts/${of.accountId}/limits`)
    expect(limits.json.data.debits).toMatchObject({ clearingDays: null, blockOnReturn: true })
    const [first, second] = [await collect(bank, of, { amount: 5_00 }), await collect(bank, of, { amount: 9_00 })]
    const returned = await returnPayment(bank, first.json.data.id, 'R10')
    expect(returned.status, returned.text).toBe(200)
    const { paymentBlock } = await accountOf(bank, of.accountId)
    expect(paymentBlock).toEqual({ reason: 'Return R10 of a debit', since, paymentId: first.json.data.id })
    await returnPayment(bank, second.json.data.id, 'R01')
    expect((await accountOf(bank, of.accountId)).paymentBlock).toEqual(paymentBlock)
    expect((await pay(bank, payee, { amount: 1_00 })).json.code).toBe('payments_blocked')
    const { json } = await bank.call('GET', `/v0/events?entityType=account&entityId=${of.accountId}`)
    const blocked = json.data.filter(({ type }: { type: string }) => type === 'account.paymentsBlocked')
    expect(blocked).toMatchObject([{ data: { id: of.accountId, ...paymentBlock } }])
    const { json: found } = await bank.call('GET', `/v0/lookup/account/${of.accountId}`)
    const actions = found.data.actions.filter(({ operation }: { operation: string }) => /Payments$/.test(operation))
    expect(actions.map(({ problem }: { problem: string }) => problem)).toEqual([null, null])
  })

  test('follows the return of a debit by a file, also if a request has it returned', async () => {
    const rail = await openRailBank()
    const of = await makeDebtor(rail)
    await rail.call('PUT', `/v0/banking/accounts/${of.accountId}/limits`, { body: { debits: { blockOnReturn: true } } })
    const { id } = (await collect(rail, of)).json.data
    await advanceTo(rail, '2030-02-12T15:00:00Z')
    await returnPayment(rail, id, 'R10')
    expect((await accountOf(rail, of.accountId)).paymentBlock).toMatchObject({ paymentId: id })
    await expectSoundLedger(rail)
    await rail.close()
  })

  test('stops the payments that have not left, also if a return of a debit blocks them, until a reviewer decides', async () => {
    const rail = await openRailBank()
    const of = await makeDebtor(rail)
    await receiveAch(rail, of.accountId, { amount: 100_00 })
    await rail.call('PUT', `/v0/banking/accounts/${of.accountId}/limits`, { body: { debits: { blockOnReturn: true } } })
    const payee = { ...of, externalAccountId: await makeExternalAccount(rail, of.customerId) }
    const statusOf = async (id: string) => (await rail.call('GET', `/v0/banking/payments/${id}`)).json.data.status
    const debit = (await collect(rail, of)).json.data.id
    await advanceTo(rail, '2030-02-12T15:00:00Z')
    const made = await Promise.all([pay(rail, payee, { amount: 1_00 }), pay(rail, payee, { amount: 2_00 })])
    const [first, second] = made.map(({ json }) => json.data.id)
    const other = (await collect(rail, of)).json.data.id
    // One payment may be written together with the return.
    const [last, back] = await Promise.all([pay(rail, payee, { amount: 3_00 }), returnPayment(rail, debit, 'R10')])
    expect(back.status, back.text).toBe(200)
    if (last.status === 201) expect(await statusOf(last.json.data.id)).toBe('PendingReview')
    else expect(last.json.code).toBe('payments_blocked')
    expect([await statusOf(first), await statusOf(second), await statusOf(other)]).toEqual([
      ...['PendingReview', 'PendingReview', 'Pending'],
    ])
    const [queued] = await queueOf(rail, `accountId=${of.accountId}`)
    expect(queued).toMatchObject({ id: first, reviewReason: 'paymentsBlocked' })

    const path = `/v0/banking/accounts/${of.accountId}`
    await rail.call('POST', `${path}/release-payments`, { body: { reason: 'Paid' } })
    const { id } = (await pay(rail, payee, { amount: 4_00 })).json.data
    await rail.call('POST', `${path}/block-payments`, { body: { reason: 'Case 42' } })
    await advanceTo(rail, '2030-02-14T15:00:00Z')
    expect([await statusOf(id), await statusOf(first), await statusOf(other)]).toEqual([
      ...['PendingReview', 'PendingReview', 'Clearing'],
    ])
    await expectSoundLedger(rail)
    await rail.close()
  })

  test('does not follow it otherwise, nor the return of a payment that sends money', async () => {
    const { payee, ...of } = await makeSpender()
    await returnPayment(bank, (await collect(bank, of, { amount: 5_00 })).json.data.id, 'R10')
    await bank.call('PUT', `/v0/banking/accounts/${of.accountId}/limits`, {
      body: { debits: { blockOnReturn: true } },
    })
    await collect(bank, of, { amount: 5_00 })
    await returnPayment(bank, (await pay(bank, payee, { amount: 5_00 })).json.data.id, 'R03')
    expect(await accountOf(bank, of.accountId)).not.toHaveProperty('paymentBlock')
  })

  test('needs a reason, an account of the caller and a risk key', async () => {
    const id = await makeAccount(bank)
    for (const reason of ['', 'x'.repeat(256), 5]) {
      expect((await block(id, reason)).json.code).toBe('invalid_request')
    }
    expect((await block(id, 'x'.repeat(255))).status).toBe(200)
    expect((await block('1000')).json).toMatchObject({ status: 404, code: 'account_not_found' })
    expect((await release('1000')).json).toMatchObject({ status: 404, code: 'account_not_found' })
    const { json } = await bank.call('POST', `/v0/banking/accounts/${id}/release-payments`, {
      key: bank.otherKey,
      body: { reason: 'Paid' },
    })
    expect(json.code).toBe('account_not_found')
  })
})
