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

const reverse = (id: string, content = {}) => sendMessage(bank, `authorizations/${id}/reverse`, content)

describe('reverse authorization of purchase', () => {
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
