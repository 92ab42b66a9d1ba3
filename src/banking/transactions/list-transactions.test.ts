import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import {
  expectSoundLedger,
  makeOwnBankAccount,
  makePayer,
  type Payer,
  pay,
  receiveAch,
  returnPayment,
} from '../../../test/support/ledger.ts'
import { makeAccount } from '../../../test/support/world.ts'

let bank: TestBank
let ada: Payer
/** Ada's second account. */
let savings: string
let grace: Payer
let paymentId: string

beforeAll(async () => {
  bank = await openTestBank()
  ada = await makePayer(bank, 100_00)
  savings = await makeAccount(bank, { customerId: ada.customerId })
  grace = await makePayer(bank)
  const payment = await pay(bank, ada, { amount: 20_00 })
  paymentId = payment.json.data.id
  await returnPayment(bank, paymentId)
  const toSavings = await makeOwnBankAccount(bank, ada.customerId, savings)
  await pay(bank, { ...ada, externalAccountId: toSavings }, { amount: 30_00, description: 'Save' })
  const toGrace = await makeOwnBankAccount(bank, ada.customerId, grace.accountId)
  await pay(bank, { ...ada, externalAccountId: toGrace }, { amount: 5_00, description: 'Gift' })
  await receiveAch(bank, grace.accountId, { amount: 1_00, direction: 'Debit' })
})
afterAll(async () => {
  await expectSoundLedger(bank)
  await bank.close()
})

const list = (query: string, key = bank.key) => bank.call('GET', `/v0/banking/transactions${query}`, { key })

/** Amounts with their signs. Each transaction of this test has an amount of its own. */
async function found(query: string): Promise<number[]> {
  const { status, text, json } = await list(query)
  expect(status, `${query}: ${text}`).toBe(200)
  return json.data.map(({ amount, direction }: { amount: number; direction: string }) =>
    direction === 'Credit' ? amount : -amount,
  )
}

const adas = [-5_00, -30_00, 20_00, -20_00, 100_00]
const everything = [-1_00, 5_00, -5_00, 30_00, -30_00, 20_00, -20_00, 100_00]

