import { pino } from 'pino'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Operation } from '../../../src/base/operation.ts'
import { withOpenWords } from '../../../src/base/text.ts'
import { operations } from '../../../src/operations.ts'
import { type OpenedUnit, openUnitBanking } from '../../support/banking-providers.ts'
import { shippingAddress } from '../../support/cards.ts'
import { type Example, examplesOf, transactionTypes, type UnitType } from '../../support/fakes/unit-shapes.ts'
import type { Reply } from '../../support/harness.ts'
import { applicant } from '../../support/world.ts'

/** Every operation is answered by Unit with every record that the description allows, through one service. */
let opened: OpenedUnit
beforeAll(async () => {
  opened = await openUnitBanking({}, { log: pino({ level: 'silent' }) })
})
afterAll(() => opened.close())

// biome-ignore lint/suspicious/noExplicitAny: tests read answers as the JSON they are
type Json = any
type UnitRecord = Example['record']

const file = { file: 'iVBORw0KGgo=', contentType: 'image/png' }

const deposits: UnitType[] = ['depositAccount']
const individualCards: UnitType[] = ['individualDebitCard', 'individualVirtualDebitCard']
const businessCards: UnitType[] = [
  ...(['businessDebitCard', 'businessVirtualDebitCard'] as const),
  ...(['businessCreditCard', 'businessVirtualCreditCard'] as const),
]
const payments: UnitType[] = ['achPayment', 'bookPayment', 'wirePayment', 'pushToCardPayment']

/** Members that the interface always shows, and that Unit may leave out: a record without one cannot be shown. */
const needs: Partial<Record<UnitType, string[]>> = {
  depositAccount: ['accountNumber', 'customer'],
  ...Object.fromEntries(businessCards.map((type) => [type, ['status']])),
  businessCustomer: ['createdAt'],
  accountLowBalanceClosureTransaction: ['direction'],
  statement: ['period', 'account', 'customer'],
  accountStatementDTO: ['period', 'account', 'customer'],
}

function lacks({ type, attributes, relationships }: UnitRecord): boolean {
  const related = { customer: relationships.customers, ...relationships }
  return (needs[type] ?? []).some((name) => (attributes[name] ?? related[name]?.data ?? null) === null)
}

const validators = new Map<string, ReturnType<typeof Compile>>()
function operationOf(id: string): Operation {
  return operations.find((one) => one.id === id) as Operation
}
/** The faults of an answer by the service's own OpenAPI document. */
function faultsOf(id: string, data: unknown) {
  const validator = validators.get(id) ?? Compile(withOpenWords(operationOf(id).data))
  validators.set(id, validator)
  return validator.Errors(data)
}

/** The other party of a payment or transaction, by the members that its type has. */
function counterpartyOf({ attributes }: UnitRecord) {
  const given = attributes.counterparty ?? attributes.receiverCounterparty ?? {}
  const named = attributes.counterpartyName ?? attributes.companyName ?? attributes.merchant?.name ?? attributes.atmName
  return {
    name: given.name ?? named ?? '',
    routingNumber: given.routingNumber ?? attributes.counterpartyRoutingNumber ?? '',
    accountNumber: given.accountNumber ?? '',
    accountType: given.accountType ?? '',
  }
}

/** Holds an answer against the record that it was made of. */
function expectShown(record: UnitRecord, data: Json): void {
  const { attributes, relationships } = record
  const shown = data.attributes ?? data
  expect(data.id).toBe(record.id)
  const same = ['amount', 'available', 'balance', 'direction', 'hold', 'last4Digits', 'name', 'period', 'status']
  for (const name of [...same, 'summary', 'routingNumber', 'accountNumber', 'accountType', 'documentType']) {
    if (name in shown && typeof (attributes[name] ?? undefined) !== 'undefined')
      expect(shown[name]).toEqual(attributes[name])
  }
  if (shown.createdAt) expect(Date.parse(shown.createdAt)).toBe(Date.parse(attributes.createdAt))
  if (shown.customerId) {
    const [first] = relationships.customers?.data ?? []
    expect(shown.customerId).toBe(relationships.customer?.data?.id ?? first.id)
  }
  if (shown.accountId) expect(shown.accountId).toBe(relationships.account.data.id)
  if (shown.counterparty) expect(shown.counterparty).toEqual(counterpartyOf(record))
  if (/Transaction$/.test(record.type)) {
    const paymentId = relationships.payment?.data?.id
    expect(shown.tags).toEqual({ ...(paymentId && { paymentId }), ...attributes.tags })
    expect(Object.keys(shown)).not.toContain('interchange')
  }
  if (!data.relationships) return
  expect(data.relationships.account).toEqual(relationships.account)
  expect(data.relationships.payment).toEqual(relationships.payment?.data ? relationships.payment : undefined)
  const customers = relationships.customers?.data ?? [relationships.customer?.data].filter(Boolean)
  expect(data.relationships.customers?.data ?? []).toEqual(customers)
  expect(data.relationships.customer?.data).toEqual(customers[0])
}

