import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type OpenedUnit, openUnitBanking } from '../../support/banking-providers.ts'
import { ask, shippingAddress } from '../../support/cards.ts'
import type { FakeCall } from '../../support/fakes/server.ts'
import { requestFaults } from '../../support/fakes/unit-requests.ts'
import type { Reply, TestBank } from '../../support/harness.ts'
import { applicant } from '../../support/world.ts'

let opened: OpenedUnit
let customerId: string
let accountId: string

beforeEach(async () => {
  opened = await openUnitBanking({}, { log: pino({ level: 'silent' }) })
  customerId = await opened.arrange.customer()
  accountId = (await ask(opened.bank, 'POST', '/v0/banking/accounts', { customerId })).id
  opened.fake.fund(accountId, 1_000_00)
})
afterEach(() => opened.close())

const call = (method: string, path: string, body?: unknown): Promise<Reply> =>
  opened.bank.call(method, `/v0/banking${path}`, { body })
const lastCall = () => opened.fake.server.calls.at(-1) as FakeCall
const lastBody = () => JSON.parse(lastCall().body.toString('utf8')).data

/** Makes a request that must succeed, and returns its answer. Every call that it causes must be one that Unit describes. */
async function sent(method: string, path: string, body?: unknown) {
  const before = opened.fake.server.calls.length
  const reply = await call(method, path, body)
  expect(reply.status, reply.text).toBeLessThan(300)
  const calls = opened.fake.server.calls.slice(before)
  expect(calls.length, `${method} ${path} is sent`).toBeGreaterThan(0)
  expect(calls.flatMap(requestFaults)).toEqual([])
  return reply.json?.data
}

const tags = Object.fromEntries(Array.from({ length: 14 }, (_, at) => [`tag${at}`, 'x'.repeat(255)]))
const fullAddress = { ...shippingAddress, street2: 'Flat 2', postalCode: '62701-1234', country: 'US' }
const external = {
  type: 'Person',
  name: 'Grace Sample',
  routingNumber: '021000021',
  accountNumber: '9876543210',
  accountType: 'Checking',
}

describe('Unit is sent creations as it describes them', () => {
  test('of accounts', async () => {
    await sent('POST', '/accounts', { customerId })
    await sent('POST', '/accounts', { customerId, tags })
    expect(lastBody().attributes).toEqual({ depositProduct: 'checking', tags, idempotencyKey: expect.any(String) })
  })

  test('of cards', async () => {
    const physical = { type: 'individualDebitCard', accountId, shippingAddress }
    await sent('POST', '/cards', physical)
    await sent('POST', '/cards', { ...physical, shippingAddress: { ...shippingAddress, street2: '' } })
    await sent('POST', '/cards', { ...physical, shippingAddress: fullAddress, design: 'default', tags })
    await sent('POST', '/cards', { type: 'individualVirtualDebitCard', accountId })
    await sent('POST', '/cards', { type: 'individualVirtualDebitCard', accountId, tags, customerId })
    expect(lastBody().relationships.customer).toEqual({ data: { type: 'customer', id: customerId } })
  })

  test('of external accounts, without the permissions that they have anyway', async () => {
    const path = `/customers/${customerId}/external-accounts`
    await sent('POST', path, external)
    const made = await sent('POST', path, { ...external, permissions: 'CreditOnly' })
    expect(made.permissions).toBe('CreditOnly')
  })

  test('of payments', async () => {
    const { id } = await sent('POST', `/customers/${customerId}/external-accounts`, external)
    const minimal = { amount: 1, counterpartyAccountId: id, description: 'x', originalType: 'ACH' }
    await sent('POST', `/accounts/${accountId}/payments`, minimal)
    const full = { ...minimal, amount: 999_99, description: 'x'.repeat(10), addenda: 'x'.repeat(80), tags }
    await sent('POST', `/accounts/${accountId}/payments`, full)
  })

  test('of applications', async () => {
    await sent('POST', '/applications', applicant)
    const facts = {
      occupation: 'ScientistOrTechnologist',
      annualIncome: 'Between50kAnd100k',
      sourceOfIncome: 'EmploymentOrPayrollIncome',
      ip: '2001:db8::7',
    }
    await sent('POST', '/applications', { ...applicant, ...facts, address: fullAddress })
    expect(lastBody().attributes).toMatchObject(facts)
  })
})

