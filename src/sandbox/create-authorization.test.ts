import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  advanceTo,
  ask,
  authorize,
  cardStatuses,
  getAuthorization,
  later,
  makeCardIn,
  makeFunded,
  makeOrganisation,
  makeVirtualCard,
  moneyOf,
  settle,
  times,
  timestamp,
} from '../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { makeAccount } from '../../test/support/world.ts'
import { verifyLedger } from '../ledger/verify.ts'

let bank: TestBank
/** A bank with an overdraft of one dollar. */
let generous: TestBank

beforeAll(async () => {
  bank = await openTestBank()
  generous = await openTestBank({ overdraftCents: 1_00 })
})
afterAll(async () => {
  expect(await verifyLedger(bank.database)).toEqual([])
  await bank.close()
  await generous.close()
})

const merchant = { name: 'Sample Coffee', category: 'Restaurants', location: 'Springfield, IL' }
const create = (cardId: string, body: unknown, key = bank.key) =>
  bank.call('POST', `/v0/sandbox/cards/${cardId}/authorizations`, { body, key })

describe('create authorization', () => {
  test('holds the amount and answers the authorization', async () => {
    const account = await makeFunded(bank, 100_00)
    const card = await makeVirtualCard(bank, account)
    const { status, json } = await create(card.id, { amount: 30_00, merchant })
    expect(status).toBe(201)
    expect(json).toEqual({
      data: {
        id: expect.stringMatching(/^[1-9]\d{6,}$/),
        status: 'Authorized',
        amount: 30_00,
        description: 'Sample Coffee',
        createdAt: expect.stringMatching(timestamp),
        cardLast4Digits: card.last4Digits,
        merchant,
      },
    })
    expect(await moneyOf(bank, account)).toEqual({ balance: 100_00, hold: 30_00, available: 70_00 })
    expect(await getAuthorization(bank, json.data.id)).toEqual(json.data)
    expect(await ask(bank, 'GET', `/v0/banking/transactions?accountId=${account}`)).toHaveLength(1)
  })

  test('adds up the holds of an account, and shows an empty category and location where none were sent', async () => {
    const account = await makeFunded(bank, 100_00)
    const { id } = await makeVirtualCard(bank, account)
    await create(id, { amount: 30_00, merchant })
    const { json } = await create(id, { amount: 20_00, merchant: { name: 'Shop' } })
    expect(json.data.merchant).toEqual({ name: 'Shop', category: '', location: '' })
    expect(await moneyOf(bank, account)).toEqual({ balance: 100_00, hold: 50_00, available: 50_00 })
  })

  test('authorizes the whole available balance and declines a cent more; a declined one can be read and is not listed', async () => {
    const account = await makeFunded(bank, 100_00)
    const { customerId } = await ask(bank, 'GET', `/v0/banking/accounts/${account}`)
    const card = await makeVirtualCard(bank, account)
    const { status, json } = await create(card.id, { amount: 100_01, merchant })
    expect(status).toBe(201)
    expect(json).toEqual({
      data: {
        id: expect.any(String),
        status: 'Declined',
        amount: 100_01,
        description: 'Sample Coffee',
        createdAt: expect.stringMatching(timestamp),
        cardLast4Digits: card.last4Digits,
        merchant,
        reason: 'InsufficientFunds',
      },
    })
    expect(await moneyOf(bank, account)).toEqual({ balance: 100_00, hold: 0, available: 100_00 })
    expect(await authorize(bank, card.id, 100_00)).toMatchObject({ status: 'Authorized' })
    expect(await authorize(bank, card.id, 1)).toMatchObject({ status: 'Declined', reason: 'InsufficientFunds' })
    expect(await getAuthorization(bank, json.data.id)).toEqual(json.data)
    const listed = await ask(bank, 'GET', `/v0/banking/authorizations?customerId=${customerId}&status=Authorized`)
    expect(listed).toMatchObject([{ amount: 100_00 }])
  })

  test('makes a held amount unavailable for payments', async () => {
    const account = await makeFunded(bank, 100_00)
    const { customerId } = await ask(bank, 'GET', `/v0/banking/accounts/${account}`)
    await authorize(bank, (await makeVirtualCard(bank, account)).id, 30_00)
    const { id } = await ask(bank, 'POST', `/v0/banking/customers/${customerId}/external-accounts`, {
      type: 'Person',
      name: 'Grace Sample',
      routingNumber: '021000021',
      accountNumber: '9876543210',
      accountType: 'Checking',
    })
    const pay = (amount: number) =>
      bank.call('POST', `/v0/banking/accounts/${account}/payments`, {
        body: { amount, counterpartyAccountId: id, description: 'Rent', originalType: 'ACH' },
      })
    expect((await pay(70_01)).json).toMatchObject({ status: 422, code: 'insufficient_funds' })
    expect((await pay(70_00)).status).toBe(201)
    expect(await moneyOf(bank, account)).toEqual({ balance: 30_00, hold: 30_00, available: 0 })
  })

  test('declines a charge of a card in any state but Active', async () => {
    const account = await makeFunded(bank, 100_00)
    for (const status of cardStatuses) {
      const { id } = await makeCardIn(bank, status, account)
      const made = await authorize(bank, id, 1_00)
      if (status === 'Active') expect(made, status).toMatchObject({ status: 'Authorized' })
      else expect(made, status).toMatchObject({ status: 'Declined', reason: 'CardNotActive' })
      expect(await getAuthorization(bank, made.id)).toEqual(made)
    }
    expect(await moneyOf(bank, account)).toMatchObject({ hold: 1_00 })
  })

  test('declines a charge of a frozen account, and authorizes again once the account is open', async () => {
    const account = await makeFunded(bank, 100_00)
    const { id } = await makeVirtualCard(bank, account)
    await ask(bank, 'POST', `/v0/banking/accounts/${account}/freeze`)
    expect(await authorize(bank, id, 1_00)).toMatchObject({ status: 'Declined', reason: 'AccountNotOpen' })
    await ask(bank, 'POST', `/v0/banking/accounts/${account}/unfreeze`)
    expect(await authorize(bank, id, 1_00)).toMatchObject({ status: 'Authorized' })
  })

  test('stays open when its account closes, and can still be settled', async () => {
    const account = await makeFunded(bank, 100_00)
    const card = await makeVirtualCard(bank, account)
    const { id } = await authorize(bank, card.id, 30_00)
    await ask(bank, 'POST', `/v0/banking/accounts/${account}/close`, { reason: 'ByCustomer' })
    expect(await authorize(bank, card.id, 1_00)).toMatchObject({ status: 'Declined', reason: 'CardNotActive' })
    expect(await getAuthorization(bank, id)).toMatchObject({ status: 'Authorized' })
    expect(await moneyOf(bank, account)).toEqual({ balance: 100_00, hold: 30_00, available: 70_00 })
    expect((await settle(bank, id)).json.data).toMatchObject({ amount: 30_00, balance: 70_00 })
    expect(await moneyOf(bank, account)).toEqual({ balance: 70_00, hold: 0, available: 70_00 })
  })

  test('authorizes until the end of the month in which the card expires, and declines from then on', async () => {
    const key = await makeOrganisation(bank, 'expiry')
    const account = await makeFunded(bank, 100_00, key)
    const card = await makeVirtualCard(bank, account, key)
    const listed = await ask(bank, 'GET', `/v0/banking/cards?accountId=${account}`, undefined, key)
    const end = listed[0].expirationDate
    await advanceTo(bank, later(end, 0, -60_000), key)
    expect(await authorize(bank, card.id, 1_00, key)).toMatchObject({ status: 'Authorized' })
    await advanceTo(bank, later(end, 0, 1), key)
    expect(await authorize(bank, card.id, 1_00, key)).toMatchObject({ status: 'Declined', reason: 'CardNotActive' })
    expect((await ask(bank, 'GET', `/v0/banking/cards/${card.id}`, undefined, key)).status).toBe('Active')
    const young = await makeVirtualCard(bank, account, key)
    expect(await authorize(bank, young.id, 1_00, key)).toMatchObject({ status: 'Authorized' })
  })

  test('accepts amounts of 1 to 999,999,999,999 and merchants of 1 to 100 characters', async () => {
    const account = await makeFunded(bank, 999_999_999_999)
    const { id } = await makeVirtualCard(bank, account)
    for (const amount of [1, 999_999_999_998, 999_999_999_999]) {
      const { status, json } = await create(id, { amount, merchant })
      expect([status, json.data.amount]).toEqual([201, amount])
    }
    for (const amount of [0, -1, 1.5, '100', 1_000_000_000_000, null, undefined]) {
      const { status, json } = await create(id, { amount, merchant })
      expect([status, json.errors[0].pointer], String(amount)).toEqual([400, '/amount'])
    }
    for (const name of ['name', 'category', 'location']) {
      const edge = { ...merchant, [name]: '😀'.repeat(100) }
      expect((await create(id, { amount: 1, merchant: edge })).json.data.merchant).toEqual(edge)
      for (const value of ['', 'x'.repeat(101), 1, ...(name === 'name' ? [null] : [])]) {
        const { status, json } = await create(id, { amount: 1, merchant: { ...merchant, [name]: value } })
        expect([status, json.errors[0].pointer], `${name} ${value}`).toEqual([400, `/merchant/${name}`])
      }
    }
    const named = { name: merchant.name, category: null, location: null }
    expect((await create(id, { amount: 1, merchant: named })).json.data.merchant).toEqual({
      name: merchant.name,
      category: '',
      location: '',
    })
    for (const sent of [undefined, null, {}, { category: 'Restaurants' }]) {
      const { status, json } = await create(id, { amount: 1, merchant: sent })
      expect([status, json.errors[0].pointer.startsWith('/merchant')]).toEqual([400, true])
    }
  })

  test('refuses an unknown card and one of another organisation', async () => {
    const account = await makeAccount(bank)
    const { id } = await makeVirtualCard(bank, account)
    const body = { amount: 1_00, merchant }
    for (const reply of [
      await create('1000', body),
      await create(account, body),
      await create(id, body, bank.otherKey),
    ]) {
      expect(reply.json).toMatchObject({ status: 404, code: 'card_not_found' })
    }
  })

  test('never holds more than is available when 100 run at once on two cards', async () => {
    const account = await makeFunded(bank, 50_00)
    const cards = [await makeVirtualCard(bank, account), await makeVirtualCard(bank, account)]
    const made = await times(100, (at) => authorize(bank, cards[at % 2].id, 1_50))
    const open = made.filter(({ status }) => status === 'Authorized')
    expect(open).toHaveLength(33)
    expect(made.filter(({ reason }) => reason === 'InsufficientFunds')).toHaveLength(67)
    expect(await moneyOf(bank, account)).toEqual({ balance: 50_00, hold: 49_50, available: 50 })
    expect(await verifyLedger(bank.database)).toEqual([])
  })

  test('overdraws an account by the configured overdraft at most', async () => {
    const account = await makeFunded(generous, 5_00)
    const { id } = await makeVirtualCard(generous, account)
    expect(await authorize(generous, id, 6_01)).toMatchObject({ status: 'Declined', reason: 'InsufficientFunds' })
    expect(await authorize(generous, id, 6_00)).toMatchObject({ status: 'Authorized' })
    expect(await moneyOf(generous, account)).toEqual({ balance: 5_00, hold: 6_00, available: -1_00 })
    expect(await verifyLedger(generous.database)).toEqual([])
  })

  test('refuses a hold past 9,007,199,254,740,991 cents', async () => {
    const account = await makeFunded(generous, 5_00)
    const { id } = await makeVirtualCard(generous, account)
    // Thousands of the largest authorizations would lead to this hold.
    const most = 9_007_199_254_740_991
    await generous.database.query('update account set balance = $2, hold = $2 where id = $1', [account, most])
    const { status, json } = await generous.call('POST', `/v0/sandbox/cards/${id}/authorizations`, {
      body: { amount: 1, merchant },
    })
    expect([status, json.code]).toEqual([422, 'balance_limit'])
    expect(await moneyOf(generous, account)).toEqual({ balance: most, hold: most, available: 0 })
  })
})
