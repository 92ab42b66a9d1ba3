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

async function held(amount = 30_00) {
  const account = await makeFunded(bank, 100_00)
  const card = await makeVirtualCard(bank, account)
  return { account, card, id: (await authorize(bank, card.id, amount)).id }
}

/** Creates an account with 100 dollars and settles an authorization of 30. */
async function settled(body: Record<string, unknown> = {}) {
  const made = await held()
  await settle(bank, made.id, body)
  return made
}

describe('refund authorization', () => {
  test('refunds the whole settled amount and answers the transaction', async () => {
    const { account, card, id } = await settled()
    const { status, json } = await refund(bank, id)
    expect(status).toBe(201)
    expect(json).toEqual({
      data: {
        type: 'bookTransaction',
        id: expect.stringMatching(/^[1-9]\d{6,}$/),
        accountId: account,
        createdAt: expect.stringMatching(timestamp),
        amount: 30_00,
        direction: 'Credit',
        balance: 100_00,
        summary: `Sample Coffee  |  Refund to card ${card.last4Digits}`,
        counterparty: {
          name: 'Sample Coffee',
          routingNumber: '812345678',
          accountNumber: expect.stringMatching(/^\d{10,12}$/),
          accountType: 'Checking',
        },
        tags: { originalType: 'CARD' },
      },
    })
    expect((await ask(bank, 'GET', `/v0/banking/transactions?accountId=${account}`))[0]).toEqual(json.data)
    expect((await getAuthorization(bank, id)).status).toBe('Completed')
    expect(await moneyOf(bank, account)).toEqual({ balance: 100_00, hold: 0, available: 100_00 })
    expect(await verifyLedger(bank.database)).toEqual([])
  })

  test('refunds in parts, and never more than has settled', async () => {
    const { account, id } = await settled()
    expect((await refund(bank, id, { amount: 30_01 })).json).toMatchObject({
      status: 422,
      code: 'refund_exceeds_settlement',
    })
    await refund(bank, id, { amount: 10_00 })
    expect((await refund(bank, id, { amount: 20_01 })).json.code).toBe('refund_exceeds_settlement')
    expect(await moneyOf(bank, account)).toMatchObject({ balance: 80_00 })
    expect((await refund(bank, id)).json.data).toMatchObject({ amount: 20_00, balance: 100_00 })
    for (const body of [{}, { amount: 1 }]) {
      expect((await refund(bank, id, body)).json).toMatchObject({ status: 422, code: 'refund_exceeds_settlement' })
    }
    expect(await verifyLedger(bank.database)).toEqual([])
  })

  test('refunds the whole settlement, even where it was more than the hold', async () => {
    const { account, id } = await settled({ amount: 150_00 })
    expect((await refund(bank, id, { amount: 150_01 })).json.code).toBe('refund_exceeds_settlement')
    expect((await refund(bank, id, { amount: 150_00 })).json.data).toMatchObject({ amount: 150_00, balance: 100_00 })
    expect(await moneyOf(bank, account)).toEqual({ balance: 100_00, hold: 0, available: 100_00 })
    expect(await verifyLedger(bank.database)).toEqual([])
  })

  test('refunds a settled part and leaves the rest of the hold as it is', async () => {
    const { account, id } = await settled({ amount: 10_00, final: false })
    expect((await refund(bank, id)).json.data).toMatchObject({ amount: 10_00, balance: 100_00 })
    expect((await getAuthorization(bank, id)).status).toBe('Authorized')
    expect(await moneyOf(bank, account)).toEqual({ balance: 100_00, hold: 20_00, available: 80_00 })
    expect((await settle(bank, id)).json.data.amount).toBe(20_00)
    expect((await refund(bank, id)).json.data).toMatchObject({ amount: 20_00, balance: 100_00 })
    expect(await verifyLedger(bank.database)).toEqual([])
  })

  test('credits accounts that are frozen or closed', async () => {
    const { account, id } = await settled()
    await ask(bank, 'POST', `/v0/banking/accounts/${account}/freeze`)
    expect((await refund(bank, id, { amount: 1_00 })).status).toBe(201)
    await ask(bank, 'POST', `/v0/banking/accounts/${account}/close`, { reason: 'Fraud' })
    expect((await refund(bank, id, { amount: 1_00 })).json.data.balance).toBe(72_00)
    expect(await verifyLedger(bank.database)).toEqual([])
  })

  test('refuses an authorization of which nothing has settled', async () => {
    const reversed = await held()
    await reverse(bank, reversed.id)
    for (const { account, id } of [await held(), reversed, await held(100_01)]) {
      const before = await moneyOf(bank, account)
      for (const body of [{}, { amount: 1 }]) {
        expect((await refund(bank, id, body)).json).toMatchObject({ status: 409, code: 'authorization_not_settled' })
      }
      expect(await moneyOf(bank, account)).toEqual(before)
    }
  })

  test('never refunds more than has settled when 50 run at once', async () => {
    const { account, id } = await settled()
    const replies = await times(50, () => refund(bank, id, { amount: 1_00 }))
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(30)
    expect(replies.filter(({ json }) => json.code === 'refund_exceeds_settlement')).toHaveLength(20)
    expect(await moneyOf(bank, account)).toEqual({ balance: 100_00, hold: 0, available: 100_00 })
    expect(await verifyLedger(bank.database)).toEqual([])
  })

  test('accepts amounts of 1 to 999,999,999,999, and no body', async () => {
    const { id } = await settled()
    for (const amount of [0, -1, 1.5, '100', 1_000_000_000_000]) {
      const { status, json } = await refund(bank, id, { amount })
      expect([status, json.errors[0].pointer], String(amount)).toEqual([400, '/amount'])
    }
    expect((await refund(bank, id, { amount: 999_999_999_999 })).json.code).toBe('refund_exceeds_settlement')
    expect((await refund(bank, id, { amount: 1 })).status).toBe(201)
    const { status, json } = await bank.call('POST', `/v0/sandbox/authorizations/${id}/refund`)
    expect([status, json.data.amount]).toEqual([201, 29_99])
    const other = await settled()
    expect((await refund(bank, other.id, { amount: null })).json.data.amount).toBe(30_00)
  })

  test('refuses an unknown authorization and one of another organisation', async () => {
    const { card, id } = await settled()
    for (const unknown of ['1000', card.id]) {
      expect((await refund(bank, unknown)).json).toMatchObject({ status: 404, code: 'authorization_not_found' })
    }
    const foreign = await bank.call('POST', `/v0/sandbox/authorizations/${id}/refund`, { key: bank.otherKey })
    expect(foreign.json).toMatchObject({ status: 404, code: 'authorization_not_found' })
    expect(await verifyLedger(bank.database)).toEqual([])
  })
})

describe('refunding at the limit', () => {
  test('refuses a balance past 9,007,199,254,740,991 cents', async () => {
    const { account, id } = await settled()
    // Thousands of the largest credits would lead to this balance.
    const most = 9_007_199_254_740_991
    await bank.database.query('update account set balance = $2 where id = $1', [account, most])
    expect((await refund(bank, id, { amount: 1 })).json).toMatchObject({ status: 422, code: 'balance_limit' })
    expect(await moneyOf(bank, account)).toMatchObject({ balance: most })
  })
})