async function call(method: string, path: string, body?: unknown): Promise<Reply> {
  return opened.bank.call(method, `/v0/banking${path}`, { body })
}

function expectAnswer(operation: string, reply: Reply, what: string): Json {
  expect([reply.status, reply.text.slice(0, 300)], what).toEqual([operationOf(operation).status, expect.anything()])
  expect(faultsOf(operation, reply.json.data), `${what}: ${reply.text.slice(0, 500)}`).toEqual([])
  return reply.json.data
}

describe('a record of Unit is shown', () => {
  const reads: { operation: string; path: string; types: UnitType[] }[] = [
    { operation: 'getAccount', path: '/accounts/4711', types: deposits },
    { operation: 'getCard', path: '/cards/4711', types: [...individualCards, ...businessCards] },
    { operation: 'getCustomer', path: '/customers/4711', types: ['individualCustomer', 'businessCustomer'] },
    { operation: 'getPayment', path: '/payments/4711', types: payments },
    { operation: 'getTransaction', path: '/transactions/4711?accountId=1', types: transactionTypes },
    { operation: 'getAuthorization', path: '/authorizations/4711', types: ['authorization'] },
    {
      operation: 'getApplication',
      path: '/applications/4711',
      types: ['individualApplication', 'businessApplication'],
    },
  ]
  const cases = reads.flatMap(({ types, ...read }) => types.map((type) => ({ ...read, type })))

  test.each(cases)('$operation: $type', async ({ operation, path, type }) => {
    for (const { what, record } of examplesOf(type)) {
      opened.fake.server.misbehave({ status: 200, body: { data: record } })
      const reply = await call('GET', path)
      if (lacks(record)) expect([reply.status, reply.json.code], what).toEqual([502, 'upstream_error'])
      else expectShown(record, expectAnswer(operation, reply, what))
    }
  })

  test('getAccount: accounts of other kinds are unknown', async () => {
    for (const type of ['creditAccount', 'walletAccount'] as const) {
      for (const { what, record } of examplesOf(type)) {
        opened.fake.server.misbehave({ status: 200, body: { data: record } })
        const reply = await call('GET', '/accounts/4711')
        expect([reply.status, reply.json.code], `${type} ${what}`).toEqual([404, 'account_not_found'])
      }
    }
  })

  test('getApplication: its documents, without those that cannot be read', async () => {
    const included = examplesOf('document').map(({ record }, at) => ({ ...record, id: String(at + 1) }))
    const [application] = examplesOf('individualApplication')
    const unreadable = { type: 'document', id: '999', attributes: {} }
    const body = { data: application?.record, included: [unreadable, ...included] }
    opened.fake.server.misbehave({ status: 200, body })
    const { documents } = expectAnswer('getApplication', await call('GET', '/applications/4711'), 'documents')
    expect(documents.map(({ id }: Json) => id)).toEqual(included.map(({ id }) => id))
    for (const [at, record] of included.entries()) {
      expect(Object.keys(documents[at]).sort()).toEqual(['description', 'documentType', 'id', 'status'])
      expectShown(record, documents[at])
    }
  })
})

