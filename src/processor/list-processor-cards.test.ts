import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, makeFunded, makeVirtualCard, refusalOf } from '../../test/support/cards.ts'
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

const find = (query: string, key = bank.key) => bank.call('GET', `/v0/processor/cards${query}`, { key })

describe('find card by reference', () => {
  test('finds one card of the organisation, in any state', async () => {
    await open(1_00)
    const path = `/v0/processor/cards/${card}/reference`
    const shown = await ask(bank, 'PUT', path, { reference: 'a reference & more' })
    const query = `?reference=${encodeURIComponent('a reference & more')}`
    expect((await find(query)).json).toEqual({ data: [shown] })
    await ask(bank, 'POST', `/v0/banking/cards/${card}/close`)
    expect((await find(query)).json).toEqual({ data: [{ ...shown, status: 'ClosedByCustomer' }] })
    expect((await find(query, bank.otherKey)).json).toEqual({ data: [] })
    expect((await find('?reference=unknown')).json).toEqual({ data: [] })
    for (const odd of ['', '?reference=', `?reference=${'x'.repeat(256)}`, '?reference=a&limit=1']) {
      expect(refusalOf(await find(odd))).toEqual([400, 'invalid_request'])
    }
    expect((await find(query, await bank.makeKey('first', null))).status).toBe(403)
  })
})
