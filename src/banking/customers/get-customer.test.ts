import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makeAccount } from '../../../test/support/world.ts'

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

describe('get customer', () => {
  test('answers the customer as it was created', async () => {
    const created = await bank.call('POST', '/v0/sandbox/customers', {
      body: { name: 'Ada Example', email: 'ada@example.com' },
    })
    const { status, json } = await bank.call('GET', `/v0/banking/customers/${created.json.data.id}`)
    expect([status, json]).toEqual([200, created.json])
  })

  test('refuses an unknown id and the id of another kind of record', async () => {
    for (const id of ['1000', await makeAccount(bank)]) {
      const { json } = await bank.call('GET', `/v0/banking/customers/${id}`)
      expect(json).toMatchObject({ status: 404, code: 'customer_not_found' })
    }
  })
})
