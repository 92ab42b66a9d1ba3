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

const refund = (id: string, content = {}) => sendMessage(bank, `authorizations/${id}/refund`, content)

describe('refund purchase', () => {
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
