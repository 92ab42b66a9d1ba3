import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ask,
  charge,
  getAuthorization,
  makeFunded,
  makeVirtualCard,
  moneyOf,
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

const advise = (id: string, amount: number) => sendMessage(bank, `authorizations/${id}/advice`, { amount })

describe('advise of authorized amount', () => {
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
