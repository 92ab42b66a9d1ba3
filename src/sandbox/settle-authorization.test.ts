import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ask,
  authorize,
  getAuthorization,
  makeFunded,
  makeVirtualCard,
  moneyOf,
  refund,
  reverse,
  settle,
  times,
  timestamp,
} from '../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { verifyLedger } from '../ledger/verify.ts'

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

/** An account with 100 dollars of which 30 are held. */
async function held(amount = 30_00, funds = 100_00) {
  const account = await makeFunded(bank, funds)
  const card = await makeVirtualCard(bank, account)
  const { id } = await authorize(bank, card.id, amount)
  return { account, card, id }
}
const statusOf = async (id: string) => (await getAuthorization(bank, id)).status
const transactionsOf = (account: string) => ask(bank, 'GET', `/v0/banking/transactions?accountId=${account}`)

describe('settle authorization', () => {
  test('settles the held amount, completes the authorization and answers the transaction', async () => {
    const { account, card, id } = await held()
    const { status, json } = await settle(bank, id)
    expect(status).toBe(201)
    expect(json).toEqual({
      data: {
        type: 'bookTransaction',
        id: expect.stringMatching(/^[1-9]\d{6,}$/),
        accountId: account,
        createdAt: expect.stringMatching(timestamp),
        amount: 30_00,
        direction: 'Debit',
        balance: 70_00,
        summary: `Sample Coffee  |  Card ${card.last4Digits}`,
        counterparty: {
          name: 'Sample Coffee',
          routingNumber: '812345678',
          accountNumber: expect.stringMatching(/^\d{10,12}$/),
          accountType: 'Checking',
        },
        tags: { originalType: 'CARD' },
      },
    })
    expect(await statusOf(id)).toBe('Completed')
    expect(await moneyOf(bank, account)).toEqual({ balance: 70_00, hold: 0, available: 70_00 })
    expect((await transactionsOf(account))[0]).toEqual(json.data)
    const single = await ask(bank, 'GET', `/v0/banking/transactions/${json.data.id}?accountId=${account}`)
    expect(single.attributes.tags).toEqual({ originalType: 'CARD' })
    expect(Object.keys(single.relationships).sort()).toEqual(['account', 'customer', 'customers', 'org'])
    expect(await verifyLedger(bank.database)).toEqual([])
  })

  test('settles less than the hold and releases the rest', async () => {
    const { account, id } = await held()
    expect((await settle(bank, id, { amount: 10_00 })).json.data).toMatchObject({ amount: 10_00, balance: 90_00 })
    expect(await statusOf(id)).toBe('Completed')
    expect(await moneyOf(bank, account)).toEqual({ balance: 90_00, hold: 0, available: 90_00 })
    expect(await verifyLedger(bank.database)).toEqual([])
  })

  test('settles more than the hold, even below a balance of zero', async () => {
    const { account, id } = await held()
    expect((await settle(bank, id, { amount: 150_00, final: true })).json.data.balance).toBe(-50_00)
    expect(await statusOf(id)).toBe('Completed')
    expect(await moneyOf(bank, account)).toEqual({ balance: -50_00, hold: 0, available: -50_00 })
    expect(await verifyLedger(bank.database)).toEqual([])
  })

  test('settles in parts while the rest stays held, and the final settlement takes the rest', async () => {
    const { account, id } = await held()
    await settle(bank, id, { amount: 10_00, final: false })
    expect(await statusOf(id)).toBe('Authorized')
    expect(await moneyOf(bank, account)).toEqual({ balance: 90_00, hold: 20_00, available: 70_00 })
    await settle(bank, id, { amount: 19_99, final: false })
    expect(await moneyOf(bank, account)).toEqual({ balance: 70_01, hold: 1, available: 70_00 })
    expect((await settle(bank, id)).json.data).toMatchObject({ amount: 1, balance: 70_00 })
    expect(await statusOf(id)).toBe('Completed')
    expect(await moneyOf(bank, account)).toEqual({ balance: 70_00, hold: 0, available: 70_00 })
    expect(await verifyLedger(bank.database)).toEqual([])
  })

  test('can settle the whole hold without being final; a further settlement must then name its amount', async () => {
    const { account, id } = await held()
    await settle(bank, id, { final: false })
    expect(await moneyOf(bank, account)).toEqual({ balance: 70_00, hold: 0, available: 70_00 })
    for (const body of [{}, { final: false }, { final: true }]) {
      expect((await settle(bank, id, body)).json).toMatchObject({ status: 422, code: 'nothing_held' })
    }
    expect(await statusOf(id)).toBe('Authorized')
    await settle(bank, id, { amount: 5_00, final: false })
    expect(await moneyOf(bank, account)).toEqual({ balance: 65_00, hold: 0, available: 65_00 })
    expect((await settle(bank, id, { amount: 1 })).status).toBe(201)
    expect(await statusOf(id)).toBe('Completed')
    expect(await verifyLedger(bank.database)).toEqual([])
  })

  test('holds nothing after a part that is more than the hold', async () => {
    const { account, id } = await held()
    await authorize(bank, (await makeVirtualCard(bank, account)).id, 15_00)
    await settle(bank, id, { amount: 40_00, final: false })
    expect(await moneyOf(bank, account)).toEqual({ balance: 60_00, hold: 15_00, available: 45_00 })
    expect(await verifyLedger(bank.database)).toEqual([])
  })

  test('settles the whole hold when there is no body, or its members are null', async () => {
    for (const body of [undefined, {}, { amount: null, final: null }]) {
      const { id } = await held()
      const { status, json } = await bank.call('POST', `/v0/sandbox/authorizations/${id}/settle`, { body })
      expect([status, json.data.amount]).toEqual([201, 30_00])
      expect(await statusOf(id)).toBe('Completed')
    }
  })

  test('settles on a frozen account', async () => {
    const { account, id } = await held()
    await ask(bank, 'POST', `/v0/banking/accounts/${account}/freeze`)
    expect((await settle(bank, id)).json.data.balance).toBe(70_00)
  })

  test('refuses an authorization that is not open', async () => {
    const completed = await held()
    await settle(bank, completed.id)
    const reversed = await held()
    await reverse(bank, reversed.id)
    const declined = await held(100_01)
    for (const { account, id } of [completed, reversed, declined]) {
      const before = await moneyOf(bank, account)
      for (const body of [{}, { amount: 1 }, { amount: 1, final: false }]) {
        expect((await settle(bank, id, body)).json).toMatchObject({ status: 409, code: 'authorization_not_open' })
      }
      expect(await moneyOf(bank, account)).toEqual(before)
    }
    expect(await verifyLedger(bank.database)).toEqual([])
  })

  test('refuses an unknown authorization and one of another organisation', async () => {
    const { card, id } = await held()
    for (const unknown of ['1000', card.id]) {
      expect((await settle(bank, unknown)).json).toMatchObject({ status: 404, code: 'authorization_not_found' })
    }
    const foreign = await bank.call('POST', `/v0/sandbox/authorizations/${id}/settle`, { key: bank.otherKey })
    expect(foreign.json).toMatchObject({ status: 404, code: 'authorization_not_found' })
    expect(await statusOf(id)).toBe('Authorized')
  })

  test('accepts amounts of 1 to 999,999,999,999', async () => {
    const { account, id } = await held()
    for (const amount of [0, -1, 1.5, '100', 1_000_000_000_000]) {
      const { status, json } = await settle(bank, id, { amount })
      expect([status, json.errors[0].pointer], String(amount)).toEqual([400, '/amount'])
    }
    for (const final of ['true', 1]) {
      const { status, json } = await settle(bank, id, { final })
      expect([status, json.errors[0].pointer], String(final)).toEqual([400, '/final'])
    }
    await settle(bank, id, { amount: 1, final: false })
    await settle(bank, id, { amount: 999_999_999_999 })
    expect(await moneyOf(bank, account)).toMatchObject({ balance: 99_99 - 999_999_999_999, hold: 0 })
    expect(await verifyLedger(bank.database)).toEqual([])
  })

  test('succeeds once when 50 final settlements run at once', async () => {
    const { account, id } = await held()
    const replies = await times(50, () => settle(bank, id))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1)
    const refused = replies.filter(({ json }) => json.code === 'authorization_not_open')
    expect(refused).toHaveLength(49)
    expect(await moneyOf(bank, account)).toEqual({ balance: 70_00, hold: 0, available: 70_00 })
    expect(await transactionsOf(account)).toHaveLength(2)
    expect(await verifyLedger(bank.database)).toEqual([])
  })

  test('keeps the balance right when 50 parts, a reversal and a refund run at once', async () => {
    const { account, id } = await held()
    const replies = await Promise.all([
      times(50, () => settle(bank, id, { amount: 1_00, final: false })),
      times(1, () => reverse(bank, id)),
      times(1, () => refund(bank, id, { amount: 1 })),
    ])
    const [parts, , refunds] = replies.map((some) => some.filter(({ status }) => status < 300).length)
    const { balance, hold } = await moneyOf(bank, account)
    expect([balance, hold]).toEqual([100_00 - (parts ?? 0) * 1_00 + (refunds ?? 0), 0])
    expect(await statusOf(id)).toBe('Canceled')
    expect(await verifyLedger(bank.database)).toEqual([])
  })

  test('settles once for one idempotency key', async () => {
    const { account, id } = await held()
    const options = { body: { amount: 10_00, final: false }, headers: { 'idempotency-key': 'settle-once' } }
    const replies = await times(5, () => bank.call('POST', `/v0/sandbox/authorizations/${id}/settle`, options))
    expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect(await moneyOf(bank, account)).toEqual({ balance: 90_00, hold: 20_00, available: 70_00 })
    expect(await verifyLedger(bank.database)).toEqual([])
  })
})

