import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, authorize, cardStatuses, getCard, makeCardIn, makeFunded } from '../../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

const unfreeze = (id: string, key = bank.key) => bank.call('POST', `/v0/banking/cards/${id}/unfreeze`, { key })

describe('unfreeze card', () => {
  test('makes a frozen card active and answers it', async () => {
    const card = await makeCardIn(bank, 'Frozen', await makeFunded(bank, 100_00))
    const { status, json } = await unfreeze(card.id)
    expect([status, json]).toEqual([200, { data: { ...card, status: 'Active' } }])
    expect(await getCard(bank, card.id)).toEqual(json.data)
    expect(await authorize(bank, card.id, 1_00)).toMatchObject({ status: 'Authorized' })
  })

  test('works on an account that is frozen itself', async () => {
    const account = await makeFunded(bank, 100_00)
    const { id } = await makeCardIn(bank, 'Frozen', account)
    await ask(bank, 'POST', `/v0/banking/accounts/${account}/freeze`)
    expect((await unfreeze(id)).json.data.status).toBe('Active')
    expect(await authorize(bank, id, 1_00)).toMatchObject({ status: 'Declined', reason: 'AccountNotOpen' })
  })

  test('refuses a card in any other state', async () => {
    for (const from of cardStatuses.filter((status) => status !== 'Frozen')) {
      const card = await makeCardIn(bank, from)
      expect((await unfreeze(card.id)).json, from).toMatchObject({ status: 409, code: 'card_wrong_state' })
      expect(await getCard(bank, card.id)).toEqual(card)
    }
  })

  test('refuses an unknown card and one of another organisation', async () => {
    const { id } = await makeCardIn(bank, 'Frozen')
    for (const reply of [await unfreeze('1000'), await unfreeze(id, bank.otherKey)]) {
      expect(reply.json).toMatchObject({ status: 404, code: 'card_not_found' })
    }
    expect((await getCard(bank, id)).status).toBe('Frozen')
  })
})
