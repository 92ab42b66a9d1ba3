import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, refusalOf as codeOf, makeFunded, makeVirtualCard } from '../../test/support/cards.ts'
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

describe('the reference of a card', () => {
  const put = (cardId: string, reference: unknown, key = bank.key) =>
    bank.call('PUT', `/v0/processor/cards/${cardId}/reference`, { body: { reference }, key })
  const find = (reference: string, key = bank.key) =>
    bank.call('GET', `/v0/processor/cards?reference=${reference}`, { key })

  test('is set, found, changed, taken once in the organisation, and removed', async () => {
    await open(1_00)
    const { last4Digits, expirationDate } = await ask(bank, 'GET', `/v0/banking/cards/${card}`)
    const type = 'individualVirtualDebitCard'
    const shown = {
      id: card,
      accountId: account,
      last4Digits,
      expirationDate,
      status: 'Active',
      type,
      reference: 'r-1',
    }
    expect((await put(card, 'r-1')).json).toEqual({ data: shown })
    expect((await find('r-1')).json).toEqual({ data: [shown] })
    expect((await put(card, 'r-1')).json).toEqual({ data: shown })
    expect((await find('R-1')).json).toEqual({ data: [] })
    expect((await find('r-1', bank.otherKey)).json).toEqual({ data: [] })
    const other = (await makeVirtualCard(bank, account)).id
    expect(codeOf(await put(other, 'r-1'))).toEqual([409, 'card_reference_taken'])
    expect((await put(card, 'r-2')).status).toBe(200)
    expect((await put(other, 'r-1')).status).toBe(200)
    expect((await put(other, null)).json.data.reference).toBe(null)
    expect((await find('r-1')).json).toEqual({ data: [] })
    const theirs = (await makeVirtualCard(bank, await makeFunded(bank, 1, bank.otherKey), bank.otherKey)).id
    expect((await put(theirs, 'r-2', bank.otherKey)).status).toBe(200)
    expect(codeOf(await put(theirs, 'r-3'))).toEqual([404, 'card_not_found'])
  })

  test('is taken by one of many cards that ask at once', async () => {
    const cards = await Promise.all(Array.from({ length: 5 }, async () => (await makeVirtualCard(bank, account)).id))
    const replies = await Promise.all(cards.map((id) => put(id, 'wanted')))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409])
  })
})
