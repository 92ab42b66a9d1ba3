import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask } from '../../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makeAccount, makeCustomer } from '../../../test/support/world.ts'

let bank: TestBank
let customerId: string

beforeAll(async () => {
  bank = await openTestBank()
  customerId = await makeCustomer(bank)
})
afterAll(() => bank.close())

const body = {
  type: 'Person',
  name: 'Grace Sample',
  routingNumber: '021000021',
  accountNumber: '9876543210',
  accountType: 'Checking',
}
const create = (changes: Record<string, unknown> = {}, id = customerId, key = bank.key) =>
  bank.call('POST', `/v0/banking/customers/${id}/external-accounts`, { key, body: { ...body, ...changes } })

describe('create external account', () => {
  test('answers the account with its bank and its customer', async () => {
    const { status, json } = await create()
    expect(status).toBe(201)
    expect(json).toEqual({
      data: {
        id: expect.stringMatching(/^[1-9]\d{6,}$/),
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        name: 'Grace Sample',
        routingNumber: '021000021',
        bank: 'JPMorgan Chase',
        accountNumber: '9876543210',
        accountType: 'Checking',
        type: 'Person',
        permissions: 'CreditOnly',
        customerId,
      },
    })
  })

  test('accepts every type of account and holder, and the permissions CreditOnly', async () => {
    for (const accountType of ['Checking', 'Savings', 'Loan']) {
      for (const type of ['Business', 'Person', 'Unknown']) {
        const { status, json } = await create({ accountType, type, permissions: 'CreditOnly' })
        expect([status, json.data.accountType, json.data.type]).toEqual([201, accountType, type])
      }
    }
  })

  test('creates two records for the same account', async () => {
    const [one, two] = [await create(), await create()]
    expect([one.status, two.status]).toEqual([201, 201])
    expect(two.json.data.id).not.toBe(one.json.data.id)
  })

  test('answers Unknown Bank for a routing number that is not well known', async () => {
    expect((await create({ routingNumber: '999999992' })).json.data.bank).toBe('Unknown Bank')
  })

  test("answers the bank's own name for its own routing number", async () => {
    const { routingNumber, accountNumber } = await ask(bank, 'GET', `/v0/banking/accounts/${await makeAccount(bank)}`)
    expect((await create({ routingNumber, accountNumber })).json.data.bank).toBe('Purser')
  })

  test('answers a name of 1 to 50 characters and a number of 1 to 17 digits as they were sent', async () => {
    for (const changes of [
      { name: 'G', accountNumber: '0' },
      { name: '😀'.repeat(50), accountNumber: '00000000000000001' },
    ]) {
      expect((await create(changes)).json.data).toMatchObject(changes)
    }
  })

  test.each([
    ['/name', { name: '' }],
    ['/name', { name: 'x'.repeat(51) }],
    ['/name', { name: undefined }],
    ['/routingNumber', { routingNumber: '02100002' }],
    ['/routingNumber', { routingNumber: '0210000210' }],
    ['/routingNumber', { routingNumber: '02100002x' }],
    ['/routingNumber', { routingNumber: 21_000_021 }],
    ['/accountNumber', { accountNumber: '' }],
    ['/accountNumber', { accountNumber: '123456789012345678' }],
    ['/accountNumber', { accountNumber: '12 34' }],
    ['/accountType', { accountType: 'checking' }],
    ['/accountType', { accountType: undefined }],
    ['/type', { type: 'Robot' }],
    ['/permissions', { permissions: 'DebitOnly' }],
    ['/bank', { bank: 'Mine' }],
  ] as [string, Record<string, unknown>][])('refuses %s: %j', async (pointer, changes) => {
    const { status, json } = await create(changes)
    expect([status, json.errors?.[0]?.pointer]).toEqual([400, pointer])
  })

  test('refuses an unknown customer and one of another organisation', async () => {
    for (const id of ['1000', 'abc']) {
      const { status, json } = await create({}, id)
      expect([status, json.code]).toEqual([404, 'customer_not_found'])
    }
    const foreign = await create({}, customerId, bank.otherKey)
    expect([foreign.status, foreign.json.code]).toEqual([404, 'customer_not_found'])
  })
})

describe('the checksum of a routing number', () => {
  test('is not checked in sandbox mode', async () => {
    expect((await create({ routingNumber: '123456789' })).status).toBe(201)
  })

  test('is checked in live mode, and nothing is stored where it is wrong', async () => {
    const live = await openTestBank({ mode: 'live' })
    // Live mode has no operation that creates a customer.
    await live.database.query(
      `insert into customer (id, organisation_id, created_at, name, status)
       select 2000000, id, now(), 'Ada Example', 'Active' from organisation where name = 'first'`,
    )
    const path = '/v0/banking/customers/2000000/external-accounts'
    for (const [routingNumber, expected] of [
      ['021000021', 201],
      ['011401533', 201],
      ['000000000', 201],
      ['021000022', 422],
      ['012000021', 422],
      ['123456789', 422],
    ]) {
      const { status, json } = await live.call('POST', path, { body: { ...body, routingNumber } })
      expect([status, json.code], String(routingNumber)).toEqual([
        expected,
        expected === 422 ? 'invalid_routing_number' : undefined,
      ])
    }
    expect((await live.call('GET', path)).json.data).toHaveLength(3)
    await live.close()
  })
})
