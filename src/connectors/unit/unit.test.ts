import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type OpenedUnit, openUnitBanking } from '../../../test/support/banking-providers.ts'
import { ask, shippingAddress } from '../../../test/support/cards.ts'
import type { Reply } from '../../../test/support/harness.ts'
import { applicant } from '../../../test/support/world.ts'

let opened: OpenedUnit
let customerId: string
let accountId: string
const lines: string[] = []
const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) })

beforeEach(async () => {
  lines.length = 0
  opened = await openUnitBanking({ timeouts: { callMs: 2_000, totalMs: 3_000, uploadMs: 3_000 } }, { log })
  customerId = await opened.arrange.customer()
  accountId = (await ask(opened.bank, 'POST', '/v0/banking/accounts', { customerId })).id
})
afterEach(() => opened.close())

const call = (method: string, path: string, body?: unknown): Promise<Reply> =>
  opened.bank.call(method, `/v0/banking${path}`, { body })
const lastCall = () => opened.fake.server.calls.at(-1)
const external = {
  type: 'Person',
  name: 'Grace Sample',
  routingNumber: '021000021',
  accountNumber: '9876543210',
  accountType: 'Checking',
}
const makeExternal = async (own: object = {}) =>
  (await ask(opened.bank, 'POST', `/v0/banking/customers/${customerId}/external-accounts`, { ...external, ...own })).id

async function pay(own: object = {}): Promise<Reply> {
  const counterpartyAccountId = await makeExternal()
  const body = { amount: 20_00, counterpartyAccountId, description: 'Rent', originalType: 'ACH', ...own }
  return call('POST', `/accounts/${accountId}/payments`, body)
}

describe('A refusal by Unit', () => {
  test('keeps its code and support id, in the answer and in the log', async () => {
    const reply = await call('POST', `/customers/${customerId}/external-accounts`, {
      ...external,
      routingNumber: '000000001',
    })
    expect([reply.status, reply.json.code]).toEqual([422, 'invalid_routing_number'])
    expect(reply.json.errors).toEqual([
      {
        pointer: '/routingNumber',
        code: 'routing_number_not_found',
        message: 'no such bank',
        supportId: 'support-4711',
      },
    ])
    expect(lines.join()).toContain('support-4711')
    expect(lines.join()).toContain('routing_number_not_found')
  })

  test('with an unmapped code is 422', async () => {
    opened.fake.server.misbehave(400)
    const reply = await call('GET', `/accounts/${accountId}`)
    expect([reply.status, reply.json.code]).toEqual([422, 'refused_by_provider'])
    expect(reply.json.errors[0]).toMatchObject({ message: 'Failed', supportId: 'support-4711' })
  })

  test('does not mention sandbox operations', async () => {
    const reply = await call('GET', '/accounts/4711')
    expect(reply.json.detail).toBe('There is no account with this id.')
    expect((await opened.bank.call('POST', '/v0/sandbox/customers', { body: { name: 'Ada' } })).json.code).toBe(
      'route_not_found',
    )
  })

  test('of our credentials is an upstream error without the token in it', async () => {
    // The second token has characters that JSON can spell in another way; the third is longer than the text passed on.
    for (const token of ['token-that-is-refused', 'token-that-is-"\\refused', 'token-that-'.repeat(200)]) {
      const own = await openUnitBanking({ token }, { log })
      const reply = await own.bank.call('GET', '/v0/banking/accounts/101')
      await own.close()
      expect([reply.status, reply.json.code]).toEqual([502, 'upstream_error'])
      expect(reply.text).toContain('not valid: Bearer ***')
      expect(reply.text + lines.join()).not.toContain('token-that')
    }
  })
})

describe('The token for Unit', () => {
  test('is in no log, error or response', async () => {
    for (const fault of ['slow', 'drop', 'garbage', 400, 401, 429, 500] as const) {
      opened.fake.server.misbehave(fault, fault, fault, fault)
      const reply = await call('GET', `/accounts/${accountId}`)
      expect(reply.text, String(fault)).not.toContain(opened.fake.token)
    }
    expect(lastCall()?.headers.authorization).toBe(`Bearer ${opened.fake.token}`)
    expect(lines.length).toBeGreaterThan(5)
    expect(lines.join()).not.toContain(opened.fake.token)
  })
})

