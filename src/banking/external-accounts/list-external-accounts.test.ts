import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makeExternalAccount } from '../../../test/support/ledger.ts'
import { makeCustomer } from '../../../test/support/world.ts'

let bank: TestBank
let customerId: string
let one: string
let two: string
let three: string

beforeAll(async () => {
  bank = await openTestBank()
  customerId = await makeCustomer(bank)
  one = await makeExternalAccount(bank, customerId)
  two = await makeExternalAccount(bank, customerId, { routingNumber: '011401533' })
  three = await makeExternalAccount(bank, customerId, { routingNumber: '011401533', accountNumber: '007' })
  const deleted = await makeExternalAccount(bank, customerId)
  await bank.call('DELETE', `/v0/banking/external-accounts/${deleted}`)
  await makeExternalAccount(bank, await makeCustomer(bank))
})
afterAll(() => bank.close())

const list = (query = '', id = customerId, key = bank.key) =>
  bank.call('GET', `/v0/banking/customers/${id}/external-accounts${query}`, { key })
const idsOf = async (query: string) => (await list(query)).json.data.map(({ id }: { id: string }) => id)

describe('list external accounts', () => {
  test('answers complete accounts, oldest first, without the deleted ones', async () => {
    const { status, json } = await list()
    expect(status).toBe(200)
    expect(json.data.map(({ id }: { id: string }) => id)).toEqual([one, two, three])
    expect(json.data[0]).toEqual({
      id: one,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      name: 'Grace Sample',
      routingNumber: '021000021',
      bank: 'JPMorgan Chase',
      accountNumber: '9876543210',
      accountType: 'Checking',
      type: 'Person',
      permissions: 'CreditOnly',
      customerId,
    })
  })

  test('filters by routing number, by account number and by both', async () => {
    expect(await idsOf('?routingNumber=011401533')).toEqual([two, three])
    expect(await idsOf('?accountNumber=9876543210')).toEqual([one, two])
    expect(await idsOf('?routingNumber=011401533&accountNumber=007')).toEqual([three])
    expect(await idsOf('?accountNumber=7')).toEqual([])
    expect(await idsOf('?routingNumber=anything')).toEqual([])
  })

  test('sorts, limits and skips, and links to the next page', async () => {
    expect(await idsOf('?sort=-createdAt')).toEqual([three, two, one])
    expect(await idsOf('?sort=createdAt')).toEqual([one, two, three])
    expect(await idsOf('?limit=1&offset=1')).toEqual([two])
    const { headers } = await list('?limit=2')
    const [, next = ''] =
      /^<\/v0\/banking\/customers\/\d+\/external-accounts(.*)>; rel="next"$/.exec(String(headers.link)) ?? []
    expect(next).toMatch(/^\?limit=2&cursor=[\w-]{32}$/)
    expect(await idsOf(next)).toEqual([three])
    expect((await list('?limit=2&offset=1')).headers.link).toBeUndefined()
  })

  test('answers an empty list for a customer without external accounts', async () => {
    const { status, json } = await list('', await makeCustomer(bank))
    expect([status, json]).toEqual([200, { data: [] }])
  })

  test('refuses an unknown customer and one of another organisation', async () => {
    for (const id of ['1000', 'abc', one]) {
      const { status, json } = await list('', id)
      expect([status, json.code]).toEqual([404, 'customer_not_found'])
    }
    const foreign = await list('', customerId, bank.otherKey)
    expect([foreign.status, foreign.json.code]).toEqual([404, 'customer_not_found'])
  })
})
