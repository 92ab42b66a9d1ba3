import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { charge, makeFunded, makeVirtualCard, moneyOf, refusalOf, sendMessage } from '../../test/support/cards.ts'
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

const settle = (id: string, content = {}) => sendMessage(bank, `authorizations/${id}/settle`, content)

describe('settle purchase', () => {
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
