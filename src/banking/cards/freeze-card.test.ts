import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  authorize,
  cardStatuses,
  getCard,
  makeCardIn,
  makeFunded,
  moneyOf,
  settle,
} from '../../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { verifyLedger } from '../../ledger/verify.ts'

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

const freeze = (id: string, key = bank.key) => bank.call('POST', `/v0/banking/cards/${id}/freeze`, { key })

describe('freeze card', () => {
  test('freezes an active card and answers it', async () => {
    const card = await makeCardIn(bank, 'Active')
    const { status, json } = await freeze(card.id)
    expect([status, json]).toEqual([200, { data: { ...card, status: 'Frozen' } }])
    expect(await getCard(bank, card.id)).toEqual(json.data)
  })

  test('declines new authorizations, while those made before still settle', async () => {
    const account = await makeFunded(bank, 100_00)
    const { id } = await makeCardIn(bank, 'Active', account)
    const before = await authorize(bank, id, 30_00)
    await freeze(id)
    expect(await authorize(bank, id, 1_00)).toMatchObject({ status: 'Declined', reason: 'CardNotActive' })
    expect((await settle(bank, before.id)).status).toBe(201)
    expect(await moneyOf(bank, account)).toEqual({ balance: 70_00, hold: 0, available: 70_00 })
    expect(await verifyLedger(bank.database)).toEqual([])
  })

  test('refuses a card in any other state', async () => {
    for (const from of cardStatuses.filter((status) => status !== 'Active')) {
      const card = await makeCardIn(bank, from)
      expect((await freeze(card.id)).json, from).toMatchObject({ status: 409, code: 'card_wrong_state' })
      expect(await getCard(bank, card.id)).toEqual(card)
    }
  })

  test('refuses an unknown card and one of another organisation', async () => {
    const { id } = await makeCardIn(bank, 'Active')
    for (const reply of [await freeze('1000'), await freeze(id, bank.otherKey)]) {
      expect(reply.json).toMatchObject({ status: 404, code: 'card_not_found' })
    }
    expect((await getCard(bank, id)).status).toBe('Active')
  })
})
