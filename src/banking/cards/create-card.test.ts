import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ask, getCard, shippingAddress, timestamp } from '../../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makeAccount, makeCustomer } from '../../../test/support/world.ts'

let bank: TestBank
let account: string

beforeAll(async () => {
  bank = await openTestBank()
  account = await makeAccount(bank)
})
afterAll(() => bank.close())

const create = (body: Record<string, unknown>) =>
  bank.call('POST', '/v0/banking/cards', { body: { accountId: account, ...body } })
const physical = (body: Record<string, unknown> = {}) =>
  create({ type: 'individualDebitCard', shippingAddress, ...body })
const virtual = (body: Record<string, unknown> = {}) => create({ type: 'individualVirtualDebitCard', ...body })
const shippedTo = (address: Record<string, unknown>) => physical({ shippingAddress: address })

describe('B5 create card', () => {
  test('creates a physical card, which is inactive at first', async () => {
    const { status, json } = await physical()
    expect(status).toBe(201)
    expect(json).toEqual({
      data: {
        id: expect.stringMatching(/^[1-9]\d{6,}$/),
        accountId: account,
        createdAt: expect.stringMatching(timestamp),
        last4Digits: expect.stringMatching(/^\d{4}$/),
        expirationDate: expect.stringMatching(/^\d{4}-\d\d$/),
        status: 'Inactive',
        type: 'individualDebitCard',
        design: 'default',
        shippingAddress,
      },
    })
    expect(await getCard(bank, json.data.id)).toEqual(json.data)
  })

  test('creates a virtual card, which is active at once and has no design or address', async () => {
    const { status, json } = await virtual()
    expect(status).toBe(201)
    expect(json).toEqual({
      data: {
        id: expect.stringMatching(/^[1-9]\d{6,}$/),
        accountId: account,
        createdAt: expect.stringMatching(timestamp),
        last4Digits: expect.stringMatching(/^\d{4}$/),
        expirationDate: expect.stringMatching(/^\d{4}-\d\d$/),
        status: 'Active',
        type: 'individualVirtualDebitCard',
      },
    })
    expect(await getCard(bank, json.data.id)).toEqual(json.data)
  })

  test('creates a card that expires after four years', async () => {
    for (const make of [physical, virtual]) {
      const { createdAt, expirationDate } = (await make()).json.data
      expect(expirationDate).toBe(`${Number(createdAt.slice(0, 4)) + 4}${createdAt.slice(4, 7)}`)
    }
  })

  test('creates a card for the owner of the account only', async () => {
    const { customerId } = await ask(bank, 'GET', `/v0/banking/accounts/${account}`)
    for (const make of [physical, virtual]) {
      expect((await make({ customerId })).status).toBe(201)
      expect((await make({ customerId: null })).status).toBe(201)
      for (const other of [await makeCustomer(bank), '9999999', 'Ada', '']) {
        const { status, json } = await make({ customerId: other })
        expect([status, json.code], other).toEqual([404, 'customer_not_found'])
      }
    }
    expect((await virtual({ accountId: '9999999', customerId })).json.code).toBe('account_not_found')
  })

  test('stores no card number', async () => {
    await physical()
    for (const { row } of await bank.database.query<{ row: string }>('select c::text as row from card c')) {
      expect(row).not.toMatch(/\d{12}/)
    }
  })

  test('accepts a design of 1 to 50 characters', async () => {
    for (const design of ['a', 'd'.repeat(50), '😀'.repeat(50)]) {
      expect((await physical({ design })).json.data.design).toBe(design)
    }
    for (const design of ['', 'd'.repeat(51), 1]) {
      const { status, json } = await physical({ design })
      expect([status, json.errors[0].pointer], JSON.stringify(design)).toEqual([400, '/design'])
    }
    expect((await physical({ design: null })).json.data.design).toBe('default')
  })

  test('stores up to 15 tags and refuses 16', async () => {
    const pairs = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, 'v']))
    const { status, json } = await physical({ tags: pairs(15) })
    expect(status).toBe(201)
    expect(await bank.database.query('select tags from card where id = $1', [json.data.id])).toEqual([
      { tags: pairs(15) },
    ])
    expect((await virtual({ tags: pairs(16) })).json).toMatchObject({ status: 400, errors: [{ pointer: '/tags' }] })
  })

  test('reports a design and an address of a virtual card together', async () => {
    const { status, json } = await virtual({ design: 'default', shippingAddress })
    expect([status, json.code]).toEqual([400, 'invalid_request'])
    expect(json.errors).toEqual([
      { pointer: '/design', code: 'unknown', message: expect.stringContaining('design is not known') },
      {
        pointer: '/shippingAddress',
        code: 'unknown',
        message: expect.stringContaining('shippingAddress is not known'),
      },
    ])
  })

  test('refuses a physical card without an address, and any other type', async () => {
    expect((await create({ type: 'individualDebitCard' })).json).toMatchObject({
      status: 400,
      errors: [{ pointer: '/shippingAddress', code: 'required' }],
    })
    for (const type of ['businessDebitCard', 'IndividualDebitCard', '', null, undefined]) {
      const { status, json } = await create({ type, shippingAddress })
      expect([status, json.errors[0].pointer], String(type)).toEqual([400, '/type'])
    }
  })

  test('refuses an unknown account and names the operation that creates one', async () => {
    for (const accountId of ['1000', 'abc', '', await makeCustomer(bank)]) {
      const { status, json } = await physical({ accountId })
      expect([status, json.code]).toEqual([404, 'account_not_found'])
      expect(json.detail).toContain('POST /v0/banking/accounts')
    }
  })

  test('refuses an account of another organisation', async () => {
    const { status, json } = await bank.call('POST', '/v0/banking/cards', {
      key: bank.otherKey,
      body: { type: 'individualVirtualDebitCard', accountId: account },
    })
    expect([status, json.code]).toEqual([404, 'account_not_found'])
  })

  test('refuses an account that is frozen or closed', async () => {
    const accountId = await makeAccount(bank)
    await ask(bank, 'POST', `/v0/banking/accounts/${accountId}/freeze`)
    for (const make of [physical, virtual]) {
      expect((await make({ accountId })).json).toMatchObject({ status: 409, code: 'account_not_open' })
    }
    await ask(bank, 'POST', `/v0/banking/accounts/${accountId}/close`, { reason: 'ByCustomer' })
    for (const make of [physical, virtual]) {
      expect((await make({ accountId })).json).toMatchObject({ status: 409, code: 'account_not_open' })
    }
    expect(await ask(bank, 'GET', `/v0/banking/cards?accountId=${accountId}`)).toEqual([])
  })
})