describe('Unit is sent changes as it describes them', () => {
  test('of accounts', async () => {
    await sent('POST', `/accounts/${accountId}/freeze`)
    await sent('POST', `/accounts/${accountId}/unfreeze`)
    for (const reason of ['ByCustomer', 'Fraud']) {
      await sent('POST', `/accounts/${accountId}/close`, { reason })
      await sent('POST', `/accounts/${accountId}/reopen`)
    }
  })

  test('of cards', async () => {
    const physical = { type: 'individualDebitCard', accountId, shippingAddress }
    for (const move of ['report-lost', 'report-stolen', 'close']) {
      const { id } = await sent('POST', '/cards', physical)
      opened.fake.activate(id)
      await sent('POST', `/cards/${id}/freeze`)
      await sent('POST', `/cards/${id}/unfreeze`)
      await sent('POST', `/cards/${id}/replace`, { shippingAddress })
      await sent('POST', `/cards/${id}/replace`, { shippingAddress: fullAddress })
      await sent('POST', `/cards/${id}/${move}`)
    }
  })

  test('of external accounts, documents and tokens', async () => {
    const { id } = await sent('POST', `/customers/${customerId}/external-accounts`, external)
    await sent('DELETE', `/external-accounts/${id}`)
    await sent('POST', `/customers/${customerId}/token-verifications`)
    const { applicationId, documentId } = await opened.arrange.application()
    const document = `/applications/${applicationId}/documents/${documentId}`
    await sent('POST', document, { file: Buffer.from([0x89, 0x50]).toString('base64'), contentType: 'image/png' })
    await sent('POST', `${document}/back`, {
      file: Buffer.from('%PDF-1.7').toString('base64'),
      contentType: 'application/pdf',
    })
  })
})

describe('Unit is asked as it describes', () => {
  test('for one record', async () => {
    const { id: cardId } = await sent('POST', '/cards', { type: 'individualVirtualDebitCard', accountId })
    const authorizationId = await opened.arrange.authorize(cardId, 5_00)
    const statementId = await opened.arrange.statement(accountId, '2026-01')
    const { applicationId } = await opened.arrange.application()
    const [transaction] = await sent('GET', `/transactions?accountId=${accountId}`)
    for (const path of [
      `/accounts/${accountId}`,
      `/applications/${applicationId}`,
      `/authorizations/${authorizationId}`,
      `/cards/${cardId}`,
      `/customers/${customerId}`,
      `/statements/${statementId}?format=html`,
      `/statements/${statementId}/pdf`,
      `/transactions/${transaction.id}?accountId=${accountId}`,
    ]) {
      await sent('GET', path)
    }
  })

  test('for lists, with every filter', async () => {
    const { id } = await sent('POST', `/customers/${customerId}/external-accounts`, external)
    const page = 'limit=7&offset=3&sort=createdAt'
    const period = 'since=2026-01-01&until=2027-01-01T00:00:00Z'
    const amounts = 'fromAmount=0&toAmount=100000'
    for (const path of [
      `/accounts?customerId=${customerId}&status=Open&${page}`,
      `/authorizations?customerId=${customerId}&status=Authorized&accountId=${accountId}&cardId=1&${period}&${amounts}&${page}`,
      `/cards?customerId=${customerId}&accountId=${accountId}&status=Active&${page}`,
      '/cards?type=individualDebitCard',
      `/customers?${page}`,
      `/customers/${customerId}/external-accounts?routingNumber=021000021&accountNumber=9876543210&${page}`,
      `/payments?accountId=${accountId}&customerId=${customerId}&counterpartyAccountId=${id}&status=PendingReview,Sent&type=achPayment,bookPayment&direction=Credit&tags=%7B%22a%22:%22b%22%7D&recurringPaymentId=1&paymentFeature=SameDay&${period}&${amounts}&${page}`,
      `/statements?accountId=${accountId}&period=2026-01&${page}`,
      `/transactions?accountId=${accountId}&customerId=${customerId}&direction=Debit&${period}&${page}`,
    ]) {
      await sent('GET', path)
    }
    for (const path of ['/accounts', '/cards', '/customers', '/payments', '/transactions']) await sent('GET', path)
  })
})