describe('list transactions', () => {
  test('answers flat records, newest first', async () => {
    const { status, json } = await list(`?accountId=${ada.accountId}`)
    expect(status).toBe(200)
    expect(json.data.at(-2)).toEqual({
      type: 'bookTransaction',
      id: expect.stringMatching(/^[1-9]\d{6,}$/),
      accountId: ada.accountId,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      amount: 20_00,
      direction: 'Debit',
      balance: 80_00,
      summary: 'Grace Sample  |  Rent',
      counterparty: {
        name: 'Grace Sample',
        routingNumber: '021000021',
        accountNumber: '9876543210',
        accountType: 'Checking',
      },
      tags: { originalType: 'ACH', paymentId },
    })
    expect(await found(`?accountId=${ada.accountId}`)).toEqual(adas)
    const balances = json.data.map(({ balance }: { balance: number }) => balance)
    expect(balances).toEqual([65_00, 70_00, 100_00, 80_00, 100_00])
  })

  test('without a filter shows customers’ accounts only, with both sides of a payment within the bank', async () => {
    expect(await found('')).toEqual(everything)
    expect(await found('?sort=createdAt')).toEqual(everything.toReversed())
    expect(await found('?limit=3&offset=2')).toEqual(everything.slice(2, 5))
    expect(await found('?direction=Credit')).toEqual([5_00, 30_00, 20_00, 100_00])
  })

  test('by customer merges the customer’s accounts', async () => {
    expect(await found(`?customerId=${ada.customerId}`)).toEqual([-5_00, 30_00, -30_00, 20_00, -20_00, 100_00])
    expect(await found(`?customerId=${ada.customerId}&sort=createdAt`)).toEqual([
      100_00, -20_00, 20_00, -30_00, 30_00, -5_00,
    ])
    expect(await found(`?customerId=${ada.customerId}&direction=Debit`)).toEqual([-5_00, -30_00, -20_00])
    expect(await found(`?customerId=${ada.customerId}&direction=credit&sort=createdAt`)).toEqual([100_00, 20_00, 30_00])
    expect(await found(`?customerId=${ada.customerId}&limit=2&offset=3&sort=createdAt`)).toEqual([-30_00, 30_00])
    expect(await found(`?customerId=${grace.customerId}`)).toEqual([-1_00, 5_00])
  })

  test('by customer and account shows the account, or nothing where it is another customer’s', async () => {
    expect(await found(`?customerId=${ada.customerId}&accountId=${savings}`)).toEqual([30_00])
    expect(await found(`?customerId=${grace.customerId}&accountId=${savings}`)).toEqual([])
    expect(await found(`?customerId=1000&accountId=${savings}`)).toEqual([])
    expect(await found(`?customerId=${ada.customerId}&accountId=1000`)).toEqual([])
  })

  test('finds nothing for ids that are unknown, malformed or of another kind', async () => {
    for (const id of ['1000', 'abc', '99999999999999999999', paymentId]) {
      expect(await found(`?accountId=${id}`)).toEqual([])
      expect(await found(`?accountId=${id}&direction=Debit`)).toEqual([])
      expect(await found(`?customerId=${id}`)).toEqual([])
    }
    const rows = await bank.database.query<{ id: number }>('select id from account where id < 0')
    for (const { id } of rows) expect(await found(`?accountId=${id}`)).toEqual([])
  })

  test('shows nothing of another organisation', async () => {
    for (const query of [
      '',
      `?accountId=${ada.accountId}`,
      `?customerId=${ada.customerId}`,
      `?accountId=${ada.accountId}&direction=Debit`,
    ]) {
      expect((await list(query, bank.otherKey)).json, query).toEqual({ data: [] })
    }
  })

  test('filters by direction in any letter case', async () => {
    expect(await found(`?accountId=${ada.accountId}&direction=Debit`)).toEqual([-5_00, -30_00, -20_00])
    expect(await found(`?accountId=${ada.accountId}&direction=CREDIT`)).toEqual([20_00, 100_00])
    expect(await found(`?accountId=${ada.accountId}&direction=Debit&sort=createdAt&limit=1&offset=1`)).toEqual([-30_00])
    expect(await found(`?accountId=${savings}&direction=Debit`)).toEqual([])
  })

  test.each([
    ['', 'fromAmount=3000', [30_00, -30_00, 100_00]],
    ['', 'fromAmount=500&toAmount=2000&direction=Credit', [5_00, 20_00]],
    ['accountId', 'fromAmount=2000&toAmount=2000', [20_00, -20_00]],
    ['accountId', 'toAmount=2999&sort=createdAt', [-20_00, 20_00, -5_00]],
    ['accountId', 'fromAmount=3000&direction=Debit', [-30_00]],
    ['customerId', 'fromAmount=3000&direction=Credit', [30_00, 100_00]],
    ['customerId', 'fromAmount=10001', []],
  ])('of %j with %s are %j, and are counted', async (owner, filter, amounts) => {
    const of = { '': '', accountId: `accountId=${ada.accountId}&`, customerId: `customerId=${ada.customerId}&` }[owner]
    expect(await found(`?${of}${filter}`)).toEqual(amounts)
    expect((await list(`?${of}${filter}&count=true`)).headers['x-total-count']).toBe(String(amounts.length))
    expect(await found(`?${of}${filter}&limit=1&offset=1`)).toEqual(amounts.slice(1, 2))
  })

  test('answers pages, and Link names the next page until there is none', async () => {
    for (const query of [`accountId=${ada.accountId}`, `customerId=${ada.customerId}`, 'direction=Debit', '']) {
      const whole = await found(`?${query}`)
      const paged: number[] = []
      let next: string | undefined = `?${query}&limit=2`
      while (next) {
        const page = await list(next)
        paged.push(...(await found(next)))
        next = /<\/v0\/banking\/transactions([^>]+)>; rel="next"/.exec(String(page.headers.link))?.[1]
      }
      expect(paged, query).toEqual(whole)
    }
    expect(await found(`?accountId=${ada.accountId}&offset=5`)).toEqual([])
    expect(await found(`?accountId=${ada.accountId}&offset=1000000000000&limit=1000`)).toEqual([])
    expect(await found(`?accountId=${ada.accountId}&offset=1000000000000&limit=1000&sort=createdAt`)).toEqual([])
  })

  test.each([
    ['limit', '0'],
    ['limit', '1001'],
    ['offset', '1000000000001'],
    ['sort', 'amount'],
    ['direction', 'Debit,Credit'],
    ['since', 'yesterday'],
    ['until', '2026-13-01'],
    ['accountId', ''],
    ['toAmount', '-1'],
    ['account', '1000000'],
  ])('refuses %s=%s', async (parameter, value) => {
    const { status, json } = await list(`?${parameter}=${value}`)
    expect([status, json.errors?.[0]?.parameter]).toEqual([400, parameter])
  })
})
