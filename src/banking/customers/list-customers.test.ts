import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makeCustomer } from '../../../test/support/world.ts'

let bank: TestBank
let made: string[]

beforeAll(async () => {
  bank = await openTestBank()
  made = [await makeCustomer(bank), await makeCustomer(bank), await makeCustomer(bank)]
})
afterAll(() => bank.close())

const idsOf = async (query: string) =>
  (await bank.call('GET', `/v0/banking/customers${query}`)).json.data.map(({ id }: { id: string }) => id)

describe('list customers', () => {
  test('answers complete customers, newest first', async () => {
    const { status, json } = await bank.call('GET', '/v0/banking/customers')
    const single = await Promise.all(made.toReversed().map((id) => bank.call('GET', `/v0/banking/customers/${id}`)))
    expect([status, json.data]).toEqual([200, single.map((reply) => reply.json.data)])
  })

  test('sorts, limits and skips customers', async () => {
    expect(await idsOf('?sort=createdAt')).toEqual(made)
    expect(await idsOf('?sort=CREATEDAT&limit=1&offset=1')).toEqual([made[1]])
    expect(await idsOf('?offset=3')).toEqual([])
  })

  test('lists no customer of another organisation', async () => {
    const { json } = await bank.call('GET', '/v0/banking/customers', { key: bank.otherKey })
    expect(json.data).toEqual([])
  })
})