describe('a list of Unit is shown', () => {
  const lists: { operation: string; path: string; types: UnitType[] }[] = [
    { operation: 'listAccounts', path: '/accounts?', types: [...deposits, 'creditAccount', 'walletAccount'] },
    { operation: 'listCards', path: '/cards?', types: [...individualCards, ...businessCards] },
    {
      operation: 'listApplications',
      path: '/applications?',
      types: ['individualApplication', 'businessApplication'],
    },
    { operation: 'listCustomers', path: '/customers?', types: ['individualCustomer', 'businessCustomer'] },
    { operation: 'listPayments', path: '/payments?', types: payments },
    { operation: 'listTransactions', path: '/transactions?', types: transactionTypes },
    {
      operation: 'listAuthorizations',
      path: '/authorizations?customerId=1&status=Authorized&',
      types: ['authorization'],
    },
    { operation: 'listExternalAccounts', path: '/customers/1/external-accounts?', types: ['achCounterparty'] },
    { operation: 'listStatements', path: '/statements?accountId=1&', types: ['statement', 'accountStatementDTO'] },
  ]
  const isShown = (record: UnitRecord) => !lacks(record) && !/^(credit|wallet)Account$/.test(record.type)

  test.each(lists)('$operation: every record that can be shown', async ({ operation, path, types }) => {
    const records = types.flatMap(examplesOf).map(({ record }, at) => ({ ...record, id: String(at + 1) }))
    for (let from = 0; from < records.length; from += 1_000) {
      const data = records.slice(from, from + 1_000)
      opened.fake.server.misbehave({ status: 200, body: { data } })
      const reply = await call('GET', `${path}limit=1000`)
      const shown = expectAnswer(operation, reply, operation)
      const good = data.filter(isShown)
      expect(shown.map(({ id }: Json) => id)).toEqual(good.map(({ id }) => id))
      for (const [at, record] of good.entries()) expectShown(record, shown[at])
      const omitted = data.length - good.length
      expect(reply.headers['omitted-records']).toBe(omitted > 0 ? String(omitted) : undefined)
    }
  })

  test.each(lists)('$operation: one unreadable record among good ones', async ({ operation, path, types }) => {
    const [good] = examplesOf(types[0] as UnitType)
    const record = good?.record as UnitRecord
    const bad = { type: record.type, id: '2', attributes: {}, relationships: {} }
    for (const unreadable of [bad, { ...bad, attributes: null }, { id: '2' }, null, 'text', []]) {
      const data = [{ ...record, id: '1' }, unreadable, { ...record, id: '3' }]
      opened.fake.server.misbehave({ status: 200, body: { data, meta: { pagination: { total: 3 } } } })
      const reply = await call('GET', `${path}limit=1000`)
      const shown = expectAnswer(operation, reply, JSON.stringify(unreadable))
      expect(shown.map(({ id }: Json) => id)).toEqual(['1', '3'])
      expect(reply.headers['omitted-records']).toBe('1')
    }
  })
})

describe('a write is answered with the record that Unit sends', () => {
  const external = {
    ...{ type: 'Person', name: 'Grace Sample', routingNumber: '021000021', accountNumber: '1' },
    accountType: 'Checking',
  }
  const payment = { amount: 20_00, counterpartyAccountId: '1', description: 'Rent', originalType: 'ACH' }
  /** Creations carry an idempotency key, so that the outcome of one whose answer cannot be read is found out later. */
  const writes: { operation: string; path: string; types: UnitType[]; body?: object; keyed?: true }[] = [
    { operation: 'createAccount', path: '/accounts', types: deposits, body: { customerId: '1' }, keyed: true },
    {
      ...{ operation: 'createPayment', path: '/accounts/1/payments', keyed: true },
      ...{ types: ['achPayment'], body: payment },
    },
    {
      ...{ operation: 'createBookTransfer', path: '/accounts/1/transfers', keyed: true },
      ...{ types: ['bookPayment'], body: { toAccountId: '2', amount: 20_00, description: 'Savings' } },
    },
    {
      ...{ operation: 'createExternalAccount', path: '/customers/1/external-accounts', keyed: true },
      ...{ types: ['achCounterparty'], body: external },
    },
    {
      ...{ operation: 'createApplication', path: '/applications', keyed: true },
      ...{ types: ['individualApplication'], body: applicant },
    },
    { operation: 'replaceCard', path: '/cards/1/replace', types: ['individualDebitCard'], body: { shippingAddress } },
    ...['freeze', 'unfreeze', 'reopen'].map((move) => ({
      ...{ operation: `${move}Account`, path: `/accounts/1/${move}`, types: deposits },
    })),
    { operation: 'closeAccount', path: '/accounts/1/close', types: deposits, body: { reason: 'ByCustomer' } },
    ...['freeze', 'unfreeze', 'close'].map((move) => ({
      ...{ operation: `${move}Card`, path: `/cards/1/${move}`, types: individualCards },
    })),
    { operation: 'reportLostCard', path: '/cards/1/report-lost', types: businessCards },
    { operation: 'reportStolenCard', path: '/cards/1/report-stolen', types: individualCards },
    { operation: 'uploadDocumentFront', path: '/applications/1/documents/2', types: ['document'], body: file },
    { operation: 'uploadDocumentBack', path: '/applications/1/documents/2/back', types: ['document'], body: file },
  ]
  /** The forms of a record, and its states: the values of other members are read above. */
  const isOfInterest = ({ what }: Example) => !what.includes(' ') || what.startsWith('status ')

  test.each(writes)('$operation', async ({ operation, path, types, body, keyed }) => {
    for (const type of types) {
      for (const { what, record } of examplesOf(type).filter(isOfInterest)) {
        opened.fake.server.misbehave({ status: operationOf(operation).status, body: { data: record } })
        const reply = await call('POST', path, body)
        if (lacks(record)) {
          const code = keyed ? 'upstream_error' : 'upstream_outcome_unknown'
          expect([reply.status, reply.json.code], `${type} ${what}`).toEqual([502, code])
        } else if (
          ['createPayment', 'createBookTransfer'].includes(operation) &&
          record.attributes.status === 'Rejected'
        ) {
          expect([reply.status, reply.json.code]).toEqual([422, 'payment_rejected'])
        } else expectShown(record, expectAnswer(operation, reply, `${type} ${what}`))
      }
    }
  })

  test('createCard', async () => {
    const customer = opened.fake.addCustomer()
    const { json } = await call('POST', '/accounts', { customerId: customer.id })
    const accountId = json.data.id
    for (const type of individualCards) {
      const body = { type, accountId, ...(type === 'individualDebitCard' && { shippingAddress }) }
      for (const { what, record } of examplesOf(type).filter(isOfInterest)) {
        opened.fake.server.misbehave({ status: 201, body: { data: record } })
        expectShown(record, expectAnswer('createCard', await call('POST', '/cards', body), `${type} ${what}`))
      }
    }
  })

  test('createVerificationToken', async () => {
    for (const { what, record } of examplesOf('customerTokenVerification')) {
      opened.fake.server.misbehave({ status: 201, body: { data: record } })
      const reply = await call('POST', '/customers/1/token-verifications')
      const { verificationToken } = expectAnswer('createVerificationToken', reply, what)
      expect(verificationToken).toBe(record.attributes.verificationToken)
    }
  })
})

