import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setNoon } from '../../../test/support/bank-time.ts'
import { ask, authorize, makeFunded, makeVirtualCard, refusalOf, reverse } from '../../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank()
  await setNoon(bank)
})
afterAll(() => bank.close())

const none = { amount: null, count: null, usedAmount: 0, usedCount: 0 }

describe('get card limits', () => {
  test('shows no limits, and the purchases of the day and the month all the same', async () => {
    const { id } = await makeVirtualCard(bank, await makeFunded(bank, 100_00))
    const path = `/v0/banking/cards/${id}/limits`
    const shown = { id, purchase: { amount: null }, day: none, month: none }
    const categories = { allowedCategories: null, blockedCategories: null }
    expect(await ask(bank, 'GET', path)).toEqual({ ...shown, ...categories })
    await authorize(bank, id, 5_00)
    const reversed = await authorize(bank, id, 7_00)
    expect((await authorize(bank, id, 100_00)).status).toBe('Declined')
    expect(await ask(bank, 'GET', path)).toMatchObject({ day: { usedAmount: 12_00, usedCount: 2 } })
    await reverse(bank, reversed.id)
    const used = { ...none, usedAmount: 5_00, usedCount: 1 }
    expect(await ask(bank, 'GET', path)).toEqual({ ...shown, day: used, month: used, ...categories })
  })

  test('finds the cards of its organisation alone', async () => {
    const { id } = await makeVirtualCard(bank, await makeFunded(bank, 1_00))
    for (const [path, key] of [
      [id, bank.otherKey],
      ['1', bank.key],
      ['x', bank.key],
    ] as const) {
      const reply = await bank.call('GET', `/v0/banking/cards/${path}/limits`, { key })
      expect(refusalOf(reply)).toEqual([404, 'card_not_found'])
    }
  })
})