describe('A payment that Unit rejects at once', () => {
  test('for lack of funds is 422 and can be read under the id in the problem', async () => {
    const reply = await pay()
    expect([reply.status, reply.json.code]).toEqual([422, 'insufficient_funds'])
    const [fault] = reply.json.errors
    expect(fault.code).toBe('InsufficientFunds')
    const id = /id (\d+)/.exec(fault.message)?.[1]
    expect((await ask(opened.bank, 'GET', `/v0/banking/payments/${id}`)).status).toBe('Rejected')
  })

  test('for another reason is 422 payment_rejected', async () => {
    opened.fake.fund(accountId, 100_00)
    opened.fake.rejectPayments = 'CounterpartyUnknown'
    const reply = await pay()
    expect([reply.status, reply.json.code, reply.json.errors[0].code]).toEqual([
      422,
      'payment_rejected',
      'CounterpartyUnknown',
    ])
  })
})

describe('The connector to Unit passes through', () => {
  test('unknown enumeration values', async () => {
    opened.fake.books.get('accounts', accountId).attributes.status = 'DormantByBank'
    expect((await ask(opened.bank, 'GET', `/v0/banking/accounts/${accountId}`)).status).toBe('DormantByBank')
    opened.fake.fund(accountId, 1_00)
    const [posted] = opened.fake.books.records.transactions
    if (posted) posted.type = 'somethingNewTransaction'
    const [listed] = await ask(opened.bank, 'GET', `/v0/banking/transactions?accountId=${accountId}`)
    expect(listed.type).toBe('somethingNewTransaction')
  })

  test('accounts with several owners, but no accounts of other kinds', async () => {
    const { books } = opened.fake
    const joint = books.get('accounts', accountId)
    joint.relationships = {
      customers: {
        data: [
          { type: 'customer', id: customerId },
          { type: 'customer', id: '7' },
        ],
      },
    }
    expect((await ask(opened.bank, 'GET', `/v0/banking/accounts/${accountId}`)).customerId).toBe(customerId)
    const { depositProduct: _product, routingNumber: _routing, accountNumber: _number, ...credit } = joint.attributes
    const { id } = books.add('accounts', 'creditAccount', credit, joint.relationships)
    const other = await call('GET', `/accounts/${id}`)
    expect([other.status, other.json.code]).toEqual([404, 'account_not_found'])
    const frozen = await call('POST', `/accounts/${id}/freeze`)
    expect([frozen.status, frozen.json.code]).toEqual([502, 'upstream_outcome_unknown'])
    expect(await ask(opened.bank, 'GET', '/v0/banking/accounts')).toHaveLength(1)
  })

  test('times in milliseconds', async () => {
    const account = opened.fake.books.get('accounts', accountId)
    for (const [given, shown] of [
      ['2026-01-31T12:00:00Z', '2026-01-31T12:00:00.000Z'],
      ['2026-01-31T12:00:00.123456Z', '2026-01-31T12:00:00.123Z'],
      ['2026-01-31T13:00:00.5+01:00', '2026-01-31T12:00:00.500Z'],
    ]) {
      account.attributes.createdAt = given
      expect((await ask(opened.bank, 'GET', `/v0/banking/accounts/${accountId}`)).createdAt).toBe(shown)
    }
  })

  test('the bytes of a statement', async () => {
    const { id } = opened.fake.addStatement(accountId, '2026-01')
    const pdf = await call('GET', `/statements/${id}/pdf`)
    expect(pdf.headers['content-type']).toBe('application/pdf')
    expect(pdf.bytes).toEqual(
      Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.from([0, 255, 254, 128, 200]), Buffer.from(id)]),
    )
    const html = await ask(opened.bank, 'GET', `/v0/banking/statements/${id}?format=html`)
    expect(html).toEqual({ html: '<html>2026-01 €</html>' })
    expect((await call('GET', '/statements/4711/pdf')).json.code).toBe('statement_not_found')
    opened.fake.server.misbehave('garbage')
    expect((await call('GET', `/statements/${id}/pdf`)).bytes).toEqual(pdf.bytes)
    opened.fake.server.misbehave('garbage', 'garbage', 'garbage')
    const garbled = await call('GET', `/statements/${id}/pdf`)
    expect([garbled.status, garbled.json?.code]).toEqual([502, 'upstream_error'])
    const record = await call('GET', `/statements/${id}`)
    expect([record.status, record.json.code]).toEqual([501, 'not_supported_by_provider'])
  })

  test('a filter of 0 and the exact bytes of an upload', async () => {
    await ask(opened.bank, 'GET', '/v0/banking/payments?fromAmount=0&offset=0')
    expect(lastCall()?.query.get('filter[fromAmount]')).toBe('0')
    const { applicationId, documentId } = await opened.arrange.application()
    const content = Buffer.from([0, 1, 2, 253, 254, 255])
    const body = { file: content.toString('base64'), contentType: 'image/jpeg' }
    await ask(opened.bank, 'POST', `/v0/banking/applications/${applicationId}/documents/${documentId}`, body)
    expect(lastCall()?.body).toEqual(content)
    expect(lastCall()?.headers['content-type']).toBe('image/jpeg')
  })

  test('as many tags as Unit accepts', async () => {
    opened.fake.fund(accountId, 100_00)
    const tags = Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`tag${at}`, 'x']))
    expect((await pay({ tags })).json.data.originalType).toBe('ACH')
    expect(opened.fake.books.records.payments.at(-1)?.attributes.tags).toEqual(tags)
    await pay({ tags: { purpose: 'rent' } })
    const sent = opened.fake.books.records.payments.at(-1)?.attributes.tags
    expect(sent).toEqual({ originalType: 'ACH', purpose: 'rent' })
  })
})

