import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../../test/support/harness.ts'
import {
  accountOf,
  expectSoundLedger,
  makePayer,
  type Payer,
  pay,
  receiveAch,
  returnPayment,
  transactionsOf,
} from '../../../../test/support/ledger.ts'
import { testAch } from '../../../../test/support/rails/ach.ts'

let bank: TestBank
let payer: Payer
beforeAll(async () => {
  bank = await openTestBank({ ach: testAch() })
  // A Monday, 08:00 in New York.
  await bank.database.query(`update organisation set clock_offset = '2030-02-04T13:00:00Z' - clock_timestamp()`)
  payer = await makePayer(bank, 500_00)
})
afterEach(() => expectSoundLedger(bank))
afterAll(() => bank.close())

async function advance(body: Record<string, unknown>) {
  const { status, text } = await bank.call('POST', '/v0/sandbox/clock/advance', { body })
  expect(status, text).toBe(200)
}
const balanceOf = async (id = payer.accountId) => (await accountOf(bank, id)).balance as number
const files = async () => (await bank.database.query(`select from ach_file where direction = 'in'`)).length
const reconciled = async (date: string) =>
  (await bank.call('GET', `/v0/banking/ach-reconciliation?date=${date}`)).json.data
const latest = async (accountId: string) =>
  (await bank.call('GET', `/v0/banking/received-payments?accountId=${accountId}&limit=1`)).json.data[0]

describe('a received transfer', () => {
  test('comes with a file of one entry, and is booked at once', async () => {
    const before = await files()
    const { status, json } = await receiveAch(bank, payer.accountId, {
      ...{ amount: 12_34, companyName: 'Müller & Söhne Gesellschaft', description: 'Salary of January' },
    })
    expect(status).toBe(201)
    expect(json.data).toMatchObject({
      ...{ type: 'bookTransaction', amount: 12_34, direction: 'Credit', balance: 512_34 },
      ...{ summary: 'Muller & Sohne G  |  Salary of', tags: { originalType: 'ACH' } },
    })
    expect(await files()).toBe(before + 1)
    // It is Monday before 09:00, so that the entry settled on Friday.
    expect(await latest(payer.accountId)).toMatchObject({
      ...{ status: 'Completed', amount: 12_34, direction: 'Credit', expectedCompletionDate: '2030-02-01' },
      counterparty: { name: 'Muller & Sohne G', routingNumber: '021000021' },
    })
    expect((await transactionsOf(bank, payer.accountId)).at(-1)).toEqual(json.data)
    expect(await reconciled('2030-02-01')).toMatchObject({ received: { count: 2 }, difference: 0 })
    const debit = await receiveAch(bank, payer.accountId, { amount: 2_34, direction: 'Debit', companyName: '000' })
    expect(debit.json.data).toMatchObject({ balance: 510_00, summary: 'NO 000  |  ACH debit' })
  })

  test('has one effect with one key, and leaves no file where it is refused', async () => {
    const headers = { 'idempotency-key': 'salary-of-january' }
    const replies = await Promise.all(
      [1, 2, 3].map(() => receiveAch(bank, payer.accountId, { amount: 1_00 }, { headers })),
    )
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    const other = await receiveAch(bank, payer.accountId, { amount: 2_00 }, { headers })
    expect([other.status, other.json.code]).toEqual([422, 'idempotency_key_reused'])
    const [before, money] = [await files(), await balanceOf()]
    const refusal = async (...of: Parameters<typeof receiveAch>) => {
      const { status, json } = await receiveAch(...of)
      return [status, json.code]
    }
    const { accountId } = payer
    expect(await refusal(bank, accountId, { amount: 9_999_999_999, direction: 'Debit' })).toEqual([
      422,
      'insufficient_funds',
    ])
    expect(await refusal(bank, accountId, { amount: 10_000_000_000 })).toEqual([422, 'amount_over_rail_limit'])
    expect(await refusal(bank, '1', {})).toEqual([404, 'account_not_found'])
    expect(await refusal(bank, 'x', {})).toEqual([404, 'account_not_found'])
    expect(await refusal(bank, accountId, {}, { key: bank.otherKey })).toEqual([404, 'account_not_found'])
    const [frozen, closed] = [await makePayer(bank), await makePayer(bank)]
    await bank.call('POST', `/v0/banking/accounts/${frozen.accountId}/freeze`)
    await bank.call('POST', `/v0/banking/accounts/${closed.accountId}/close`, { body: { reason: 'ByCustomer' } })
    expect(await refusal(bank, frozen.accountId, { amount: 1, direction: 'Debit' })).toEqual([409, 'account_not_open'])
    expect(await refusal(bank, closed.accountId, { amount: 1 })).toEqual([409, 'account_closed'])
    expect([await files(), await balanceOf()]).toEqual([before, money])
    expect((await receiveAch(bank, frozen.accountId, { amount: 9_999_999_999 })).status).toBe(201)
  })

  test('by many requests at once is booked once each', async () => {
    const [before, money] = [await files(), await balanceOf()]
    const replies = await Promise.all(
      Array.from({ length: 60 }, () => receiveAch(bank, payer.accountId, { amount: 1 })),
    )
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([201]))
    expect([await files(), await balanceOf()]).toEqual([before + 60, money + 60])
  })
})

describe('a return', () => {
  test('comes with a file of one entry, and the day is reconciled', async () => {
    const [first, second] = [await pay(bank, payer, { amount: 11_00 }), await pay(bank, payer, { amount: 12_00 })]
    const before = await files()
    const pending = await returnPayment(bank, first.json.data.id, 'R03')
    expect([pending.status, pending.json.code]).toEqual([409, 'payment_not_returnable'])
    await advance({ to: '2030-02-04T16:00:00Z' })
    const money = await balanceOf()
    const early = await returnPayment(bank, first.json.data.id, 'R03')
    expect(early.json.data).toMatchObject({ id: first.json.data.id, status: 'Returned', returnCode: 'R03' })
    // The payment settles on the 5th, and the return not before it.
    await advance({ to: '2030-02-20T16:00:00Z' })
    const unknown = await returnPayment(bank, second.json.data.id, 'R99')
    expect([unknown.status, unknown.json.code]).toEqual([422, 'return_code_not_allowed'])
    const late = await returnPayment(bank, second.json.data.id, 'R02')
    expect(late.json.data).toMatchObject({ status: 'Returned', returnCode: 'R02' })
    expect((await returnPayment(bank, second.json.data.id, 'R02')).json.code).toBe('payment_not_returnable')
    expect([await files(), await balanceOf()]).toEqual([before + 2, money + 23_00])
    const returned = { count: 1, debits: 0 }
    expect(await reconciled('2030-02-05')).toMatchObject({
      returnsReceived: { ...returned, credits: 11_00 },
      difference: 0,
    })
    // In time for its code, which has two banking days.
    expect(await reconciled('2030-02-07')).toMatchObject({
      returnsReceived: { ...returned, credits: 12_00 },
      difference: 0,
    })
    expect(await reconciled('2030-02-20')).toMatchObject({ returnsReceived: { count: 0 }, difference: 0 })
    expect((await bank.call('POST', '/v0/sandbox/payments/1/return', { body: { returnCode: 'R01' } })).status).toBe(404)
  })

  test('is refused 75 days after the settlement', async () => {
    const { json } = await pay(bank, payer, { amount: 13_00 })
    await advance({ by: 'P80D' })
    expect((await returnPayment(bank, json.data.id, 'R10')).json.code).toBe('payment_not_returnable')
  })
})
