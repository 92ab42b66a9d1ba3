import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, authorize, cardStatuses, getCard, makeCard, makeCardIn, makeFunded } from '../../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makeAccount } from '../../../test/support/world.ts'

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

const activate = (id: string, key = bank.key) => bank.call('POST', `/v0/banking/cards/${id}/activate`, { key })

describe('activate card', () => {
  test('activates an inactive card and answers it', async () => {
    const card = await makeCard(bank, await makeFunded(bank, 100_00))
    expect(await authorize(bank, card.id, 1_00)).toMatchObject({ status: 'Declined', reason: 'CardNotActive' })
    const { status, json } = await activate(card.id)
    expect([status, json]).toEqual([200, { data: { ...card, status: 'Active' } }])
    expect(await getCard(bank, card.id)).toEqual(json.data)
    expect(await authorize(bank, card.id, 1_00)).toMatchObject({ status: 'Authorized' })
  })

  test('refuses a card in any other state', async () => {
    for (const from of cardStatuses.filter((status) => status !== 'Inactive')) {
      const card = await makeCardIn(bank, from)
      expect((await activate(card.id)).json, from).toMatchObject({ status: 409, code: 'card_wrong_state' })
      expect(await getCard(bank, card.id)).toEqual(card)
    }
  })

  test('refuses a card of an account that is not open', async () => {
    const account = await makeAccount(bank)
    const card = await makeCard(bank, account)
    await ask(bank, 'POST', `/v0/banking/accounts/${account}/freeze`)
    expect((await activate(card.id)).json).toMatchObject({ status: 409, code: 'account_not_open' })
    expect(await getCard(bank, card.id)).toEqual(card)
    await ask(bank, 'POST', `/v0/banking/accounts/${account}/unfreeze`)
    expect((await activate(card.id)).json.data.status).toBe('Active')
  })

  test('refuses a card that ended with its account, even after the account is open again', async () => {
    const account = await makeAccount(bank)
    const { id } = await makeCard(bank, account)
    await ask(bank, 'POST', `/v0/banking/accounts/${account}/close`, { reason: 'ByCustomer' })
    expect((await activate(id)).json).toMatchObject({ status: 409, code: 'card_wrong_state' })
    await ask(bank, 'POST', `/v0/banking/accounts/${account}/reopen`)
    expect((await activate(id)).json).toMatchObject({ status: 409, code: 'card_wrong_state' })
    expect((await getCard(bank, id)).status).toBe('ClosedByCustomer')
  })

  test('refuses an unknown card and one of another organisation', async () => {
    const { id } = await makeCard(bank, await makeAccount(bank))
    for (const reply of [await activate('1000'), await activate(id, bank.otherKey)]) {
      expect(reply.json).toMatchObject({ status: 404, code: 'card_not_found' })
    }
    expect((await getCard(bank, id)).status).toBe('Inactive')
  })
})