test.each([400, 404] as const)('an unknown id in a path, which Unit answers with %i, is our 404', async (status) => {
  opened.fake.books.unknownId = status
  const reads = {
    ...{ '/accounts/4711': 'account_not_found', '/cards/4711': 'card_not_found' },
    ...{ '/customers/4711': 'customer_not_found', '/payments/4711': 'payment_not_found' },
    ...{ '/customers/4711/external-accounts': 'customer_not_found', '/applications/4711': 'application_not_found' },
    ...{ '/transactions/4711?accountId=1': 'transaction_not_found', '/authorizations/4711': 'authorization_not_found' },
    ...{ '/statements/4711?format=html': 'statement_not_found', '/statements/4711/pdf': 'statement_not_found' },
  }
  for (const [path, code] of Object.entries(reads)) {
    const reply = await call('GET', path)
    expect([path, reply.status, reply.json.code]).toEqual([path, 404, code])
  }
  const moves = {
    ...{ '/accounts/4711/reopen': 'account_not_found', '/cards/4711/freeze': 'card_not_found' },
    '/customers/4711/token-verifications': 'customer_not_found',
  }
  for (const [path, code] of Object.entries(moves)) {
    const reply = await call('POST', path)
    expect([path, reply.status, reply.json.code]).toEqual([path, 404, code])
  }
  expect((await call('DELETE', '/external-accounts/4711')).json.code).toBe('external_account_not_found')
  const { applicationId } = await opened.arrange.application()
  for (const [id, code] of [
    ['4711', 'application_not_found'],
    [applicationId, 'document_not_found'],
  ]) {
    const reply = await call('POST', `/applications/${id}/documents/4711`, file)
    expect([reply.status, reply.json.code]).toEqual([404, code])
  }
})

test('every operation that Unit serves with a record is among these', () => {
  const served = new Set(validators.keys())
  const others = [
    // Answered without a record, as a document, or not by Unit.
    ...[
      'updateExternalAccount',
      'deleteExternalAccount',
      'getStatement',
      'getStatementPdf',
      'activateCard',
      'cancelPayment',
    ],
    ...['listAllAuthorizations', 'giveMandate', 'revokeMandate', 'attestExternalAccount'],
    ...['startVerification', 'confirmVerification'],
    ...['getAccountLimits', 'setAccountLimits'],
    ...['createAccountHold', 'listAccountHolds', 'getAccountHold', 'releaseAccountHold'],
    ...['listAchBatches', 'getAchBatch', 'listAchEntries'],
    ...['getCardLimits', 'setCardLimits', 'createPaymentBatch'],
    ...['blockPayments', 'releasePayments', 'retryPayment', 'reversePayment', 'getReturnRates'],
    ...['createRecurringPayment', 'listRecurringPayments', 'getRecurringPayment', 'pauseRecurringPayment'],
    ...['resumeRecurringPayment', 'skipRecurringPayment', 'changeRecurringPayment', 'cancelRecurringPayment'],
    ...['listRecurringPaymentRuns', 'listPlannedPayments'],
    ...['getAchReconciliation', 'listReceivedPayments', 'getReceivedPayment', 'returnReceivedPayment'],
  ]
  const banking = operations.filter(({ area }) => area === 'banking').map(({ id }) => id)
  expect(banking.filter((id) => !served.has(id) && !others.includes(id))).toEqual([])
})