describe('A request that Unit would refuse by its description', () => {
  /** Expects 400 with these pointers, before anything is sent. */
  async function refused(path: string, body: object, ...pointers: string[]): Promise<void> {
    const before = opened.fake.server.calls.length
    const reply = await call('POST', path, body)
    expect([reply.status, reply.json.code], path).toEqual([400, 'invalid_request'])
    expect(reply.json.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(pointers)
    expect(opened.fake.server.calls).toHaveLength(before)
  }

  const empty = { purpose: '' }
  const abroad = { ...shippingAddress, state: 'Ontario', postalCode: 'K1A 0B1', country: 'CA' }

  test('is refused by Purser with a pointer, and not sent', async () => {
    const { id } = await sent('POST', '/cards', { type: 'individualDebitCard', accountId, shippingAddress })
    const payment = { amount: 1, counterpartyAccountId: '1', description: 'x', originalType: 'ACH' }
    await refused('/accounts', { customerId, tags: empty }, '/tags/purpose')
    await refused('/cards', { type: 'individualVirtualDebitCard', accountId, tags: empty }, '/tags/purpose')
    await refused(`/accounts/${accountId}/payments`, { ...payment, tags: empty }, '/tags/purpose')
    const card = { type: 'individualDebitCard', accountId, shippingAddress: abroad, tags: empty }
    await refused('/cards', card, '/shippingAddress/country', '/tags/purpose')
    await refused(`/cards/${id}/replace`, { shippingAddress: abroad }, '/shippingAddress/country')
    const application = { ...applicant, name: 'Ada', email: 'ä@example.com', address: abroad }
    await refused('/applications', application, '/email', '/name', '/address/country')
    await refused(`/accounts/${accountId}/close`, { reason: 'NegativeBalance' }, '/reason')
  })

  test('can be mended under the same idempotency key', async () => {
    const headers = { 'idempotency-key': 'mended' }
    const create = (body: object) => opened.bank.call('POST', '/v0/banking/accounts', { body, headers })
    expect((await create({ customerId, tags: empty })).status).toBe(400)
    expect((await create({ customerId, tags: { purpose: 'rent' } })).status).toBe(201)
  })
})

describe('A card for a joint account', () => {
  const virtual = { type: 'individualVirtualDebitCard' }
  const join = () => {
    const data = [customerId, opened.fake.addCustomer().id].map((id) => ({ type: 'customer', id }))
    opened.fake.books.get('accounts', accountId).relationships = { customers: { data } }
  }

  const refusal = (code: string) => ({ status: 400, body: { errors: [{ status: '400', title: 'Bad Request', code }] } })

  test.each(['invalid_value', 'customer_not_found', 'account_customer_mismatch'])(
    'is refused with the reason where Unit refuses it without a customer, by the code %s',
    async (code) => {
      join()
      opened.fake.server.misbehave(refusal(code))
      const reply = await call('POST', '/cards', { ...virtual, accountId })
      const message = 'customerId is required: the account has several customers'
      expect([reply.status, reply.json.errors]).toEqual([400, [{ pointer: '/customerId', code: 'required', message }]])
      expect(requestFaults(lastCall())).toEqual([])
      expect([lastCall().method, lastCall().path]).toEqual(['GET', `/accounts/${accountId}`])
    },
  )

  test('is 404 where the customer is none of the account’s', async () => {
    opened.fake.server.misbehave(refusal('account_customer_mismatch'))
    const reply = await call('POST', '/cards', { ...virtual, accountId, customerId })
    expect([reply.status, reply.json.code]).toEqual([404, 'customer_not_found'])
  })

  test('keeps a refusal of Unit that has another reason', async () => {
    opened.fake.server.misbehave(400)
    const single = await call('POST', '/cards', { ...virtual, accountId })
    expect([single.status, single.json.code]).toEqual([422, 'refused_by_provider'])
    join()
    opened.fake.server.misbehave(400)
    const named = await call('POST', '/cards', { ...virtual, accountId, customerId })
    expect([named.status, named.json.code]).toEqual([422, 'refused_by_provider'])
    opened.fake.server.misbehave(400, 401)
    const unread = await call('POST', '/cards', { ...virtual, accountId })
    expect([unread.status, unread.json.code]).toEqual([422, 'refused_by_provider'])
  })

  test('costs no further call where Unit accepts it', async () => {
    const before = opened.fake.server.calls.length
    await sent('POST', '/cards', { ...virtual, accountId })
    expect(opened.fake.server.calls).toHaveLength(before + 1)
  })

  test('is not sent for a malformed customer', async () => {
    const before = opened.fake.server.calls.length
    const reply = await call('POST', '/cards', { ...virtual, accountId, customerId: 'Ada' })
    expect([reply.status, reply.json.code]).toEqual([404, 'customer_not_found'])
    expect(opened.fake.server.calls).toHaveLength(before)
  })
})

describe('The list of accounts, for which Unit describes no order', () => {
  const walk = async (bank: TestBank, query: string): Promise<string[]> => {
    const ids: string[] = []
    for (let path: string | undefined = `/v0/banking/accounts?${query}`; path; ) {
      const { json, headers, text } = await bank.call('GET', path)
      expect(json.data, text).toBeDefined()
      ids.push(...json.data.map((account: { id: string }) => account.id))
      path = /<([^>]+)>; rel="next"/.exec(String(headers.link ?? ''))?.[1]
    }
    return ids
  }

  /** The ids of five accounts of the customer, in the order of their creation, which is not that of the ids. */
  async function five(): Promise<string[]> {
    for (let more = 0; more < 4; more++) await ask(opened.bank, 'POST', '/v0/banking/accounts', { customerId })
    const accounts = opened.fake.books.records.accounts.filter(({ type }) => type === 'depositAccount')
    const days = [3, 1, 5, 2, 4]
    for (const [at, { attributes }] of accounts.entries()) attributes.createdAt = `2026-01-0${days[at]}T00:00:00.000Z`
    return [1, 3, 0, 4, 2].map((at) => accounts[at]?.id ?? '')
  }

  test('is put in order by Purser where it is a customer’s, page by page', async () => {
    const oldest = await five()
    const owned = `customerId=${customerId}&limit=2`
    expect(await walk(opened.bank, owned)).toEqual(oldest.toReversed())
    expect(await walk(opened.bank, `${owned}&sort=-createdAt`)).toEqual(oldest.toReversed())
    expect(await walk(opened.bank, `${owned}&sort=createdAt`)).toEqual(oldest)
    expect(await walk(opened.bank, `${owned}&sort=createdAt&status=Closed`)).toEqual([])
    expect(opened.fake.server.calls.flatMap(requestFaults)).toEqual([])
  })

  test('is read to its end where the customer has more accounts than a page holds', async () => {
    const { books } = opened.fake
    const { attributes, relationships } = books.get('accounts', accountId)
    for (let more = 0; more < 1_100; more++) books.add('accounts', 'depositAccount', { ...attributes }, relationships)
    expect(new Set(await walk(opened.bank, `customerId=${customerId}&limit=400`)).size).toBe(1_101)
    for (let more = 0; more < 9_000; more++) books.add('accounts', 'depositAccount', { ...attributes }, relationships)
    const refused = await call('GET', `/accounts?customerId=${customerId}`)
    expect([refused.status, refused.json.errors[0].code]).toEqual([400, 'too_many'])
  })

  test('is in Unit’s order where it is everyone’s, so that no other can be asked for', async () => {
    await five()
    const ids = opened.fake.books.records.accounts.map(({ id }) => id)
    expect(await walk(opened.bank, 'limit=2')).toEqual(ids)
    for (const sort of ['createdAt', '-createdAt']) {
      const refused = await call('GET', `/accounts?sort=${sort}`)
      expect([refused.status, refused.json.errors[0]]).toEqual([
        400,
        { parameter: 'customerId', code: 'required', message: expect.stringContaining('its own order') },
      ])
    }
  })

  test('is sorted by Unit where the setting says that it can', async () => {
    const sorting = await openUnitBanking({ sortsAccounts: true, depositProduct: 'vip' })
    const owner = await sorting.arrange.customer()
    const made = await ask(sorting.bank, 'POST', '/v0/banking/accounts', { customerId: owner })
    expect(made.depositProduct).toBe('vip')
    expect(await walk(sorting.bank, 'sort=createdAt')).toEqual([made.id])
    expect(sorting.fake.server.calls.at(-1)?.query.get('sort')).toBe('createdAt')
    expect(await walk(sorting.bank, `customerId=${owner}`)).toEqual([made.id])
    expect(sorting.fake.server.calls.at(-1)?.query.get('sort')).toBe('-createdAt')
    await sorting.close()
  })
})

test('Requests to Unit have the name and version of the service, and ask for no version of the API', async () => {
  const named = await openUnitBanking({ userAgent: 'Purser/1.2.3' })
  await named.bank.call('GET', '/v0/banking/customers')
  const { headers } = named.fake.server.calls.at(-1) as FakeCall
  expect([headers['user-agent'], headers['x-accept-version']]).toEqual(['Purser/1.2.3', undefined])
  await named.close()
})

test('The table of described requests finds requests that differ', async () => {
  await sent('POST', '/cards', { type: 'individualDebitCard', accountId, shippingAddress })
  const creation = lastCall()
  const changed = (change: (data: { attributes: Record<string, unknown> }) => void): FakeCall => {
    const document = JSON.parse(creation.body.toString('utf8'))
    change(document.data)
    return { ...creation, body: Buffer.from(JSON.stringify(document)) }
  }
  expect(requestFaults(creation)).toEqual([])
  for (const call of [
    changed(({ attributes }) => delete attributes.idempotencyKey),
    changed(({ attributes }) => (attributes.tags = { empty: '' })),
    changed(({ attributes }) => (attributes.surprise = true)),
    changed((data) => Object.assign(data, { type: 'surpriseCard' })),
    { ...creation, headers: { ...creation.headers, 'content-type': 'application/json' } },
    { ...creation, query: new URLSearchParams('include=customer') },
    { ...creation, path: '/surprise' },
  ]) {
    expect(requestFaults(call)).not.toEqual([])
  }
})
