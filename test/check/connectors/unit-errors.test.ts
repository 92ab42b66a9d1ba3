import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Operation } from '../../../src/base/operation.ts'
import type { ProblemCode } from '../../../src/base/problem.ts'
import { refusals } from '../../../src/base/refusals.ts'
import { openUnitBank } from '../../../src/connectors/unit/unit.ts'
import { eventCatalogue } from '../../../src/event-catalogue.ts'
import { openapiOf } from '../../../src/http/openapi/document.ts'
import { operations } from '../../../src/operations.ts'
import { type OpenedUnit, openUnitBanking } from '../../support/banking-providers.ts'
import { shippingAddress } from '../../support/cards.ts'
import type { FakeReply } from '../../support/fakes/server.ts'
import type { Reply } from '../../support/harness.ts'
import { applicant } from '../../support/world.ts'

const file = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
const upload = { file, contentType: 'image/png' }

/** A request for each operation, below /v0/banking. No record exists: Unit's answers are given by the test. */
const requests: Record<string, [path: string, body?: object]> = {
  createAccount: ['/accounts', { customerId: '1' }],
  getAccount: ['/accounts/1'],
  listAccounts: ['/accounts?customerId=1'],
  closeAccount: ['/accounts/1/close', { reason: 'ByCustomer' }],
  reopenAccount: ['/accounts/1/reopen'],
  freezeAccount: ['/accounts/1/freeze'],
  unfreezeAccount: ['/accounts/1/unfreeze'],
  createApplication: ['/applications', applicant],
  getApplication: ['/applications/1'],
  uploadDocumentFront: ['/applications/1/documents/2', upload],
  uploadDocumentBack: ['/applications/1/documents/2/back', upload],
  listAuthorizations: ['/authorizations?customerId=1&status=Authorized'],
  getAuthorization: ['/authorizations/1'],
  createCard: ['/cards', { type: 'individualVirtualDebitCard', accountId: '1' }],
  replaceCard: ['/cards/1/replace', { shippingAddress }],
  listCards: ['/cards?accountId=1'],
  getCard: ['/cards/1'],
  freezeCard: ['/cards/1/freeze'],
  unfreezeCard: ['/cards/1/unfreeze'],
  closeCard: ['/cards/1/close'],
  reportLostCard: ['/cards/1/report-lost'],
  reportStolenCard: ['/cards/1/report-stolen'],
  createVerificationToken: ['/customers/1/token-verifications'],
  getCustomer: ['/customers/1'],
  listApplications: ['/applications'],
  listCustomers: ['/customers'],
  createExternalAccount: [
    '/customers/1/external-accounts',
    { type: 'Person', name: 'Grace', routingNumber: '021000021', accountNumber: '1', accountType: 'Checking' },
  ],
  listExternalAccounts: ['/customers/1/external-accounts'],
  deleteExternalAccount: ['/external-accounts/1'],
  createPayment: [
    '/accounts/1/payments',
    { amount: 20_00, counterpartyAccountId: '2', description: 'Rent', originalType: 'ACH' },
  ],
  createBookTransfer: ['/accounts/1/transfers', { toAccountId: '2', amount: 20_00, description: 'Savings' }],
  getPayment: ['/payments/1'],
  listPayments: ['/payments?accountId=1'],
  listStatements: ['/statements?accountId=1'],
  getStatement: ['/statements/1?format=html'],
  getStatementPdf: ['/statements/1/pdf'],
  getTransaction: ['/transactions/1?accountId=2'],
  listTransactions: ['/transactions?accountId=1'],
}
const ids = Object.keys(requests)
const accountMoves = ['closeAccount', 'reopenAccount', 'freezeAccount', 'unfreezeAccount']
const cardMoves = ['replaceCard', 'freezeCard', 'unfreezeCard', 'closeCard', 'reportLostCard', 'reportStolenCard']
const uploads = ['uploadDocumentFront', 'uploadDocumentBack']
const filtered = [
  'listAccounts',
  'listAuthorizations',
  'listCards',
  'listPayments',
  'listStatements',
  'listTransactions',
]

/** The answer to a refusal: a problem, or an empty list. */
type Answer = ProblemCode | 'empty'
type Answers = Record<string, Answer>

/** The same answer for several operations. */
const all = (named: string[], answer: Answer): Answers => Object.fromEntries(named.map((id) => [id, answer]))

