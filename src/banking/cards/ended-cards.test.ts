import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  authorize,
  cardStatuses,
  getCard,
  makeCardIn,
  makeFunded,
  makeVirtualCard,
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

/** The operations that end a card, with their path and the state of the card afterwards. */
const operations = [
  ['closeCard', 'close', 'ClosedByCustomer'],
  ['reportLostCard', 'report-lost', 'Lost'],
  ['reportStolenCard', 'report-stolen', 'Stolen'],
] as const
const ended: string[] = operations.map(([, , state]) => state)

describe.each(operations)('%s', (_id, path, state) => {
  const end = (id: string, key = bank.key) => bank.call('POST', `/v0/banking/cards/${id}/${path}`, { key })

  test('ends a card from every live state and answers it', async () => {
    for (const from of cardStatuses.filter((status) => !ended.includes(status))) {
      const card = await makeCardIn(bank, from)
      const { status, json } = await end(card.id)
      expect([status, json], from).toEqual([200, { data: { ...card, status: state } }])
      expect(await getCard(bank, card.id)).toEqual(json.data)
    }
  })

  test('refuses a card that has ended', async () => {
    for (const from of cardStatuses.filter((status) => ended.includes(status))) {
      const card = await makeCardIn(bank, from)
      expect((await end(card.id)).json, from).toMatchObject({ status: 409, code: 'card_wrong_state' })
      expect(await getCard(bank, card.id)).toEqual(card)
    }
  })

  test('declines new authorizations of a virtual card, while those made before still settle', async () => {
    const account = await makeFunded(bank, 100_00)
    const card = await makeVirtualCard(bank, account)
    const before = await authorize(bank, card.id, 30_00)
    expect((await end(card.id)).json.data).toEqual({ ...card, status: state })
    expect(await authorize(bank, card.id, 1_00)).toMatchObject({ status: 'Declined', reason: 'CardNotActive' })
    expect((await settle(bank, before.id)).status).toBe(201)
    expect(await moneyOf(bank, account)).toEqual({ balance: 70_00, hold: 0, available: 70_00 })
    expect(await verifyLedger(bank.database)).toEqual([])
  })

  test('refuses an unknown card and one of another organisation', async () => {
    const { id } = await makeCardIn(bank, 'Active')
    for (const reply of [await end('1000'), await end(id, bank.otherKey)]) {
      expect(reply.json).toMatchObject({ status: 404, code: 'card_not_found' })
    }
    expect((await getCard(bank, id)).status).toBe('Active')
  })
})
