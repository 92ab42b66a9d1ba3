import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import {
  accountOf,
  expectSoundLedger,
  makeExternalAccount,
  makeOwnBankAccount,
  makePayer,
  pay,
} from '../../../test/support/ledger.ts'
import { decide, queueOf } from '../../../test/support/review/payments.ts'
import { makeAccount } from '../../../test/support/world.ts'

let bank: TestBank
/** A second process on the same database. */
let second: TestBank
/** A process without the setting. */
let plain: TestBank

beforeAll(async () => {
  bank = await openTestBank({ reviewFirstPayment: true })
  const on = { name: '', server: bank.server, drop: async () => undefined }
  second = await openTestBank({ on, reviewFirstPayment: true })
  plain = await openTestBank({ on })
})
afterEach(() => expectSoundLedger(bank))
afterAll(async () => {
  for (const each of [plain, second, bank]) await each.close()
})

type Payer = Awaited<ReturnType<typeof makePayer>>
const made = async (payer: Payer, on = bank) => {
  const { status, text, json } = await pay(on, payer, { amount: 1_00 }, { key: bank.key })
  expect(status, text).toBe(201)
  return json.data as { id: string; status: string }
}
const statusesOf = (payments: { status: string }[]) => payments.map(({ status }) => status)

describe('the first payment to an external account', () => {
  test('waits with its reason, and the next ones too, until one was approved', async () => {
    const payer = await makePayer(bank, 100_00)
    const first = await made(payer)
    const other = await made(payer)
    expect(statusesOf([first, other])).toEqual(['PendingReview', 'PendingReview'])
    const queue = await queueOf(bank, `accountId=${payer.accountId}`)
    expect(queue.map(({ id, reviewReason }) => [id, reviewReason])).toEqual([
      [first.id, 'firstPayment'],
      [other.id, 'firstPayment'],
    ])
    expect((await accountOf(bank, payer.accountId)).balance).toBe(98_00)
    expect((await decide(bank, other.id, 'approve')).json.data.status).toBe('Sent')
    expect((await made(payer)).status).toBe('Sent')
    expect((await made(payer, second)).status).toBe('Sent')
    // The one that waited before waits on.
    expect((await queueOf(bank, `accountId=${payer.accountId}`)).map(({ id }) => id)).toEqual([first.id])
    expect((await decide(bank, first.id, 'reject')).json.data.status).toBe('Rejected')
    expect((await made(payer)).status).toBe('Sent')
  })

  test('is still to come after a rejection and a cancellation', async () => {
    const payer = await makePayer(bank, 100_00)
    await decide(bank, (await made(payer)).id, 'reject')
    const canceled = await made(payer)
    expect(canceled.status).toBe('PendingReview')
    expect((await bank.call('POST', `/v0/banking/payments/${canceled.id}/cancel`)).status).toBe(200)
    expect((await made(payer)).status).toBe('PendingReview')
    expect((await accountOf(bank, payer.accountId)).balance).toBe(99_00)
  })

  test('is one for each external account', async () => {
    const payer = await makePayer(bank, 100_00)
    await decide(bank, (await made(payer)).id, 'approve')
    const externalAccountId = await makeExternalAccount(bank, payer.customerId)
    expect((await made({ ...payer, externalAccountId })).status).toBe('PendingReview')
    expect((await made(payer)).status).toBe('Sent')
  })

  test('waits when ten come at once, on two processes and in batches', async () => {
    const payer = await makePayer(bank, 100_00)
    const single = Array.from({ length: 10 }, (_, index) => made(payer, index % 2 === 0 ? bank : second))
    const item = {
      accountId: payer.accountId,
      counterpartyAccountId: payer.externalAccountId,
      amount: 1_00,
      description: 'Rent',
      originalType: 'ACH',
    }
    const batches = [bank, second].map((on) =>
      on.call('POST', '/v0/banking/payments/batch', { body: { payments: [item, item, item] }, key: bank.key }),
    )
    expect(statusesOf(await Promise.all(single))).toEqual(Array(10).fill('PendingReview'))
    for (const { json } of await Promise.all(batches)) {
      expect(json.data.map(({ payment }: { payment: { status: string } }) => payment.status)).toEqual(
        Array(3).fill('PendingReview'),
      )
    }
    const [{ id }] = await queueOf(bank, `accountId=${payer.accountId}`)
    await decide(second, id, 'approve')
    expect((await made(payer)).status).toBe('Sent')
  })

  test('approvals of several at once make their accounts known', async () => {
    const payer = await makePayer(bank, 100_00)
    const externalAccountId = await makeExternalAccount(bank, payer.customerId)
    const both = [payer, { ...payer, externalAccountId }]
    const waiting = await Promise.all([...both, ...both].map((each) => made(each)))
    const decided = await Promise.all(
      waiting.map(({ id }, index) => decide(index % 2 === 0 ? bank : second, id, 'approve')),
    )
    expect(decided.map(({ json }) => json.data.status)).toEqual(Array(4).fill('Sent'))
    expect(statusesOf(await Promise.all(both.map((each) => made(each))))).toEqual(['Sent', 'Sent'])
  })

  test('to an account of this bank waits too, and a book transfer does not', async () => {
    const payer = await makePayer(bank, 100_00)
    const to = await makeAccount(bank)
    const externalAccountId = await makeOwnBankAccount(bank, payer.customerId, to)
    const first = await made({ ...payer, externalAccountId })
    expect([first.status, (await accountOf(bank, to)).balance]).toEqual(['PendingReview', 0])
    await decide(bank, first.id, 'approve')
    expect((await accountOf(bank, to)).balance).toBe(1_00)
    expect((await made({ ...payer, externalAccountId })).status).toBe('Sent')
    const body = { toAccountId: to, amount: 1_00, description: 'Savings' }
    const transfer = await bank.call('POST', `/v0/banking/accounts/${payer.accountId}/transfers`, { body })
    expect(transfer.json.data.status).toBe('Sent')
  })

  test('has the reason of a limit where it is above one, and its approval counts as well', async () => {
    const payer = await makePayer(bank, 100_00)
    await bank.call('PUT', `/v0/banking/accounts/${payer.accountId}/limits`, { body: { payment: { soft: 50 } } })
    const limited = await made(payer)
    const [{ reviewReason }] = await queueOf(bank, `accountId=${payer.accountId}`)
    expect([limited.status, reviewReason]).toEqual(['PendingReview', 'accountLimit'])
    await decide(bank, limited.id, 'approve')
    await bank.call('PUT', `/v0/banking/accounts/${payer.accountId}/limits`, { body: {} })
    expect((await made(payer)).status).toBe('Sent')
  })

  test('leaves at once without the setting, and to accounts from before the column', async () => {
    const payer = await makePayer(bank, 100_00)
    expect((await made(payer, plain)).status).toBe('Sent')
    // It was not approved by anybody.
    expect((await made(payer)).status).toBe('PendingReview')
    await bank.database.query('update external_account set known = true where id = $1', [payer.externalAccountId])
    expect((await made(payer)).status).toBe('Sent')
  })
})
