import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ask,
  authorize,
  charge,
  getAuthorization,
  makeFunded,
  makeVirtualCard,
  moneyOf,
  moveCard,
  refusalOf,
  sendMessage,
} from '../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { verifyLedger } from '../ledger/verify.ts'

// Messages of a processor about an authorization: one describe an operation.

let bank: TestBank
let account: string
let card: string

beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(async () => {
  expect(await verifyLedger(bank.database)).toEqual([])
  await bank.close()
})

async function open(amount: number): Promise<void> {
  account = await makeFunded(bank, amount)
  card = (await makeVirtualCard(bank, account)).id
}

describe('incrementAuthorization', () => {
  const increment = (id: string, amount: number) => sendMessage(bank, `authorizations/${id}/increment`, { amount })

  test('holds more, up to the balance; a decline leaves the hold as it is', async () => {
    await open(100_00)
    const { id } = (await charge(bank, card, 40_00)).json.data
    const more = await increment(id, 60_00)
    const authorization = await getAuthorization(bank, id)
    expect([more.status, more.json.data]).toEqual([200, { id, amount: 60_00, approved: true, authorization }])
    expect(authorization.amount).toBe(100_00)
    expect(await moneyOf(bank, account)).toEqual({ balance: 100_00, hold: 100_00, available: 0 })
    const past = await increment(id, 1)
    expect([past.status, past.json.data]).toEqual([
      200,
      { id, amount: 1, approved: false, reason: 'InsufficientFunds', authorization },
    ])
    expect(await getAuthorization(bank, id)).toEqual(authorization)
    expect((await moneyOf(bank, account)).hold).toBe(100_00)
  })

  test('is declined where an authorization would be', async () => {
    await open(10_00)
    const { id } = (await charge(bank, card, 5_00)).json.data
    await moveCard(bank, card, 'freeze')
    expect((await increment(id, 1)).json.data.reason).toBe('CardNotActive')
    await moveCard(bank, card, 'unfreeze')
    await ask(bank, 'POST', `/v0/banking/accounts/${account}/freeze`)
    expect((await increment(id, 1)).json.data.reason).toBe('AccountNotOpen')
    const declined = (await charge(bank, card, 1)).json.data
    expect(refusalOf(await increment(declined.id, 1))).toEqual([409, 'authorization_not_open'])
    await sendMessage(bank, `authorizations/${id}/reverse`)
    expect(refusalOf(await increment(id, 1))).toEqual([409, 'authorization_not_open'])
    for (const odd of ['1', 'x', card]) {
      expect(refusalOf(await increment(odd, 1))).toEqual([404, 'authorization_not_found'])
    }
  })

  test('of an authorization of the sandbox is settled with it', async () => {
    await open(20_00)
    const { id } = await authorize(bank, card, 5_00)
    expect((await increment(id, 1_00)).json.data.authorization.amount).toBe(6_00)
    const settled = await bank.call('POST', `/v0/sandbox/authorizations/${id}/settle`, { body: {} })
    expect(settled.json.data.amount).toBe(6_00)
  })

  test('stays below the largest amount of an authorization', async () => {
    await open(999_999_999_999)
    const { id } = (await charge(bank, card, 999_999_999_998)).json.data
    expect((await increment(id, 1)).json.data.approved).toBe(true)
    expect(refusalOf(await increment(id, 1))).toEqual([422, 'balance_limit'])
    for (const amount of [0, -1, 1.5, 1_000_000_000_000]) {
      expect(refusalOf(await increment(id, amount))).toEqual([400, 'invalid_request'])
    }
  })
})