describe('settling at the limit', () => {
  test('refuses a balance past 9,007,199,254,740,991 cents', async () => {
    const { account, id } = await held()
    // Thousands of the largest settlements would lead to this balance.
    const least = -9_007_199_254_740_991
    await bank.database.query('update account set balance = $2, hold = 0 where id = $1', [account, least])
    expect((await settle(bank, id, { amount: 31_00 })).json).toMatchObject({ status: 422, code: 'balance_limit' })
    expect(await moneyOf(bank, account)).toMatchObject({ balance: least })
    expect(await statusOf(id)).toBe('Authorized')
  })

  test('refuses a total of settlements past 9,007,199,254,740,991 cents', async () => {
    const { id } = await held()
    // Thousands of settlements and refunds in turn would lead to this total.
    const total = 9_007_199_254_740_991 - 10
    await bank.database.query('update card_authorization set settled = $2, refunded = $2 where id = $1', [id, total])
    for (const body of [{ amount: 11 }, { amount: 11, final: false }, { amount: 999_999_999_999 }]) {
      expect((await settle(bank, id, body)).json).toMatchObject({ status: 422, code: 'balance_limit' })
    }
    expect((await settle(bank, id, { amount: 10 })).status).toBe(201)
    expect((await refund(bank, id)).json.data.amount).toBe(10)
  })
})
