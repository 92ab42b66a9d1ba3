import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { atLast } from '../../../test/support/bank/at-last.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makeCustomer } from '../../../test/support/world.ts'

let bank: TestBank
let customer: string

beforeAll(async () => {
  bank = await openTestBank()
  customer = await makeCustomer(bank, { name: 'Ada Example' })
})
afterAll(() => bank.close())

const create = (body: unknown) => bank.call('POST', '/v0/banking/accounts', { body })
const createAtLast = (key: string) => {
  const headers = { 'idempotency-key': key }
  return atLast(() => bank.call('POST', '/v0/banking/accounts', { body: { customerId: customer }, headers }))
}

describe('B14 create account', () => {
  test('opens an empty checking account in the name of the customer', async () => {
    const before = Date.now()
    const { status, json } = await create({ customerId: customer })
    expect(status).toBe(201)
    expect(json).toEqual({
      data: {
        id: expect.stringMatching(/^[1-9]\d{6,}$/),
        type: 'depositAccount',
        customerId: customer,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        name: 'Ada Example',
        depositProduct: 'checking',
        routingNumber: '812345678',
        accountNumber: expect.stringMatching(/^\d{10,12}$/),
        currency: 'USD',
        available: 0,
        balance: 0,
        hold: 0,
        status: 'Open',
        tags: {},
      },
    })
    expect(Math.abs(Date.parse(json.data.createdAt) - before)).toBeLessThan(60_000)
  })

  test('gives each account an id and an account number of its own', async () => {
    const made = await Promise.all(Array.from({ length: 120 }, (_, number) => createAtLast(`one-of-many-${number}`)))
    expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(made.map(({ json }) => json.data.id)).size).toBe(120)
    expect(new Set(made.map(({ json }) => json.data.accountNumber)).size).toBe(120)
    expect(new Set(made.map(({ json }) => json.data.id))).not.toContain(customer)
  })

  test('answers tags as they were sent', async () => {
    const tags = { purpose: 'savings', empty: '', 'ключ 😀': 'значение', ['n'.repeat(255)]: 'v'.repeat(255) }
    const { json } = await create({ customerId: customer, tags })
    expect(json.data.tags).toEqual(tags)
    expect((await bank.call('GET', `/v0/banking/accounts/${json.data.id}`)).json.data.tags).toEqual(tags)
  })

  test('accepts up to 15 tags with names and values of up to 255 characters', async () => {
    const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, 'v']))
    expect((await create({ customerId: customer, tags: pairs(15) })).status).toBe(201)
    expect((await create({ customerId: customer, tags: null })).json.data.tags).toEqual({})
    for (const tags of [pairs(16), { ['n'.repeat(256)]: 'v' }, { '': 'v' }, { n: 'v'.repeat(256) }, { n: 1 }]) {
      const { status, json } = await create({ customerId: customer, tags })
      expect([status, json.errors[0].pointer.startsWith('/tags')], JSON.stringify(tags)).toEqual([400, true])
    }
  })

  test('refuses an unknown customer and names the operation that creates one', async () => {
    for (const customerId of ['1000', 'abc', '']) {
      const { status, json } = await create({ customerId })
      expect([status, json.code]).toEqual([404, 'customer_not_found'])
      expect(json.detail).toContain('POST /v0/sandbox/customers')
    }
  })

  test("refuses an account's id in place of a customer's", async () => {
    const { json } = await create({ customerId: customer })
    expect((await create({ customerId: json.data.id })).json.code).toBe('customer_not_found')
  })
})