describe('adviseAuthorization', () => {
  const advise = (id: string, amount: number) => sendMessage(bank, `authorizations/${id}/advice`, { amount })

  test('sets the amount, above the balance and below it, and leaves settled parts out of the hold', async () => {
    await open(100_00)
    const { id } = (await charge(bank, card, 100_00)).json.data
    const authorization = await getAuthorization(bank, id)
    const above = await advise(id, 150_00)
    expect([above.status, above.json.data]).toEqual([200, { ...authorization, amount: 150_00 }])
    expect(await moneyOf(bank, account)).toEqual({ balance: 100_00, hold: 150_00, available: -50_00 })
    expect((await advise(id, 90_00)).status).toBe(200)
    expect((await moneyOf(bank, account)).hold).toBe(90_00)
    await sendMessage(bank, `authorizations/${id}/settle`, { amount: 30_00, final: false })
    expect(await moneyOf(bank, account)).toEqual({ balance: 70_00, hold: 60_00, available: 10_00 })
    expect((await advise(id, 20_00)).status).toBe(200)
    expect((await moneyOf(bank, account)).hold).toBe(0)
    const more = await sendMessage(bank, `authorizations/${id}/increment`, { amount: 5_00 })
    expect(more.json.data.approved).toBe(true)
    expect((await moneyOf(bank, account)).hold).toBe(5_00)
  })

  test('is taken on a frozen account, and refused once the authorization has ended', async () => {
    await open(10_00)
    const { id } = (await charge(bank, card, 5_00)).json.data
    await ask(bank, 'POST', `/v0/banking/accounts/${account}/freeze`)
    expect((await advise(id, 6_00)).status).toBe(200)
    await sendMessage(bank, `authorizations/${id}/settle`)
    expect(refusalOf(await advise(id, 6_00))).toEqual([409, 'authorization_not_open'])
    expect(refusalOf(await advise('1', 1))).toEqual([404, 'authorization_not_found'])
    expect(refusalOf(await advise(id, 0))).toEqual([400, 'invalid_request'])
  })
})

describe('settleProcessorAuthorization', () => {
  const settle = (id: string, content = {}) => sendMessage(bank, `authorizations/${id}/settle`, content)

  test('takes a part and keeps the rest open, then takes the rest', async () => {
    await open(10_00)
    const { id } = (await charge(bank, card, 8_00)).json.data
    const part = await settle(id, { amount: 3_00, final: false })
    expect([part.status, part.json.data.amount]).toEqual([201, 3_00])
    expect(await moneyOf(bank, account)).toEqual({ balance: 7_00, hold: 5_00, available: 2_00 })
    expect((await settle(id)).json.data.amount).toBe(5_00)
    expect(await moneyOf(bank, account)).toEqual({ balance: 2_00, hold: 0, available: 2_00 })
    expect(refusalOf(await settle(id))).toEqual([409, 'authorization_not_open'])
  })

  test('takes more than the balance, and refuses where nothing is held', async () => {
    await open(10_00)
    const { id } = (await charge(bank, card, 8_00)).json.data
    expect((await settle(id, { amount: 12_00, final: false })).status).toBe(201)
    expect((await moneyOf(bank, account)).balance).toBe(-2_00)
    expect(refusalOf(await settle(id))).toEqual([422, 'nothing_held'])
    expect(refusalOf(await settle('1'))).toEqual([404, 'authorization_not_found'])
  })
})

describe('reverseProcessorAuthorization', () => {
  const reverse = (id: string, content = {}) => sendMessage(bank, `authorizations/${id}/reverse`, content)

  test('releases the hold once', async () => {
    await open(10_00)
    const { id } = (await charge(bank, card, 10_00)).json.data
    const reversed = await reverse(id, { processorId: 'the reversal' })
    expect([reversed.status, reversed.json.data.status]).toEqual([200, 'Canceled'])
    expect((await moneyOf(bank, account)).hold).toBe(0)
    expect((await reverse(id, { processorId: 'the reversal' })).text).toBe(reversed.text)
    expect(refusalOf(await reverse(id))).toEqual([409, 'authorization_not_open'])
    expect(refusalOf(await reverse('1'))).toEqual([404, 'authorization_not_found'])
    expect(refusalOf(await reverse(id, { amount: 1 }))).toEqual([400, 'invalid_request'])
  })
})

describe('refundProcessorAuthorization', () => {
  const refund = (id: string, content = {}) => sendMessage(bank, `authorizations/${id}/refund`, content)

  test('gives back a part, then the rest, and nothing more', async () => {
    await open(10_00)
    const { id } = (await charge(bank, card, 8_00)).json.data
    expect(refusalOf(await refund(id))).toEqual([409, 'authorization_not_settled'])
    await sendMessage(bank, `authorizations/${id}/settle`)
    const part = await refund(id, { amount: 3_00 })
    expect([part.status, part.json.data.amount]).toEqual([201, 3_00])
    expect(refusalOf(await refund(id, { amount: 5_01 }))).toEqual([422, 'refund_exceeds_settlement'])
    expect((await refund(id)).json.data.amount).toBe(5_00)
    expect(await moneyOf(bank, account)).toEqual({ balance: 10_00, hold: 0, available: 10_00 })
    expect(refusalOf(await refund(id))).toEqual([422, 'refund_exceeds_settlement'])
    expect(refusalOf(await refund('1'))).toEqual([404, 'authorization_not_found'])
  })
})
