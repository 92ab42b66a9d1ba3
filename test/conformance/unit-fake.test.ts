import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type FakeUnit, openFakeUnit } from '../support/fakes/unit.ts'
import {
  type Example,
  examplesOf,
  faultsOfRecord,
  shapes,
  transactionTypes,
  type UnitType,
} from '../support/fakes/unit-shapes.ts'

const types = Object.keys(shapes) as UnitType[]

describe('the table of shapes', () => {
  test('has every type of transaction, and every example has the shape of its type', () => {
    expect(transactionTypes).toHaveLength(38)
    for (const type of types) {
      const examples = examplesOf(type)
      expect(examples.slice(0, 4).map(({ what }) => what)).toEqual(['full', 'minimal', 'null', 'additional'])
      for (const { what, record } of examples) {
        const faults = faultsOfRecord(record).filter((fault) => !fault.includes('/addedLater '))
        expect(faults, `${type} ${what}`).toEqual([])
      }
    }
  })

  test('finds a member that is missing, unknown or of another kind', () => {
    for (const type of types) {
      const { record } = examplesOf(type)[0] as Example
      for (const part of ['attributes', 'relationships'] as const) {
        expect(faultsOfRecord({ ...record, [part]: { ...record[part], more: 1 } })).toEqual([
          `/${part}/more is unknown`,
        ])
        for (const { name, optional } of shapes[type][part]) {
          if (!(name in record[part])) continue
          const { [name]: _left, ...rest } = record[part]
          expect(faultsOfRecord({ ...record, [part]: rest })).toHaveLength(optional ? 0 : 1)
          expect(faultsOfRecord({ ...record, [part]: { ...rest, [name]: Number.NaN } })).toHaveLength(1)
        }
      }
      expect(faultsOfRecord({ ...record, id: shapes[type].hasId ? 'one' : '1' })).toHaveLength(1)
      expect(faultsOfRecord({ ...record, type: 'unheardOf' })).toHaveLength(1)
    }
  })
})