/** The answers to a refusal that does not name the record that is missing. */
const ownRecord: Answers = {
  ...all(filtered, 'empty'),
  ...all([...accountMoves, 'getAccount', 'createCard', 'createPayment', 'createBookTransfer'], 'account_not_found'),
  ...all([...cardMoves, 'getCard'], 'card_not_found'),
  ...all([...uploads, 'getApplication'], 'application_not_found'),
  ...all(
    ['createAccount', 'createVerificationToken', 'createExternalAccount', 'listExternalAccounts', 'getCustomer'],
    'customer_not_found',
  ),
  ...all(['getStatement', 'getStatementPdf'], 'statement_not_found'),
  getAuthorization: 'authorization_not_found',
  deleteExternalAccount: 'external_account_not_found',
  getPayment: 'payment_not_found',
  getTransaction: 'transaction_not_found',
}

/** The operations whose request names a customer. */
const ofCustomers = [
  'createAccount',
  'createVerificationToken',
  'createExternalAccount',
  'listExternalAccounts',
  'getCustomer',
]
const none: Answers = {}
const emptyLists = all(filtered, 'empty')
const writes = ids.filter((id) => operationOf(id).method !== 'GET')

/**
 * Every documented code, with the operations that answer it in another way than with 422 refused_by_provider. A code that names
 * a record which the operation does not name is no reason to call the operation's own record missing.
 */
const codes: [status: number, code: string, answers: Answers][] = [
  [400, 'not_found', ownRecord],
  [
    400,
    'account_not_found',
    {
      ...emptyLists,
      ...all([...accountMoves, 'getAccount', 'createCard', 'createPayment', 'createBookTransfer'], 'account_not_found'),
      getTransaction: 'transaction_not_found',
    },
  ],
  [400, 'card_not_found', { ...emptyLists, ...all([...cardMoves, 'getCard'], 'card_not_found') }],
  [400, 'customer_not_found', { ...emptyLists, ...all(ofCustomers, 'customer_not_found') }],
  [400, 'counterparty_not_found', all(['createPayment', 'deleteExternalAccount'], 'external_account_not_found')],
  [400, 'document_not_found', all(uploads, 'document_not_found')],
  [404, 'document_not_found', all(uploads, 'document_not_found')],
  [400, 'routing_number_not_found', all(['createExternalAccount', 'createPayment'], 'invalid_routing_number')],
  [400, 'pin_not_found', none],
  [400, 'user_not_found', none],
  [409, 'already_exists', all(writes, 'already_exists')],
  [
    400,
    'not_supported_for_account_status',
    {
      ...all(writes, 'wrong_state'),
      ...all(['createCard', 'createPayment', 'createBookTransfer', 'freezeAccount', 'replaceCard'], 'account_not_open'),
      closeAccount: 'account_closed',
      reopenAccount: 'account_not_closed',
      unfreezeAccount: 'account_not_frozen',
    },
  ],
  [400, 'not_supported_for_card_status', { ...all(writes, 'wrong_state'), ...all(cardMoves, 'card_wrong_state') }],
  [
    400,
    'not_supported_for_application_status',
    { ...all(writes, 'wrong_state'), ...all(uploads, 'application_wrong_state') },
  ],
  [409, 'conflict', all(writes, 'wrong_state')],
  [400, 'not_supported_for_account_type', none],
  [400, 'not_supported_for_card_type', none],
  [400, 'not_supported_for_card', none],
  [
    400,
    'account_customer_mismatch',
    { ...all(ofCustomers, 'customer_not_found'), listExternalAccounts: 'refused_by_provider' },
  ],
  [400, 'feature_disabled', none],
  [400, 'invalid_value', none],
  [400, 'limits_exceeded', none],
  [400, 'payment_invalid', none],
  [422, 'a_code_of_tomorrow', none],
]

const meta = { supportId: 'support-4711' }
const errorOf = (status: number, own: object = {}) => ({ status: String(status), title: 'Refused', meta, ...own })
const html = Buffer.from('<html><body>oops</body></html>')

