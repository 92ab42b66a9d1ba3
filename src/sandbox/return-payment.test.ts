import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import {
  accountOf,
  expectSoundLedger,
  makeOwnBankAccount,
  makePayer,
  pay,
  returnPayment,
  transactionsOf,
} from '../../test/support/ledger.ts'
import { writeChangedPayments } from '../bank/records/payments.sql.ts'
import type { LedgerPayment } from '../bank/records/records.ts'

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank()
})
afterEach(() => expectSoundLedger(bank))
afterAll(() => bank.close())

const move = (accountId: string, name: string, body?: unknown) =>
  bank.call('POST', `/v0/banking/accounts/${accountId}/${name}`, { body })

async function sent(amount = 20_00) {
  const ada = await makePayer(bank, 50_00)
  const { json } = await pay(bank, ada, { amount })
  return { ...ada, payment: json.data }
}

describe('return payment', () => {
  test('credits the amount to the account and answers the payment', async () => {
    const { accountId, payment } = await sent(20_00)
    const { status, json } = await returnPayment(bank, payment.id, 'R03')
    expect(status).toBe(200)
    const why = { returnCode: 'R03', returnReason: 'No account, or unable to locate it' }
    expect(json).toEqual({ data: { ...payment, status: 'Returned', ...why } })
    expect((await accountOf(bank, accountId)).balance).toBe(50_00)
    const [, , back] = await transactionsOf(bank, accountId)
    expect(back).toMatchObject({
      amount: 20_00,
      direction: 'Credit',
      balance: 50_00,
      summary: 'Grace Sample  |  Return R03',
      counterparty: payment.counterparty,
      ...why,
      tags: { originalType: 'ACH', paymentId: payment.id },
    })
    const read = await bank.call('GET', `/v0/banking/transactions/${back?.id}?accountId=${accountId}`)
    expect(read.json.data.attributes).toMatchObject(why)
    const events = await bank.call('GET', `/v0/events?entityType=payment&entityId=${payment.id}`)
    expect(events.json.data.at(-1)).toMatchObject({ type: 'payment.returned', data: why })
    const [row] = await bank.database.query('select return_code from payment where id = $1', [payment.id])
    expect(row).toEqual({ return_code: 'R03' })
  })

  test('gives no meaning to a code that does not exist', async () => {
    const { payment } = await sent()
    const { json } = await returnPayment(bank, payment.id, 'R99')
    expect([json.data.returnCode, json.data.returnReason]).toEqual(['R99', undefined])
  })

  test('refuses a payment that was returned already', async () => {
    const { accountId, payment } = await sent()
    const replies = await Promise.all([1, 2, 3, 4].map(() => returnPayment(bank, payment.id)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    const again = await returnPayment(bank, payment.id)
    expect([again.status, again.json.code]).toEqual([409, 'payment_not_returnable'])
    expect((await accountOf(bank, accountId)).balance).toBe(50_00)
  })

  test('fails where the payment changed since it was read, also beside payments that did not', async () => {
    const [other, { payment }] = [await sent(), await sent()]
    const read = (status: 'Sent' | 'Returned', id: string, version: number) =>
      ({
        id: Number(id),
        status,
        returnCode: null,
        achFileId: null,
        traceNumber: null,
        version,
      }) as unknown as LedgerPayment
    const change = (...updated: LedgerPayment[]) => writeChangedPayments(bank.database, updated)
    // A change to Sent shows nowhere but in the version.
    await change(read('Sent', payment.id, 2), read('Sent', payment.id, 3))
    const stale = change(read('Returned', other.payment.id, 2), read('Returned', payment.id, 2))
    await expect(stale).rejects.toThrow('a payment changed under its lock')
    const rows = await bank.database.query('select status, version from payment where id = any($1) order by id', [
      [other.payment.id, payment.id],
    ])
    expect(rows).toEqual([
      { status: 'Sent', version: 1 },
      { status: 'Sent', version: 3 },
    ])
    expect((await returnPayment(bank, payment.id)).status).toBe(200)
  })

  test('credits a frozen and a closed account as well', async () => {
    for (const [name, body] of [['freeze'], ['close', { reason: 'ByCustomer' }]] as [string, unknown][]) {
      const { accountId, payment } = await sent()
      await move(accountId, name, body)
      expect((await returnPayment(bank, payment.id)).status).toBe(200)
      expect((await accountOf(bank, accountId)).balance).toBe(50_00)
    }
  })

  test('works after the external account was deleted', async () => {
    const { externalAccountId, payment } = await sent()
    await bank.call('DELETE', `/v0/banking/external-accounts/${externalAccountId}`)
    expect((await returnPayment(bank, payment.id)).json.data.counterparty).toEqual(payment.counterparty)
  })

  test('refuses a payment within this bank', async () => {
    const ada = await makePayer(bank, 50_00)
    const grace = await makePayer(bank)
    const own = await makeOwnBankAccount(bank, ada.customerId, grace.accountId)
    const { json } = await pay(bank, { ...ada, externalAccountId: own })
    const { status, json: refused } = await returnPayment(bank, json.data.id)
    expect([status, refused.code]).toEqual([409, 'payment_not_returnable'])
    expect((await accountOf(bank, grace.accountId)).balance).toBe(20_00)
  })

  test('refuses an unknown payment and one of another organisation', async () => {
    const { accountId, payment } = await sent()
    for (const id of ['1000', 'abc', accountId]) {
      const { status, json } = await returnPayment(bank, id)
      expect([status, json.code], id).toEqual([404, 'payment_not_found'])
    }
    const foreign = await bank.call('POST', `/v0/sandbox/payments/${payment.id}/return`, {
      key: bank.otherKey,
      body: { returnCode: 'R01' },
    })
    expect([foreign.status, foreign.json.code]).toEqual([404, 'payment_not_found'])
  })

  test('accepts a return code of R and two digits', async () => {
    const { payment } = await sent()
    for (const returnCode of ['R1', 'R001', 'r01', '01', '', 'R0x', 1, undefined]) {
      const { status, json } = await bank.call('POST', `/v0/sandbox/payments/${payment.id}/return`, {
        body: { returnCode },
      })
      expect([status, json.errors?.[0]?.pointer], String(returnCode)).toEqual([400, '/returnCode'])
    }
    expect((await returnPayment(bank, payment.id, 'R85')).status).toBe(200)
  })

  test('refuses a balance past 9,007,199,254,740,991 cents and leaves the payment Sent', async () => {
    const rich = await openTestBank()
    const ada = await makePayer(rich, 50_00)
    const { json } = await pay(rich, ada)
    const most = 9_007_199_254_740_991
    const stand = (balance: number) =>
      rich.database.query('update account set balance = $2 where id = $1', [ada.accountId, balance])
    await stand(most - 19_99)
    const refused = await returnPayment(rich, json.data.id)
    expect([refused.status, refused.json.code]).toEqual([422, 'balance_limit'])
    expect((await rich.call('GET', `/v0/banking/payments/${json.data.id}`)).json.data.status).toBe('Sent')
    await stand(most - 20_00)
    expect((await returnPayment(rich, json.data.id)).status).toBe(200)
    expect((await accountOf(rich, ada.accountId)).balance).toBe(most)
    await rich.close()
  })
})
