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

const increment = (id: string, amount: number) => sendMessage(bank, `authorizations/${id}/increment`, { amount })

describe('increment authorization', () => {
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
