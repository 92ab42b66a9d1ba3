import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cardStatuses, makeCard, makeCardIn, makeVirtualCard } from '../../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makeAccount } from '../../../test/support/world.ts'

let bank: TestBank
let account: string

beforeAll(async () => {
  bank = await openTestBank()
  account = await makeAccount(bank)
})
afterAll(() => bank.close())

const get = (id: string, key = bank.key) => bank.call('GET', `/v0/banking/cards/${id}`, { key })

describe('get card', () => {
  test('answers a physical and a virtual card as they were created', async () => {
    for (const created of [await makeCard(bank, account), await makeVirtualCard(bank, account)]) {
      const { status, json } = await get(created.id)
      expect([status, json]).toEqual([200, { data: created }])
    }
  })

  test('reads a card in every state', async () => {
    for (const status of cardStatuses) {
      const { id } = await makeCardIn(bank, status, account)
      expect((await get(id)).json.data.status).toBe(status)
    }
  })

  test('refuses an unknown card, the id of another record and a card of another organisation', async () => {
    const { id } = await makeCard(bank, account)
    for (const reply of [await get('1000'), await get(account), await get(id, bank.otherKey)]) {
      expect([reply.status, reply.json.code]).toEqual([404, 'card_not_found'])
      expect(reply.json.detail).toContain('POST /v0/banking/cards')
    }
  })
})