describe('The extensions that Unit serves', () => {
  test('include customers', async () => {
    const customer = await ask(opened.bank, 'GET', `/v0/banking/customers/${customerId}`)
    expect(customer).toEqual({
      id: customerId,
      type: 'individualCustomer',
      createdAt: expect.any(String),
      name: 'Ada Example',
      email: 'ada@example.com',
      phone: '+12125550123',
      address: { street: '1 Sample Street', city: 'Springfield', state: 'IL', postalCode: '62701', country: 'US' },
      status: 'Active',
      tags: {},
    })
    expect(await ask(opened.bank, 'GET', '/v0/banking/customers')).toEqual([customer])
    expect((await call('GET', '/customers/4711')).json.code).toBe('customer_not_found')
  })

  test('include applications with the required documents', async () => {
    const approved = await ask(opened.bank, 'POST', '/v0/banking/applications', applicant)
    expect(approved).toMatchObject({ status: 'Approved', name: 'Ada Example', email: applicant.email, documents: [] })
    const customer = await ask(opened.bank, 'GET', `/v0/banking/customers/${approved.customerId}`)
    expect([customer.name, customer.phone]).toEqual(['Ada Example', applicant.phone])
    const waiting = await ask(opened.bank, 'POST', '/v0/banking/applications', { ...applicant, ssn: '000000003' })
    expect(waiting.documents).toEqual([
      { id: expect.any(String), documentType: 'IdDocument', status: 'Required', description: expect.any(String) },
    ])
    expect(await ask(opened.bank, 'GET', `/v0/banking/applications/${waiting.id}`)).toEqual(waiting)
    opened.fake.books.get('applications', waiting.id).attributes.status = 'Denied'
    const file = { file: 'AAEC', contentType: 'image/png' }
    const denied = await call('POST', `/applications/${waiting.id}/documents/${waiting.documents[0].id}/back`, file)
    expect([denied.status, denied.json.code]).toEqual([409, 'application_wrong_state'])
  })

  test('split the name and the phone number of an application', async () => {
    const one = await call('POST', '/applications', { ...applicant, name: 'Ada' })
    expect([one.status, one.json.errors[0].pointer]).toEqual([400, '/name'])
    for (const [phone, countryCode] of [
      ['+12125550123', '1'],
      ['+442071838750', '44'],
      ['+35316771111', '353'],
    ]) {
      await ask(opened.bank, 'POST', '/v0/banking/applications', { ...applicant, name: 'Ada B. Example', phone })
      const sent = opened.fake.books.records.applications.at(-1)?.attributes
      expect(sent?.phone.countryCode).toBe(countryCode)
      expect(sent?.fullName).toEqual({ first: 'Ada B.', last: 'Example' })
    }
  })

  test('include the state changes of accounts and cards, with their conflicts', async () => {
    const account = (move: string, body?: object) => call('POST', `/accounts/${accountId}/${move}`, body)
    expect((await account('freeze')).json.data.status).toBe('Frozen')
    expect((await account('freeze')).json.code).toBe('account_not_open')
    expect(await ask(opened.bank, 'GET', `/v0/banking/accounts?status=Frozen&customerId=${customerId}`)).toHaveLength(1)
    expect((await account('unfreeze')).json.data.status).toBe('Open')
    expect((await account('unfreeze')).json.code).toBe('account_not_frozen')
    const made = await call('POST', '/cards', { type: 'individualDebitCard', accountId, shippingAddress })
    const { id } = made.json.data
    expect(await ask(opened.bank, 'GET', `/v0/banking/cards/${id}`)).toEqual(made.json.data)
    opened.fake.activate(id)
    for (const [move, status] of [
      ['freeze', 'Frozen'],
      ['unfreeze', 'Active'],
      ['report-lost', 'Lost'],
    ]) {
      expect((await call('POST', `/cards/${id}/${move}`)).json.data.status).toBe(status)
    }
    expect((await call('POST', `/cards/${id}/report-stolen`)).json.code).toBe('card_wrong_state')
    const activated = await call('POST', `/cards/${id}/activate`)
    expect([activated.status, activated.json.code]).toEqual([501, 'not_supported_by_provider'])
    expect(lines.join(), 'what a caller asks for is no failure of ours').not.toContain('"level":50')
    const moving = await account('close', { reason: 'Fraud', closeTo: accountId })
    expect([moving.status, moving.json.errors[0]]).toMatchObject([400, { pointer: '/closeTo', code: 'not_supported' }])
    expect((await account('close', { reason: 'Fraud' })).json.data.status).toBe('Closed')
    expect((await account('close', { reason: 'Fraud' })).json.code).toBe('account_closed')
  })

  test('include reading an authorization and deleting an external account', async () => {
    const { id: cardId } = await ask(opened.bank, 'POST', '/v0/banking/cards', {
      type: 'individualVirtualDebitCard',
      accountId,
    })
    const id = await opened.arrange.authorize(cardId, 5_00)
    const found = await ask(opened.bank, 'GET', `/v0/banking/authorizations/${id}`)
    expect(found).toMatchObject({ id, status: 'Authorized', amount: 5_00, description: 'Sample Coffee' })
    opened.fake.books.get('authorizations', id).attributes.status = 'Completed'
    expect((await ask(opened.bank, 'GET', `/v0/banking/authorizations/${id}`)).status).toBe('Completed')
    const externalId = await makeExternal()
    expect((await call('DELETE', `/external-accounts/${externalId}`)).status).toBe(204)
    expect((await call('DELETE', `/external-accounts/${externalId}`)).json.code).toBe('external_account_not_found')
  })

  test('are the operations of the OpenAPI document', async () => {
    const { json } = await opened.bank.call('GET', '/openapi.json')
    expect(json.paths['/v0/banking/cards/{cardId}/freeze']).toBeDefined()
    expect(json.paths['/v0/banking/cards/{cardId}/activate']).toBeUndefined()
    expect(Object.keys(json.paths).filter((path) => path.includes('/sandbox/'))).toEqual([])
  })
})

test('A list that Unit cannot filter is read page by page', async () => {
  const virtual = { type: 'individualVirtualDebitCard', accountId }
  const { books } = opened.fake
  for (let number = 0; number < 1_050; number++) {
    const attributes = { status: 'Active', expirationDate: '2031-02', last4Digits: '0001' }
    const relationships = { account: { data: { type: 'account', id: accountId } } }
    books.add('cards', number < 1_045 ? 'individualDebitCard' : virtual.type, attributes, relationships)
  }
  const path = `/cards?accountId=${accountId}&type=${virtual.type}&sort=createdAt`
  const first = await call('GET', `${path}&limit=3`)
  expect([first.json.data.length, first.headers.link]).toEqual([3, expect.stringContaining('offset=3')])
  const rest = await call('GET', `${path}&limit=3&offset=3`)
  expect([rest.json.data.length, rest.headers.link]).toEqual([2, undefined])
})
