import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makeCustomer } from '../../../test/support/world.ts'

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

  test('answers the same bytes as the other operations, whatever the account holds', async () => {
    const customerId = await makeCustomer(bank)
    const made = async (tags: Record<string, string> = {}) => {
      const { json, headers } = await bank.call('POST', '/v0/banking/accounts', { body: { customerId, tags } })
      const read = await bank.call('GET', `/v0/banking/accounts/${json.data.id}`)
      expect(read.headers.etag).toBe(headers.etag)
      return Number(json.data.id)
    }
    const ids = [
      await made(),
      await made({ 'b "c" \\': 'é 漢 🙂', a: '', aa: '{"x": 1, "y": 2}' }),
      await made({ purpose: 'savings' }),
    ]
    const shapes = [
      `name = e'"\\\\ \\b\\f\\n\\r\\t\\x01\\x1f\\x7f </script> é 漢 🙂 \\u2028', created_at = '2024-02-29 23:59:59.000Z'`,
      `name = 'null', balance = -9007199254740991, status = 'Frozen', created_at = '1999-12-31 23:59:59.999Z'`,
      `name = '', balance = 9007199254740991, hold = 1, status = 'Closed', close_reason = 'ByCustomer'`,
    ]
    for (const [place, shape] of shapes.entries()) {
      await bank.database.query(`update account set ${shape} where id = $1::bigint`, [ids[place]])
    }
    const listed = await bank.call('GET', `/v0/banking/accounts?customerId=${customerId}`)
    expect(listed.json.data).toHaveLength(3)
    for (const account of listed.json.data) {
      const { text } = await bank.call('GET', `/v0/banking/accounts/${account.id}`)
      expect(text).toBe(`{"data":${JSON.stringify(account)}}`)
      expect(listed.text).toContain(JSON.stringify(account))
    }
  })

  test('answers each of many concurrent requests with its own account', async () => {
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
