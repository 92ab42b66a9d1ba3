import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { advance, authorize, makeFunded, makeVirtualCard, reverse, settle } from '../../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { verifyLedger } from '../../ledger/verify.ts'

let bank: TestBank
let card: string

beforeAll(async () => {
  bank = await openTestBank()
  card = (await makeVirtualCard(bank, await makeFunded(bank, 100_00))).id
})
afterAll(() => bank.close())

const get = (id: string, key = bank.key) => bank.call('GET', `/v0/banking/authorizations/${id}`, { key })

describe('get authorization', () => {
  test('answers an authorization in every state', async () => {
    const settled = await authorize(bank, card, 10_00)
    const reversed = await authorize(bank, card, 10_00)
    const expired = await authorize(bank, card, 10_00)
    const declined = await authorize(bank, card, 100_01)
    await settle(bank, settled.id)
    await reverse(bank, reversed.id)
    await advance(bank, { by: 'P8D' })
    const open = await authorize(bank, card, 10_00)
    for (const [made, status] of [
      [open, 'Authorized'],
      [settled, 'Completed'],
      [reversed, 'Canceled'],
      [expired, 'Canceled'],
      [declined, 'Declined'],
    ] as const) {
      const reply = await get(made.id)
      expect([reply.status, reply.json]).toEqual([200, { data: { ...made, status } }])
    }
    expect(declined.reason).toBe('InsufficientFunds')
    expect(open).not.toHaveProperty('reason')
    expect(await verifyLedger(bank.database)).toEqual([])
  })

  test('refuses an unknown id, the id of another record and an authorization of another organisation', async () => {
    const { id } = await authorize(bank, card, 1_00)
    for (const reply of [await get('1000'), await get(card), await get(id, bank.otherKey)]) {
      expect([reply.status, reply.json.code]).toEqual([404, 'authorization_not_found'])
      expect(reply.json.detail).toContain('POST /v0/sandbox/cards/:cardId/authorizations')
    }
  })
})
