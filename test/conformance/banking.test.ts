import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Operation } from '../../src/base/operation.ts'
import { withOpenWords } from '../../src/base/text.ts'
import { operations } from '../../src/operations.ts'
import { type Arrange, type OpenedBanking, openBuiltinBanking, openUnitBanking } from '../support/banking-providers.ts'
import { ask, shippingAddress, timestamp } from '../support/cards.ts'
import type { Reply, TestBank } from '../support/harness.ts'

/** The tests that every banking provider passes without a change. */
const providers: { provider: string; open: () => Promise<OpenedBanking> }[] = [
  { provider: 'the built-in bank', open: openBuiltinBanking },
  { provider: 'Unit', open: openUnitBanking },
]

const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const external = {
  type: 'Person',
  name: 'Grace Sample',
  routingNumber: '021000021',
  accountNumber: '9876543210',
  accountType: 'Checking',
}
const payment = { amount: 20_00, description: 'Rent', originalType: 'ACH' }
/** A well-formed id of no record. */
const nobody = '9007199254740991'
/** Texts that are treated like an unknown id. */
const oddIds = [nobody, '0', '007', 'abc', '-1', '1e3', '9'.repeat(400), '1/2']

describe.each(providers)('banking by $provider', ({ open }) => {
  let opened: OpenedBanking
  let bank: TestBank
  let arrange: Arrange
  let customerId: string
  let accountId: string
  let externalAccountId: string
  let cardId: string

  beforeAll(async () => {
    opened = await open()
    bank = opened.bank
    arrange = opened.arrange
    customerId = await arrange.customer()
    accountId = await makeAccount(1_000_00)
    externalAccountId = (await ask(bank, 'POST', externalPath(customerId), external)).id
    cardId = (await ask(bank, 'POST', '/v0/banking/cards', cardOf(accountId))).id
  })
  afterAll(() => opened.close())

  const externalPath = (customer: string) => `/v0/banking/customers/${customer}/external-accounts`
  const paymentPath = (account: string) => `/v0/banking/accounts/${account}/payments`
  const cardOf = (account: string) => ({ type: 'individualDebitCard', accountId: account, shippingAddress })

  async function makeAccount(amount = 0): Promise<string> {
    const { id } = await ask(bank, 'POST', '/v0/banking/accounts', { customerId })
    if (amount > 0) await arrange.fund(id, amount)
    return id
  }

  async function makePayment(own: Record<string, unknown> = {}, account = accountId) {
    return ask(bank, 'POST', paymentPath(account), { ...payment, counterpartyAccountId: externalAccountId, ...own })
  }

  /** Makes a call and checks that it succeeds with the status and the schema of its operation. */
  async function expectOf(id: string, method: string, path: string, body?: unknown) {
    const reply = await bank.call(method, path, { body })
    const operation = operations.find((one) => one.id === id) as Operation
    expect([reply.status, reply.text.slice(0, 500)]).toEqual([operation.status, expect.anything()])
    expect(reply.headers.etag).toMatch(/^"/)
    const errors = Compile(withOpenWords(operation.data)).Errors(reply.json.data)
    expect(errors, reply.text.slice(0, 500)).toEqual([])
    return reply.json.data
  }

  function expectProblem(reply: Reply, status: number, code: string): void {
    expect([reply.status, reply.json?.code], reply.text.slice(0, 500)).toEqual([status, code])
    expect(reply.json).toMatchObject({ type: `/docs/errors#${code}`, status, requestId: reply.headers['x-request-id'] })
  }

  const idsOf = (records: { id: string }[]) => records.map(({ id }) => id)

  describe('accounts', () => {
    test('B14 opens an empty account', async () => {
      const tags = { purpose: 'savings' }
      const account = await expectOf('createAccount', 'POST', '/v0/banking/accounts', { customerId, tags })
      expect(account).toMatchObject({
        type: 'depositAccount',
        customerId,
        createdAt: expect.stringMatching(timestamp),
        name: 'Ada Example',
        depositProduct: 'checking',
        currency: 'USD',
        available: 0,
        balance: 0,
        hold: 0,
        status: 'Open',
        tags,
      })
      expect(account.routingNumber).toMatch(/^\d{9}$/)
    })

    test('B14 refuses an unknown customer', async () => {
      for (const customer of oddIds) {
        const reply = await bank.call('POST', '/v0/banking/accounts', { body: { customerId: customer } })
        expectProblem(reply, 404, 'customer_not_found')
      }
    })

    test('B16 reads the account of B14, and shows money that arrives', async () => {
      const { id, ...made } = await ask(bank, 'POST', '/v0/banking/accounts', { customerId })
      expect(await expectOf('getAccount', 'GET', `/v0/banking/accounts/${id}`)).toEqual({ id, ...made })
      await arrange.fund(id, 5_00)
      const funded = await expectOf('getAccount', 'GET', `/v0/banking/accounts/${id}`)
      expect(funded).toEqual({ id, ...made, balance: 5_00, available: 5_00 })
    })

    test('B16 refuses an unknown account', async () => {
      for (const id of oddIds) {
        const reply = await bank.call('GET', `/v0/banking/accounts/${encodeURIComponent(id)}`)
        expectProblem(reply, 404, 'account_not_found')
      }
    })

    test('B15 opens a closed account again, keeps its balance, and refuses an open account', async () => {
      const id = await makeAccount(7_00)
      expectProblem(await bank.call('POST', `/v0/banking/accounts/${id}/reopen`), 409, 'account_not_closed')
      await ask(bank, 'POST', `/v0/banking/accounts/${id}/close`, { reason: 'ByCustomer' })
      const reopened = await expectOf('reopenAccount', 'POST', `/v0/banking/accounts/${id}/reopen`)
      expect(reopened).toMatchObject({ id, status: 'Open', balance: 7_00 })
      expectProblem(await bank.call('POST', `/v0/banking/accounts/${nobody}/reopen`), 404, 'account_not_found')
    })
  })

  describe('cards', () => {
    test('B5 creates an inactive physical card and an active virtual card', async () => {
      const physical = await expectOf('createCard', 'POST', '/v0/banking/cards', {
        ...cardOf(accountId),
        design: 'blue',
      })
      expect(physical).toMatchObject({
        accountId,
        createdAt: expect.stringMatching(timestamp),
        expirationDate: expect.stringMatching(/^\d{4}-\d\d$/),
        status: 'Inactive',
        type: 'individualDebitCard',
        design: 'blue',
        shippingAddress,
      })
      const type = 'individualVirtualDebitCard'
      const virtual = await expectOf('createCard', 'POST', '/v0/banking/cards', { type, accountId })
      expect([virtual.status, virtual.type, 'design' in virtual, 'shippingAddress' in virtual]).toEqual([
        'Active',
        type,
        false,
        false,
      ])
    })

    test('B5 refuses an account that is not open', async () => {
      expectProblem(await bank.call('POST', '/v0/banking/cards', { body: cardOf(nobody) }), 404, 'account_not_found')
      const id = await makeAccount()
      await ask(bank, 'POST', `/v0/banking/accounts/${id}/close`, { reason: 'ByCustomer' })
      expectProblem(await bank.call('POST', '/v0/banking/cards', { body: cardOf(id) }), 409, 'account_not_open')
    })

    test('B6 ships a new card', async () => {
      const path = `/v0/banking/cards/${cardId}/replace`
      const card = await expectOf('replaceCard', 'POST', path, {
        shippingAddress: { ...shippingAddress, city: 'Alton' },
      })
      expect(card.id).not.toBe(cardId)
      expect(card).toMatchObject({ accountId, status: 'Inactive', type: 'individualDebitCard' })
      expect(card.shippingAddress.city).toBe('Alton')
    })

    test('B6 refuses an unknown, a virtual and a closed card', async () => {
      const body = { shippingAddress }
      expectProblem(await bank.call('POST', `/v0/banking/cards/${nobody}/replace`, { body }), 404, 'card_not_found')
      const virtual = await ask(bank, 'POST', '/v0/banking/cards', { type: 'individualVirtualDebitCard', accountId })
      expectProblem(
        await bank.call('POST', `/v0/banking/cards/${virtual.id}/replace`, { body }),
        409,
        'card_wrong_state',
      )
      const { id } = await ask(bank, 'POST', '/v0/banking/cards', cardOf(accountId))
      await ask(bank, 'POST', `/v0/banking/cards/${id}/close`)
      expectProblem(await bank.call('POST', `/v0/banking/cards/${id}/replace`, { body }), 409, 'card_wrong_state')
    })

    test('B7 filters by account, customer, status and type, and shows the expiry as a timestamp', async () => {
      const account = await makeAccount()
      const first = await ask(bank, 'POST', '/v0/banking/cards', cardOf(account))
      const second = await ask(bank, 'POST', '/v0/banking/cards', {
        type: 'individualVirtualDebitCard',
        accountId: account,
      })
      const list = (query: string) => expectOf('listCards', 'GET', `/v0/banking/cards?accountId=${account}&${query}`)
      expect(idsOf(await list('')).sort()).toEqual([first.id, second.id].sort())
      expect(idsOf(await list('type=individualDebitCard'))).toEqual([first.id])
      expect(idsOf(await list('type=individualvirtualdebitcard&status=active'))).toEqual([second.id])
      expect(idsOf(await list('status=Lost'))).toEqual([])
      expect(idsOf(await list(`customerId=${nobody}`))).toEqual([])
      expect((await list('type=individualDebitCard'))[0].expirationDate).toMatch(/^\d{4}-\d\d-\d\dT23:59:59\.999Z$/)
      expect(await expectOf('listCards', 'GET', `/v0/banking/cards?accountId=${nobody}`)).toEqual([])
    })
  })

  describe('payments', () => {
    test('B8 creates a payment, B9 reads it and B10 lists it', async () => {
      const account = await makeAccount(50_00)
      const body = {
        ...payment,
        counterpartyAccountId: externalAccountId,
        addenda: 'Invoice 1',
        tags: { purpose: 'rent' },
      }
      const made = await expectOf('createPayment', 'POST', paymentPath(account), body)
      expect(made).toMatchObject({
        type: 'achPayment',
        amount: 20_00,
        createdAt: expect.stringMatching(timestamp),
        description: 'Rent',
        direction: 'Credit',
        originalType: 'ACH',
        counterparty: {
          name: 'Grace Sample',
          routingNumber: '021000021',
          accountNumber: '9876543210',
          accountType: 'Checking',
        },
      })
      expect(['Pending', 'Clearing', 'Sent']).toContain(made.status)
      expect(await expectOf('getPayment', 'GET', `/v0/banking/payments/${made.id}`)).toEqual(made)
      const { originalType: _absent, ...listed } = made
      expect(await expectOf('listPayments', 'GET', `/v0/banking/payments?accountId=${account}`)).toEqual([
        { ...listed, accountId: account },
      ])
      expect((await ask(bank, 'GET', `/v0/banking/accounts/${account}`)).available).toBe(30_00)
    })

    test('B8 refuses unknown accounts, a closed account and an amount that is not available', async () => {
      const send = (account: string, own: object = {}) =>
        bank.call('POST', paymentPath(account), {
          body: { ...payment, counterpartyAccountId: externalAccountId, ...own },
        })
      expectProblem(await send(nobody), 404, 'account_not_found')
      expectProblem(await send(accountId, { counterpartyAccountId: nobody }), 404, 'external_account_not_found')
      const stranger = await arrange.customer()
      const { id: foreign } = await ask(bank, 'POST', externalPath(stranger), external)
      expectProblem(await send(accountId, { counterpartyAccountId: foreign }), 404, 'external_account_not_found')
      const id = await makeAccount(20_00)
      expectProblem(await send(id, { amount: 20_01 }), 422, 'insufficient_funds')
      expect((await send(id, { amount: 20_00 })).status).toBe(201)
      await ask(bank, 'POST', `/v0/banking/accounts/${id}/close`, { reason: 'ByCustomer' })
      expectProblem(await send(id, { amount: 1 }), 409, 'account_not_open')
    })

    test('B9 refuses an unknown payment', async () => {
      for (const id of oddIds) {
        expectProblem(
          await bank.call('GET', `/v0/banking/payments/${encodeURIComponent(id)}`),
          404,
          'payment_not_found',
        )
      }
    })

    test('B10 accepts every filter, and amounts of 0', async () => {
      const account = await makeAccount(100_00)
      const small = await makePayment({ amount: 1, tags: { purpose: 'rent' } }, account)
      const large = await makePayment({ amount: 30_00 }, account)
      const list = async (query: string) =>
        idsOf(await expectOf('listPayments', 'GET', `/v0/banking/payments?accountId=${account}&${query}`)).sort()
      const both = [small.id, large.id].sort()
      expect(await list(`customerId=${customerId}`)).toEqual(both)
      expect(await list(`counterpartyAccountId=${externalAccountId}`)).toEqual(both)
      expect(await list(`counterpartyAccountId=${nobody}`)).toEqual([])
      expect(await list(`paymentId=${large.id}`)).toEqual([large.id])
      expect(await list(`paymentId=${large.id}&toAmount=2999`)).toEqual([])
      expect(await list(`paymentId=${nobody}`)).toEqual([])
      expect(await list('fromAmount=0')).toEqual(both)
      expect(await list('toAmount=0')).toEqual([])
      expect(await list('fromAmount=1&toAmount=1')).toEqual([small.id])
      expect(await list(`tags=${encodeURIComponent('{"purpose":"rent"}')}`)).toEqual([small.id])
      expect(await list('type=achPayment&direction=Credit')).toEqual(both)
      expect(await list('type=bookPayment')).toEqual([])
      expect(await list('direction=Debit')).toEqual([])
      expect(await list('status=Canceled,Rejected')).toEqual([])
      expect(await list('since=2020-01-01')).toEqual(both)
      expect(await list('until=2020-01-01')).toEqual([])
      expect(await list('recurringPaymentId=9000000')).toEqual([])
      expect(await list('paymentFeature=SameDay')).toEqual([])
      expectProblem(await bank.call('GET', '/v0/banking/payments?fromAmount=2&toAmount=1'), 400, 'invalid_request')
    })
  })

  describe('external accounts', () => {
    test('B11 creates an external account', async () => {
      const made = await expectOf('createExternalAccount', 'POST', externalPath(customerId), external)
      expect(made).toMatchObject({ ...external, permissions: 'CreditOnly', customerId })
      expect(made.bank).not.toBe('')
      const reply = await bank.call('POST', externalPath(nobody), { body: external })
      expectProblem(reply, 404, 'customer_not_found')
    })

    test('B12 lists external accounts, oldest first, and filters by their numbers', async () => {
      const owner = await arrange.customer()
      expect(await expectOf('listExternalAccounts', 'GET', externalPath(owner))).toEqual([])
      const made = []
      for (const accountNumber of ['1', '22', '333']) {
        made.push(await ask(bank, 'POST', externalPath(owner), { ...external, accountNumber }))
      }
      expect(await expectOf('listExternalAccounts', 'GET', externalPath(owner))).toEqual(made)
      const found = await expectOf('listExternalAccounts', 'GET', `${externalPath(owner)}?accountNumber=22`)
      expect(found).toEqual([made[1]])
      expect(await ask(bank, 'GET', `${externalPath(owner)}?routingNumber=999999999`)).toEqual([])
      expectProblem(await bank.call('GET', externalPath(nobody)), 404, 'customer_not_found')
    })
  })

  describe('transactions', () => {
    test('B4 lists credits and debits, and B3 reads one with its relationships', async () => {
      const account = await makeAccount(50_00)
      const { id: paymentId } = await makePayment({}, account)
      const path = `/v0/banking/transactions?accountId=${account}`
      const [sent, received, ...more] = await expectOf('listTransactions', 'GET', path)
      expect(more).toEqual([])
      expect(sent).toMatchObject({
        type: opened.own.sentType,
        amount: 20_00,
        direction: 'Debit',
        balance: 30_00,
        summary: 'Grace Sample  |  Rent',
        counterparty: { name: 'Grace Sample', accountNumber: '9876543210' },
        tags: { originalType: 'ACH' },
      })
      expect(received).toMatchObject({ amount: 50_00, direction: 'Credit', balance: 50_00 })
      expect('attributes' in sent || 'relationships' in sent).toBe(false)
      const whole = await expectOf('getTransaction', 'GET', `/v0/banking/transactions/${sent.id}?accountId=${account}`)
      const { type, id, accountId, ...attributes } = sent
      expect(accountId).toBe(account)
      expect(whole).toMatchObject({ type, id, attributes })
      expect(whole.relationships.account.data.id).toBe(account)
      expect(whole.relationships.customer.data.id).toBe(customerId)
      expect(whole.relationships.customers.data).toHaveLength(1)
      expect(whole.relationships.payment.data.id).toBe(paymentId)
      for (const filter of ['direction=Credit', `customerId=${customerId}&until=2999-01-01&direction=Credit`]) {
        expect(idsOf(await ask(bank, 'GET', `${path}&${filter}`))).toEqual([received.id])
      }
      for (const filter of ['since=2999-01-01', `customerId=${nobody}`]) {
        expect(await ask(bank, 'GET', `${path}&${filter}`)).toEqual([])
      }
    })

    test('B3 refuses an unknown transaction and one of another account', async () => {
      const account = await makeAccount(1_00)
      const [{ id }] = await ask(bank, 'GET', `/v0/banking/transactions?accountId=${account}`)
      for (const path of [`${nobody}?accountId=${account}`, `${id}?accountId=${accountId}`, `${id}?accountId=abc`]) {
        expectProblem(await bank.call('GET', `/v0/banking/transactions/${path}`), 404, 'transaction_not_found')
      }
      expectProblem(await bank.call('GET', `/v0/banking/transactions/${id}`), 400, 'invalid_request')
    })
  })

  describe('authorizations, statements, tokens, documents', () => {
    test("B1 lists a customer's open authorizations", async () => {
      const owner = await arrange.customer()
      const { id: account } = await ask(bank, 'POST', '/v0/banking/accounts', { customerId: owner })
      await arrange.fund(account, 100_00)
      const card = await ask(bank, 'POST', '/v0/banking/cards', cardOf(account))
      await arrange.activate(card.id)
      const small = await arrange.authorize(card.id, 5_00)
      const large = await arrange.authorize(card.id, 9_00)
      const list = (query: string) =>
        expectOf(
          'listAuthorizations',
          'GET',
          `/v0/banking/authorizations?customerId=${owner}&status=Authorized${query}`,
        )
      const found = await list('')
      expect(idsOf(found).sort()).toEqual([small, large].sort())
      expect(found.find(({ id }: { id: string }) => id === small)).toMatchObject({
        status: 'Authorized',
        amount: 5_00,
        description: 'Sample Coffee',
        cardLast4Digits: card.last4Digits,
        merchant: { name: 'Sample Coffee', category: expect.any(String), location: expect.any(String) },
      })
      for (const filter of ['fromAmount=501', 'fromAmount=900&toAmount=900', `fromAmount=501&cardId=${card.id}`]) {
        expect(idsOf(await list(`&${filter}`))).toEqual([large])
      }
      expect(idsOf(await list('&fromAmount=0')).length).toBe(2)
      expect(await list(`&accountId=${nobody}`)).toEqual([])
      expect(await list('&since=2999-01-01')).toEqual([])
      const { available, hold } = await ask(bank, 'GET', `/v0/banking/accounts/${account}`)
      expect({ available, hold }).toEqual({ available: 86_00, hold: 14_00 })
      for (const query of ['', `customerId=${owner}`, `customerId=${owner}&status=Completed`]) {
        expectProblem(await bank.call('GET', `/v0/banking/authorizations?${query}`), 400, 'invalid_request')
      }
    })

    test('B2 creates a new token each time and forbids caching it', async () => {
      const path = `/v0/banking/customers/${customerId}/token-verifications`
      const { verificationToken } = await expectOf('createVerificationToken', 'POST', path)
      const again = await bank.call('GET', path)
      expect([again.status, again.headers['cache-control']]).toEqual([201, 'no-store'])
      expect(again.json.data.verificationToken).not.toBe(verificationToken)
      const reply = await bank.call('POST', `/v0/banking/customers/${nobody}/token-verifications`)
      expectProblem(reply, 404, 'customer_not_found')
    })

    test("B13 lists an account's statements, the latest month first", async () => {
      const account = await makeAccount()
      for (const period of ['2024-01', '2024-03', '2024-02']) await arrange.statement(account, period)
      const list = (query: string) =>
        expectOf('listStatements', 'GET', `/v0/banking/statements?accountId=${account}${query}`)
      const found = await list('')
      expect(found.map(({ period }: { period: string }) => period)).toEqual(['2024-03', '2024-02', '2024-01'])
      expect(found[0]).toMatchObject({ type: 'accountStatementDTO', accountId: account, customerId })
      expect(await list('&period=2024-02')).toEqual([found[1]])
      expect(await list('&sort=createdAt&limit=1')).toEqual([found[2]])
      expect(await expectOf('listStatements', 'GET', `/v0/banking/statements?accountId=${nobody}`)).toEqual([])
      expectProblem(await bank.call('GET', '/v0/banking/statements'), 400, 'invalid_request')
    })

    test('B17 accepts the back side of a document and answers nothing of its content', async () => {
      const { applicationId, documentId } = await arrange.application()
      const path = (application: string, document: string) =>
        `/v0/banking/applications/${application}/documents/${document}/back`
      const body = { file: png, contentType: 'image/png' }
      const document = await expectOf('uploadDocumentBack', 'POST', path(applicationId, documentId), body)
      expect(Object.keys(document).sort()).toEqual(['description', 'documentType', 'id', 'status'])
      expect(document).toMatchObject({ id: documentId, ...opened.own.backUploaded })
      const other = await arrange.application()
      expectProblem(await bank.call('POST', path(nobody, documentId), { body }), 404, 'application_not_found')
      for (const strange of [nobody, other.documentId]) {
        expectProblem(await bank.call('POST', path(applicationId, strange), { body }), 404, 'document_not_found')
      }
      const mislabelled = { file: png, contentType: 'application/pdf' }
      const reply = await bank.call('POST', path(applicationId, documentId), { body: mislabelled })
      expectProblem(reply, 422, 'content_type_mismatch')
      const broken = { file: 'not base64', contentType: 'image/png' }
      expectProblem(await bank.call('POST', path(applicationId, documentId), { body: broken }), 400, 'invalid_request')
    })
  })

  describe('lists', () => {
    test('have pages, newest first, with a link to the next page', async () => {
      const owner = await arrange.customer()
      const made: string[] = []
      for (let number = 0; number < 5; number++) {
        const { id } = await ask(bank, 'POST', externalPath(owner), { ...external, accountNumber: String(number) })
        made.push(id)
      }
      const walked: string[] = []
      let pages = 0
      let next: string | undefined = `${externalPath(owner)}?limit=2&sort=-createdAt`
      while (next && pages++ < 10) {
        const { json, headers }: Reply = await bank.call('GET', next)
        walked.push(...idsOf(json.data))
        next = /<([^>]+)>; rel="next"/.exec(String(headers.link ?? ''))?.[1]
      }
      expect([walked, pages]).toEqual([made.toReversed(), 3])
      expect(idsOf(await ask(bank, 'GET', `${externalPath(owner)}?limit=1&offset=4`))).toEqual([made[4]])
      expect(await ask(bank, 'GET', `${externalPath(owner)}?offset=1000000000000`)).toEqual([])
    })

    test('refuse a parameter that is unknown or out of range before the provider is called', async () => {
      for (const query of ['limit=0', 'limit=1001', 'offset=-1', 'sort=amount', 'limt=1', 'accountId=']) {
        expectProblem(await bank.call('GET', `/v0/banking/payments?${query}`), 400, 'invalid_request')
      }
    })

    test('are empty where a filter holds an impossible id', async () => {
      for (const id of oddIds) {
        const query = `accountId=${encodeURIComponent(id)}`
        for (const list of ['payments', 'transactions', 'cards', 'statements']) {
          expect(await ask(bank, 'GET', `/v0/banking/${list}?${query}`), `${list} ${id}`).toEqual([])
        }
      }
    })
  })

  describe('idempotency', () => {
    interface Sample {
      id: string
      path: string
      body?: unknown
    }

    /** Every write of the interface, as a request that can succeed only once. */
    async function writes(): Promise<Sample[]> {
      const closed = await makeAccount()
      await ask(bank, 'POST', `/v0/banking/accounts/${closed}/close`, { reason: 'ByCustomer' })
      const { applicationId, documentId } = await arrange.application()
      return [
        { id: 'createVerificationToken', path: `/v0/banking/customers/${customerId}/token-verifications` },
        { id: 'createCard', path: '/v0/banking/cards', body: cardOf(accountId) },
        { id: 'replaceCard', path: `/v0/banking/cards/${cardId}/replace`, body: { shippingAddress } },
        {
          id: 'createPayment',
          path: paymentPath(accountId),
          body: { ...payment, counterpartyAccountId: externalAccountId, amount: 1 },
        },
        { id: 'createExternalAccount', path: externalPath(customerId), body: external },
        { id: 'createAccount', path: '/v0/banking/accounts', body: { customerId } },
        { id: 'reopenAccount', path: `/v0/banking/accounts/${closed}/reopen` },
        {
          id: 'uploadDocumentBack',
          path: `/v0/banking/applications/${applicationId}/documents/${documentId}/back`,
          body: { file: png, contentType: 'image/png' },
        },
      ]
    }

    test('repeats the first answer byte for byte for the same key and request', async () => {
      for (const { id, path, body } of await writes()) {
        const headers = { 'idempotency-key': `replay-${id}` }
        const first = await bank.call('POST', path, { body, headers })
        const again = await bank.call('POST', path, { body, headers })
        expect([first.status < 300, again.status, again.text], id).toEqual([true, first.status, first.text])
        expect([first.headers['idempotent-replayed'], again.headers['idempotent-replayed']]).toEqual([
          undefined,
          'true',
        ])
        const other = await bank.call('POST', '/v0/banking/accounts', { body: { customerId: '4711' }, headers })
        expectProblem(other, 422, 'idempotency_key_reused')
      }
    })

    test('has one effect and one answer when twenty requests run at once', async () => {
      const headers = { 'idempotency-key': 'twenty-at-once' }
      const owner = await arrange.customer()
      const body = external
      const replies = await Promise.all(
        Array.from({ length: 20 }, () => bank.call('POST', externalPath(owner), { body, headers })),
      )
      expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
      expect(replies.filter((reply) => reply.headers['idempotent-replayed'] === undefined)).toHaveLength(1)
      expect(await ask(bank, 'GET', externalPath(owner))).toHaveLength(1)
    })

    test('does not store a refusal, so that the same key succeeds after funding', async () => {
      const account = await makeAccount()
      const body = { ...payment, counterpartyAccountId: externalAccountId }
      const headers = { 'idempotency-key': 'refused-then-funded' }
      for (let time = 0; time < 2; time++) {
        expectProblem(await bank.call('POST', paymentPath(account), { body, headers }), 422, 'insufficient_funds')
      }
      await arrange.fund(account, 20_00)
      const paid = await bank.call('POST', paymentPath(account), { body, headers })
      expect([paid.status, paid.headers['idempotent-replayed']]).toEqual([201, undefined])
      expect((await bank.call('POST', paymentPath(account), { body, headers })).text).toBe(paid.text)
      expect((await ask(bank, 'GET', `/v0/banking/accounts/${account}`)).balance).toBe(0)
    })

    test('allows a refused key for another request', async () => {
      const headers = { 'idempotency-key': 'refused-then-other' }
      const unknown = await bank.call('POST', '/v0/banking/accounts', { body: { customerId: nobody }, headers })
      expectProblem(unknown, 404, 'customer_not_found')
      expect((await bank.call('POST', '/v0/banking/accounts', { body: { customerId }, headers })).status).toBe(201)
    })

    test('gives every request without a key an effect of its own', async () => {
      const owner = await arrange.customer()
      for (let time = 0; time < 2; time++) await ask(bank, 'POST', externalPath(owner), external)
      expect(await ask(bank, 'GET', externalPath(owner))).toHaveLength(2)
    })
  })

  test('the provider is asked and answers only as it is described', () => {
    expect(opened.faults()).toEqual([])
  })
})