describe('a shipping address', () => {
  const { street, street2: _apartment, city, state, postalCode, country } = shippingAddress
  const least = { street, city, state, postalCode }

  test('is answered as it was sent, with its members in the same order', async () => {
    for (const address of [shippingAddress, { country, postalCode, state, city, street2: 'Apt 2', street }]) {
      const { text, json } = await shippedTo(address)
      expect(text).toContain(JSON.stringify(address))
      expect((await bank.call('GET', `/v0/banking/cards/${json.data.id}`)).text).toBe(text)
    }
  })

  test('is in the United States unless it says otherwise', async () => {
    for (const address of [least, { ...least, country: null }]) {
      expect((await shippedTo(address)).json.data.shippingAddress).toEqual({ ...least, country: 'US' })
    }
    const abroad = { street: 'Hauptstraße 1', city: 'Wien', state: 'Wien', postalCode: 'A-1010', country: 'AT' }
    expect((await shippedTo(abroad)).json.data.shippingAddress).toEqual(abroad)
  })

  test('can have a second line, which can be empty or null', async () => {
    const us = { ...least, country: 'US' }
    expect((await shippedTo(us)).json.data.shippingAddress).toEqual(us)
    expect((await shippedTo({ ...us, street2: '' })).json.data.shippingAddress).toEqual({ ...us, street2: '' })
    expect((await shippedTo({ ...us, street2: null })).json.data.shippingAddress).toEqual(us)
  })

  test('requires street, city, state and postal code', async () => {
    for (const name of Object.keys(least)) {
      for (const value of [undefined, null, '', 1]) {
        const { status, json } = await shippedTo({ ...shippingAddress, [name]: value })
        expect([status, json.errors[0].pointer], `${name} ${value}`).toEqual([400, `/shippingAddress/${name}`])
      }
    }
  })

  test('has members of limited length and a country of two letters', async () => {
    const abroad = { ...shippingAddress, country: 'GB' }
    for (const [name, most] of Object.entries({ street: 255, street2: 255, city: 255, state: 255, postalCode: 20 })) {
      const edge = { ...abroad, [name]: '😀'.repeat(most) }
      expect((await shippedTo(edge)).json.data.shippingAddress).toEqual(edge)
      const { status, json } = await shippedTo({ ...abroad, [name]: 'x'.repeat(most + 1) })
      expect([status, json.errors[0].pointer]).toEqual([400, `/shippingAddress/${name}`])
    }
    for (const other of ['us', 'USA', 'U', '']) {
      const { status, json } = await shippedTo({ ...shippingAddress, country: other })
      expect([status, json.errors[0].pointer], String(other)).toEqual([400, '/shippingAddress/country'])
    }
  })
})

describe('a shipping address in the United States', () => {
  test('has a two-letter state', async () => {
    for (const state of ['IL', 'DC', 'PR']) {
      expect((await shippedTo({ ...shippingAddress, state })).status, state).toBe(201)
    }
    for (const state of ['I', 'ILL', 'Illinois', '12', 'I1']) {
      const { status, json } = await shippedTo({ ...shippingAddress, state })
      expect([status, json.errors?.[0].pointer], state).toEqual([400, '/shippingAddress/state'])
    }
  })

  test('has a ZIP or a ZIP+4', async () => {
    for (const postalCode of ['62701', '00501', '62701-1234']) {
      expect((await shippedTo({ ...shippingAddress, postalCode })).status, postalCode).toBe(201)
    }
    for (const postalCode of ['6270', '627011', '62701-', '62701-123', '62701-12345', '627011234', 'A-1010', '6270l']) {
      const { status, json } = await shippedTo({ ...shippingAddress, postalCode })
      expect([status, json.errors?.[0].pointer], postalCode).toEqual([400, '/shippingAddress/postalCode'])
    }
  })

  test('is checked without a country as well, and all faults are reported together', async () => {
    const { street, city } = shippingAddress
    const { status, json } = await shippedTo({ street, city, state: 'Illinois', postalCode: 'A-1010' })
    expect(status).toBe(400)
    expect(json.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual([
      '/shippingAddress/postalCode',
      '/shippingAddress/state',
    ])
  })
})
