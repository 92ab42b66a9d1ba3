import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/harness.ts'
import { makeCustomer } from '../../../test/world.ts'

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

describe('B16 get account', () => {
  test('answers the account as it was created', async () => {
    const customerId = await makeCustomer(bank)
    const created = await bank.call('POST', '/v0/banking/accounts', { body: { customerId, tags: { a: 'b' } } })
    const { status, json } = await bank.call('GET', `/v0/banking/accounts/${created.json.data.id}`)
    expect(status).toBe(200)
    expect(json).toEqual(created.json)
  })

  test('answers many at once, each its own', async () => {
    const customerId = await makeCustomer(bank)
    const made = await Promise.all(
      Array.from({ length: 30 }, () => bank.call('POST', '/v0/banking/accounts', { body: { customerId } })),
    )
    const read = await Promise.all(made.map(({ json }) => bank.call('GET', `/v0/banking/accounts/${json.data.id}`)))
    expect(read.map(({ json }) => json)).toEqual(made.map(({ json }) => json))
  })

  test('refuses an unknown id and the id of another kind of record', async () => {
    for (const id of ['1000', await makeCustomer(bank)]) {
      const { status, json } = await bank.call('GET', `/v0/banking/accounts/${id}`)
      expect([status, json.code]).toEqual([404, 'account_not_found'])
    }
  })
})