describe('the fake of Unit', () => {
  let fake: FakeUnit
  let accountId: string
  let cardId: string
  beforeAll(async () => {
    fake = await openFakeUnit()
    const { id } = fake.addCustomer()
    accountId = (await made('/accounts', 'depositAccount', { depositProduct: 'checking' }, { customer: id })).id
    fake.fund(accountId, 1_000_00)
    cardId = (await made('/cards', 'individualDebitCard', { shippingAddress }, { account: accountId })).id
    fake.activate(cardId)
  })
  afterAll(() => fake.close())

  const shippingAddress = {
    ...{ street: '1 Sample Street', city: 'Springfield', state: 'IL', postalCode: '62701', country: 'US' },
  }
  const person = {
    ...{ fullName: { first: 'Ada', last: 'Example' }, email: 'ada@example.com', dateOfBirth: '1990-01-31' },
    ...{ phone: { countryCode: '1', number: '2125550123' }, address: shippingAddress },
  }

  async function call(method: string, path: string, body?: object | Buffer, type = 'application/vnd.api+json') {
    const authorization = `Bearer ${fake.token}`
    const response = await fetch(`${fake.url}${path}`, {
      method,
      headers: { authorization, ...(body && { 'content-type': type }) },
      ...(body && { body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body) }),
    })
    const text = await response.text()
    const json = text.startsWith('{') ? JSON.parse(text) : undefined
    return { status: response.status, headers: response.headers, json }
  }

  let keys = 0
  async function made(path: string, type: string, attributes: object, related: Record<string, string> = {}) {
    const relationships = Object.fromEntries(
      Object.entries(related).map(([name, id]) => [name, { data: { type: name.replace('counterpartyA', 'a'), id } }]),
    )
    const idempotencyKey = `key-${++keys}`
    const isRelated = Object.keys(related).length > 0
    const data = { type, attributes: { ...attributes, idempotencyKey }, ...(isRelated && { relationships }) }
    const { status, json } = await call('POST', path, { data })
    expect(status, JSON.stringify(json)).toBe(201)
    return json.data
  }

  async function code(method: string, path: string, body?: object | Buffer, type?: string) {
    const { status, json } = await call(method, path, body, type)
    return [status, json?.errors?.[0]?.code]
  }

  test('answers every creation and change in the shapes of the table', async () => {
    const { id: customerId } = fake.addCustomer()
    const other = await made('/accounts', 'depositAccount', { depositProduct: 'savings' }, { customer: customerId })
    const counterparty = await made(
      '/counterparties',
      'achCounterparty',
      {
        ...{ name: 'Grace Sample', type: 'Person', accountType: 'Checking' },
        ...{ routingNumber: '021000021', accountNumber: '1' },
      },
      { customer: fake.books.get('accounts', accountId).relationships.customer.data.id },
    )
    const ach = { amount: 5_00, direction: 'Credit', description: 'Rent', tags: { purpose: 'rent' } }
    const paid = await made('/payments', 'achPayment', ach, { account: accountId, counterparty: counterparty.id })
    const related = { account: accountId, counterpartyAccount: other.id }
    const moved = await made('/payments', 'bookPayment', { amount: 5_00, description: 'Gift' }, related)
    fake.rejectPayments = 'CounterpartyUnknown'
    const rejected = await made('/payments', 'bookPayment', { amount: 5_00, description: 'Gift' }, related)
    fake.rejectPayments = undefined
    expect([rejected.attributes.status, rejected.relationships.transaction]).toEqual(['Rejected', undefined])
    const [sent, debit, credit] = fake.books.records.transactions.slice(-3)
    expect([sent?.type, sent?.id, sent?.attributes.tags]).toEqual([
      'originatedAchTransaction',
      paid.relationships.transaction.data.id,
      { purpose: 'rent' },
    ])
    expect([debit?.id, debit?.attributes.direction]).toEqual([moved.relationships.transaction.data.id, 'Debit'])
    expect(credit?.relationships.counterpartyAccount.data.id).toBe(accountId)
    for (const move of ['freeze', 'unfreeze', 'close', 'reopen']) {
      const bodies: Record<string, object> = {
        freeze: { data: { type: 'accountFreeze', attributes: { reason: 'Other', reasonText: 'asked for' } } },
        close: { data: { type: 'depositAccountClose', attributes: { reason: 'ByCustomer' } } },
      }
      expect((await call('POST', `/accounts/${other.id}/${move}`, bodies[move])).status).toBe(200)
    }
    const replacement = { data: { type: 'replaceCard', attributes: { shippingAddress } } }
    expect((await call('POST', `/cards/${cardId}/replace`, replacement)).status).toBe(200)
    for (const move of ['freeze', 'unfreeze', 'report-lost']) {
      expect((await call('POST', `/cards/${cardId}/${move}`)).status).toBe(200)
    }
    const token = { data: { type: 'customerTokenVerification', attributes: { channel: 'sms' } } }
    const verification = await call('POST', `/customers/${customerId}/token/verification`, token)
    expect(verification.json.data.type).toBe('customerTokenVerification')
    expect((await call('DELETE', `/counterparties/${counterparty.id}`)).status).toBe(204)
    expect(fake.misshapen).toEqual([])
  })

  test('answers every read in the shapes of the table, with `meta` where it is described', async () => {
    const { id: cardWithMoney } = await made('/cards', 'individualVirtualDebitCard', {}, { account: accountId })
    fake.authorize(cardWithMoney, 1_00)
    fake.purchase(cardWithMoney, 2_00, { name: 'Sample Books' })
    fake.addStatement(accountId, '2026-01')
    for (const ssn of ['000000003', '123456789']) {
      const { id } = await made('/applications', 'individualApplication', { ...person, ssn })
      expect((await call('GET', `/applications/${id}`)).status).toBe(200)
    }
    const ofAccount = `?filter[accountId]=${accountId}`
    const withMeta: string[] = []
    for (const list of [
      ...['accounts', 'authorizations', 'cards', 'counterparties', 'customers', 'payments', 'statements'],
      'transactions',
    ]) {
      const { status, headers, json } = await call('GET', `/${list}${list === 'transactions' ? ofAccount : ''}`)
      expect([status, headers.get('content-type')]).toEqual([200, 'application/vnd.api+json; charset=utf-8'])
      if (json.meta) withMeta.push(list)
      for (const { id } of json.data.slice(0, 5)) {
        const path = list === 'transactions' ? `/accounts/${accountId}/transactions/${id}` : `/${list}/${id}`
        if (list !== 'statements') {
          expect((await call('GET', `${path}${list === 'authorizations' ? any : ''}`)).status, path).toBe(200)
        }
      }
    }
    expect(withMeta).toEqual(['accounts', 'customers', 'payments', 'transactions'])
    expect(fake.misshapen).toEqual([])
  })
  const any = '?filter[includeNonAuthorized]=true'

  test('asks for the back side of an IdDocument, and takes none of a Passport', async () => {
    const { id } = await made('/applications', 'individualApplication', { ...person, ssn: '000000003' })
    const [document] = fake.books.get('applications', id).relationships.documents.data
    const passport = fake.addDocument(id, 'Passport')
    const file = Buffer.from([1])
    const put = (documentId: string, side: string, type = 'image/png') =>
      call('PUT', `/applications/${id}/documents/${documentId}${side}`, file, type)
    const statuses = []
    for (const side of ['/back', '/back', '']) {
      statuses.push((await put(document.id, side)).json.data.attributes.status)
    }
    expect(statuses).toEqual(['ReceivedBack', 'ReceivedBack', 'PendingReview'])
    const back = await put(passport.id, '/back')
    expect([back.status, back.json.errors[0].code]).toEqual([400, 'not_supported_for_document_type'])
    expect((await put(passport.id, '')).json.data.attributes.status).toBe('PendingReview')
    expect((await put(passport.id, '', 'text/plain')).status).toBe(415)
    expect(fake.misshapen).toEqual([])
  })

  test('answers an unknown id in a path with 404, or with 400 `not_found`', async () => {
    const paths = ['/accounts/4711', '/payments/4711', '/statements/4711/pdf', `/accounts/${accountId}/transactions/1`]
    for (const path of paths) expect(await code('GET', path)).toEqual([404, undefined])
    fake.books.unknownId = 400
    for (const path of paths) expect(await code('GET', path)).toEqual([400, 'not_found'])
    fake.books.unknownId = 404
  })

  test('refuses a request that its description does not allow', async () => {
    const card = (attributes: object, data: object = {}) => ({
      data: {
        ...{ type: 'individualVirtualDebitCard', attributes: { idempotencyKey: 'a-key', ...attributes } },
        relationships: { account: { data: { type: 'account', id: accountId } } },
        ...data,
      },
    })
    const before = fake.books.records.cards.length
    const wrong = [
      card({ design: 'blue' }),
      card({ tags: { purpose: '' } }),
      card({}, { relationships: {} }),
      card({}, { relationships: { account: { data: { type: 'customer', id: accountId } } } }),
      card({}, { type: 'individualCreditCard' }),
      card({}, { id: '1' }),
    ]
    for (const body of wrong) expect(await code('POST', '/cards', body)).toEqual([400, 'invalid_value'])
    expect(await code('POST', `/cards/${cardId}/freeze`, { data: {} })).toEqual([400, 'invalid_value'])
    expect(await code('POST', '/cards', card({}), 'application/json')).toEqual([415, undefined])
    expect(fake.books.records.cards).toHaveLength(before)
  })

  test('wants the holder of a card of a joint account to be named', async () => {
    const [one, two] = [fake.addCustomer(), fake.addCustomer()]
    const joint = fake.books.add(
      'accounts',
      'depositAccount',
      { ...fake.books.get('accounts', accountId).attributes },
      { customers: { data: [one, two].map(({ id }) => ({ type: 'customer', id })) } },
    )
    const ask = (customer?: string) =>
      call('POST', '/cards', {
        data: {
          type: 'individualVirtualDebitCard',
          attributes: { idempotencyKey: `joint-${customer}` },
          relationships: {
            account: { data: { type: 'account', id: joint.id } },
            ...(customer && { customer: { data: { type: 'customer', id: customer } } }),
          },
        },
      })
    expect((await ask()).status).toBe(400)
    expect((await ask(fake.addCustomer().id)).json.errors[0].code).toBe('account_customer_mismatch')
    const { status, json } = await ask(two.id)
    expect([status, json.data.relationships.customer.data.id]).toEqual([201, two.id])
    expect(fake.misshapen).toEqual([])
  })

  test('ignores a parameter that is not described, and remembers it', async () => {
    const { json } = await call('GET', '/accounts?sort=-createdAt&filter[colour]=blue&page[limit]=1000')
    expect(json.data).toHaveLength(fake.books.records.accounts.length)
    expect((await call('GET', `/accounts/${accountId}?include=customer`)).status).toBe(200)
    expect(fake.undescribed.splice(0)).toEqual([
      'GET /accounts: parameter sort=-createdAt',
      'GET /accounts: parameter filter[colour]=blue',
      `GET /accounts/${accountId}: parameter include=customer`,
    ])
  })

  test('limits the rate without saying until when', async () => {
    fake.server.misbehave(429, 'limited')
    expect((await call('GET', '/accounts')).headers.get('retry-after')).toBeNull()
    const { status, headers } = await call('GET', '/accounts')
    expect([status, headers.get('retry-after')]).toEqual([429, '1'])
  })
})
