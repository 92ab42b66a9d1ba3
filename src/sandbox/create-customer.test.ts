import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

const create = (body: unknown) => bank.call('POST', '/v0/sandbox/customers', { body })

const address = {
  street: '1 Sample Street',
  street2: 'Apt 2',
  city: 'Springfield',
  state: 'IL',
  postalCode: '62701',
  country: 'US',
}

describe('create customer', () => {
  test('creates a customer who is active at once', async () => {
    const { status, json } = await create({ name: 'Ada Example' })
    expect(status).toBe(201)
    expect(json).toEqual({
      data: {
        id: expect.stringMatching(/^[1-9]\d{6,}$/),
        type: 'individualCustomer',
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        name: 'Ada Example',
        email: null,
        phone: null,
        address: null,
        status: 'Active',
        tags: {},
      },
    })
  })

  test('answers every member as it was sent', async () => {
    const body = { name: 'Ада 😀', email: 'ada@example.com', phone: '+12125550123', address }
    const { json } = await create(body)
    expect(json.data).toMatchObject(body)
    expect((await bank.call('GET', `/v0/banking/customers/${json.data.id}`)).json).toEqual(json)
  })

  test('accepts an address with its required members only', async () => {
    const { street, city, state, postalCode } = address
    for (const sent of [
      { street, city, state, postalCode },
      { ...address, street2: null },
      { ...address, street2: '' },
    ]) {
      expect((await create({ name: 'Ada', address: sent })).json.data.address).toEqual(sent)
    }
  })

  test('counts the characters of a name as code points, 1 to 255', async () => {
    for (const name of ['A', '😀'.repeat(255)]) expect((await create({ name })).json.data.name).toBe(name)
    for (const name of ['', '😀'.repeat(256), 'e\u0301'.repeat(128)]) {
      const { status, json } = await create({ name })
      expect([status, json.errors[0].pointer]).toEqual([400, '/name'])
    }
  })

  test('refuses an invalid e-mail address, phone number or country', async () => {
    const wrong: [pointer: string, body: Record<string, unknown>][] = [
      ...['ada', '@', 'a@', '@b', 'a b@c', 'a@b@c', `${'a'.repeat(250)}@b.co`].map(
        (email): [string, Record<string, unknown>] => ['/email', { email }],
      ),
      ...['12125550123', '+0212', '+1', '+1234567890123456', '+1 212 555'].map(
        (phone): [string, Record<string, unknown>] => ['/phone', { phone }],
      ),
      ...['us', 'USA', ''].map((country): [string, Record<string, unknown>] => [
        '/address/country',
        { address: { ...address, country } },
      ]),
      ['/address/city', { address: { ...address, city: undefined } }],
    ]
    for (const [pointer, body] of wrong) {
      const { status, json } = await create({ name: 'Ada', ...body })
      expect([status, json.errors?.[0]?.pointer], JSON.stringify(body)).toEqual([400, pointer])
    }
  })
})