/** Replies that are not about the caller's request: 502. */
const faultsOfOurs: [what: string, reply: FakeReply][] = [
  ...[401, 403, 405, 406, 415].flatMap((status): [string, FakeReply][] => [
    [`${status} with a reason`, { status, body: { errors: [errorOf(status, { code: 'account_not_found' })] } }],
    [`${status} with HTML`, { status, body: html }],
  ]),
  ...[400, 404, 409, 413, 422].flatMap((status): [string, FakeReply][] => [
    [`${status} with an empty body`, { status, body: undefined }],
    [`${status} with HTML`, { status, body: html }],
    [`${status} with other JSON`, { status, body: { message: 'no such route' } }],
  ]),
  ['400 with an empty list', { status: 400, body: [] }],
  ['400 with no errors', { status: 400, body: { errors: [] } }],
  ['302 to another place', { status: 302, body: undefined, headers: { Location: '/elsewhere' } }],
]

let opened: OpenedUnit
beforeAll(async () => {
  // No request has the time to wait for the end of a rate limit.
  const timeouts = { callMs: 10_000, totalMs: 30_000, uploadMs: 30_000 }
  opened = await openUnitBanking({ timeouts, limitMs: 60_000 })
})
afterAll(() => opened.close())
beforeEach(() => opened.fake.server.misbehave())

function operationOf(id: string): Operation {
  const found = operations.find((operation) => operation.id === id)
  if (!found) throw new Error(`there is no operation ${id}`)
  return found
}

/** Sends the request of an operation, all calls of which Unit answers with the same reply. */
async function refusedWith(reply: FakeReply, id: string): Promise<Reply> {
  opened.fake.server.misbehave(...Array<FakeReply>(10).fill(reply))
  const [path, body] = requests[id] ?? ['']
  return opened.bank.call(operationOf(id).method, `/v0/banking${path}`, { body })
}

interface Documented {
  $ref?: string
  content: { 'application/problem+json': { examples: Record<string, unknown> } }
}
const document = openapiOf(operations, '0', eventCatalogue) as {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, Documented> }>>
  components: { schemas: { Problem: object }; responses: Record<string, Documented> }
}
const isProblem = Compile({ ...document.components.schemas.Problem, components: document.components } as never)
const documented = new Map(
  Object.values(document.paths).flatMap((methods) =>
    Object.values(methods).map(({ operationId, responses }) => [operationId, responses] as const),
  ),
)

/** The codes that our own description has for an operation and a status. */
function codesOf(id: string, status: number): string[] {
  const response = documented.get(id)?.[status]
  const found = response?.$ref ? document.components.responses[response.$ref.split('/').at(-1) ?? ''] : response
  return Object.keys(found?.content['application/problem+json'].examples ?? {})
}

/** Holds an answer against the expected one, and a problem against our own description of the operation. */
function expectAnswer(reply: Reply, id: string, expected: Answer): void {
  if (expected === 'empty') {
    expect([id, reply.status, reply.json]).toEqual([id, 200, { data: [] }])
    return
  }
  expect([id, reply.json?.code, reply.status], reply.text).toEqual([id, expected, refusals[expected].status])
  expect(isProblem.Check(reply.json), reply.text).toBe(true)
  expect(codesOf(id, reply.status), id).toContain(expected)
}

test('Every operation that Unit serves is tried', () => {
  const served = Object.keys(openUnitBank({ client: undefined as never, claims: undefined as never }))
  expect(ids.sort()).toEqual(served.sort())
})

test('operations that Unit does not serve are those of the built-in bank only, and say so', async () => {
  const own = operations.filter(({ area, id }) => area === 'banking' && !ids.includes(id))
  const debits = [
    'startVerification',
    'attestExternalAccount',
    'giveMandate',
    'retryPayment',
    'reversePayment',
    'blockPayments',
  ]
  expect(own.map(({ id }) => id)).toEqual(
    expect.arrayContaining([...debits, 'getReturnRates', 'createRecurringPayment']),
  )
  for (const { id, method, path } of own) {
    const { status, json } = await opened.bank.call(
      method,
      path.replace(/:\w+/g, '1'),
      method === 'GET' ? {} : { body: {} },
    )
    expect([id, status, json.code]).toEqual([id, 501, 'not_supported_by_provider'])
  }
})

describe.each(codes)('Unit refuses with %i %s', (status, code, answers) => {
  const forms = {
    'in errors': { errors: [errorOf(status, { code, details: 'the reason' })] },
    'as a list': [errorOf(status, { code, detail: 'the reason' })],
  }
  test.each(Object.entries(forms))('%s', async (_form, body) => {
    for (const id of ids) {
      const reply = await refusedWith({ status, body }, id)
      const expected = answers[id] ?? 'refused_by_provider'
      expectAnswer(reply, id, expected)
      if (expected === 'empty') continue
      const place = code === 'routing_number_not_found' ? { pointer: '/routingNumber' } : {}
      expect(reply.json.errors, id).toEqual([{ ...place, code, message: 'the reason', supportId: 'support-4711' }])
    }
  })
})

test('Unit answers 404 in its own form: the record of the operation is missing', async () => {
  for (const id of ids) {
    const reply = await refusedWith({ status: 404, body: { errors: [errorOf(404)] } }, id)
    expectAnswer(reply, id, ownRecord[id] ?? 'upstream_error')
  }
})

test('Unit names the records that exist already', async () => {
  const errors = [errorOf(409, { code: 'already_exists', meta: { ...meta, existingIds: ['7', '8'] } })]
  for (const id of writes) {
    const reply = await refusedWith({ status: 409, body: { errors } }, id)
    expectAnswer(reply, id, 'already_exists')
    expect(reply.json.errors).toMatchObject([{ existingIds: ['7', '8'] }])
  }
})

test('Unit does not say which of two records is missing: Purser looks', async () => {
  const missing = { status: 400, body: { errors: [errorOf(400, { code: 'not_found' })] } }
  for (const [id, code, own] of [
    ['createPayment', 'external_account_not_found', {}],
    ['createCard', 'customer_not_found', { customerId: '2' }],
    ['uploadDocumentFront', 'document_not_found', {}],
  ] as const) {
    const [path, sample] = requests[id] ?? ['']
    const body = { ...sample, ...own }
    const found = { status: 200, body: { data: { type: 'record', id: '1', attributes: {}, relationships: {} } } }
    opened.fake.server.misbehave(missing, found)
    const reply = await opened.bank.call('POST', `/v0/banking${path}`, { body })
    expectAnswer(reply, id, code)
    expect(reply.json.errors).toMatchObject([{ code: 'not_found', supportId: meta.supportId }])
    expect(opened.fake.server.left()).toBe(0)
  }
})

test('A list without a filter is not empty because Unit misses something', async () => {
  const errors = [errorOf(400, { code: 'customer_not_found' })]
  for (const path of ['/accounts', '/cards', '/payments', '/customers']) {
    opened.fake.server.misbehave({ status: 400, body: { errors } })
    const reply = await opened.bank.call('GET', `/v0/banking${path}`)
    expect([path, reply.status, reply.json.code]).toEqual([path, 422, 'refused_by_provider'])
  }
})

test.each(faultsOfOurs)('Unit answers %s: a fault that is not the caller’s', async (_what, reply) => {
  for (const id of ids) expectAnswer(await refusedWith(reply, id), id, 'upstream_error')
})

test('Unit fails with 500: the outcome of a change is unknown', async () => {
  const keyed = [
    ...['createAccount', 'createApplication', 'createCard', 'createExternalAccount', 'createPayment'],
    'createBookTransfer',
  ]
  const customerId = await opened.arrange.customer()
  const failure: FakeReply = { status: 500, body: { errors: [errorOf(500)] } }
  // Two at a time, and a success in between: the circuit breaker stays closed.
  for (let at = 0; at < ids.length; at += 2) {
    const pair = ids.slice(at, at + 2)
    const replies = await Promise.all(pair.map((id) => refusedWith(failure, id)))
    for (const [place, id] of pair.entries()) {
      const isChange = writes.includes(id) && !keyed.includes(id)
      expectAnswer(replies[place] as Reply, id, isChange ? 'upstream_outcome_unknown' : 'upstream_error')
    }
    opened.fake.server.misbehave()
    expect((await opened.bank.call('GET', `/v0/banking/customers/${customerId}`)).status).toBe(200)
  }
})

test('Unit limits the rate without a time: every operation is refused for the rest of the minute', async () => {
  const calls = opened.fake.server.calls.length
  for (const id of ids) {
    const reply = await refusedWith({ status: 429, body: { errors: [errorOf(429)] } }, id)
    expectAnswer(reply, id, 'upstream_unavailable')
    const seconds = Number(reply.headers['retry-after'])
    expect([id, seconds > 0 && seconds <= 60]).toEqual([id, true])
  }
  expect(opened.fake.server.calls).toHaveLength(calls + 1)
})
