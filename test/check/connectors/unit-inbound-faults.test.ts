import { createHmac } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openUnitClient, type UnitClient } from '../../../src/connectors/unit/client.ts'
import { unitInbound } from '../../../src/connectors/unit/inbound.ts'
import { openMetrics } from '../../../src/http/metrics/metrics.ts'
import { eventsAfter } from '../../support/events.ts'
import { type FakeReply, type FakeServer, type Fault, openFakeServer } from '../../support/fakes/server.ts'
import { openTestBank, type TestBank } from '../../support/harness.ts'

/** Answers of an upstream by their path. */
const replies = new Map<string, FakeReply>()
const webhookSecret = 'secret-of-the-webhooks'
const metrics = openMetrics()
const lines: Record<string, unknown>[] = []
const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
let server: FakeServer
/** A client with time for a busy machine, one that soon gives up, and the one of the two that deliveries use. */
let patient: UnitClient
let hasty: UnitClient
let client: UnitClient
let bank: TestBank
const purchases: string[] = []
let statementsOf: (query: URLSearchParams) => FakeReply
let inFlight = 0
let mostInFlight = 0

beforeAll(async () => {
  server = await openFakeServer(
    ({ path, query }) => {
      if (path === '/statements') return statementsOf(query)
      return replies.get(path) ?? refusal(404, 'not_found')
    },
    (status) => refusal(status, 'failed').body,
  )
  server.delay(5)
  const open = (callMs: number, totalMs: number) => {
    const timeouts = { callMs, totalMs, uploadMs: totalMs }
    return openUnitClient({ url: server.url, token: 'token', requestsPerMinute: 0, timeouts, log })
  }
  patient = open(20_000, 60_000)
  hasty = open(2_000, 3_000)
  client = patient
  const counted: UnitClient = {
    ...patient,
    budgetMs: (order) => client.budgetMs(order),
    call: async (order) => {
      mostInFlight = Math.max(mostInFlight, ++inFlight)
      return client.call(order).finally(() => inFlight--)
    },
  }
  const source = unitInbound({
    webhookSecret,
    parts: { client: counted, claims: undefined as never },
    takePurchase: async (_transaction, _organisationId, { transactionId }) => {
      purchases.push(transactionId)
      return []
    },
  })
  bank = await openTestBank({ inbound: [source], metrics, log })
})
afterAll(async () => {
  await bank.close()
  await patient.close()
  await hasty.close()
  await server.close()
})
afterEach(() => {
  lines.length = 0
  server.misbehave()
  client = patient
})

const refusal = (status: number, code: string): FakeReply => ({
  status,
  body: { errors: [{ status: String(status), code, title: 'Refused', detail: 'the reason' }] },
})
const ok = (data: object, included?: object[]): FakeReply => ({ status: 200, body: { data, included } })
const related = (names: Record<string, string>) =>
  Object.fromEntries(Object.entries(names).map(([name, id]) => [name, { data: { type: name, id } }]))

let made = 1_000
const newId = () => String(made++)
function event(type: string, names: Record<string, string>, own: object = {}) {
  const attributes = { createdAt: '2026-01-31T12:00:00.000Z', ...own }
  return { id: `event-${newId()}`, type, attributes, relationships: related(names) }
}

const account = (id: string, own: object = {}) => ({
  type: 'depositAccount',
  id,
  attributes: {
    createdAt: '2026-01-31T12:00:00.000Z',
    name: 'Ada Example',
    depositProduct: 'checking',
    routingNumber: '812345678',
    accountNumber: '1000000001',
    currency: 'USD',
    balance: 0,
    hold: 0,
    available: 0,
    status: 'Open',
    tags: {},
  },
  relationships: related({ customer: '1' }),
  ...own,
})
const application = (id: string) => ({
  type: 'individualApplication',
  id,
  attributes: {
    status: 'AwaitingDocuments',
    createdAt: '2026-01-31T12:00:00.000Z',
    fullName: { first: 'Ada', last: 'Example' },
    email: 'ada@example.com',
  },
  relationships: {},
})

/** Answers lists of statements; undefined is no JSON. */
function answerList(body: (query: URLSearchParams) => object | undefined): void {
  statementsOf = (query) => ({ status: 200, body: body(query) ?? Buffer.from('<html>') })
}

async function send(...data: object[]): Promise<number> {
  const raw = JSON.stringify({ data })
  const signature = createHmac('sha1', webhookSecret).update(raw).digest('base64')
  return (await bank.call('POST', '/v0/inbound/unit', { key: null, raw, headers: { 'x-unit-signature': signature } }))
    .status
}

interface EventRow {
  type: string
  version: number
  data: Record<string, unknown>
}
async function eventsOf(...entityIds: string[]): Promise<EventRow[]> {
  const events = (await eventsAfter(bank, 0)).filter(({ entityId }) => entityIds.includes(entityId))
  return events.map(({ type, version, data }) => ({ type, version, data }))
}
const typesOf = async (...ids: string[]) => (await eventsOf(...ids)).map(({ type }) => type)
/** An account that can be read, and an event about it. */
function fine() {
  const id = newId()
  replies.set(`/accounts/${id}`, ok(account(id)))
  return { id, event: event('account.created', { account: id }) }
}
const failedCount = async () => {
  const found = (await metrics.text()).matchAll(/^purser_upstream_events_failed_total\{.*\} (\d+)$/gm)
  return [...found].reduce((sum, [, count]) => sum + Number(count), 0)
}

type Poison = [name: string, fault: string, type: string, bad: (id: string) => void, good: (id: string) => void]
const accountIs = (reply: (id: string) => FakeReply) => (id: string) => void replies.set(`/accounts/${id}`, reply(id))
const readable = accountIs((id) => ok(account(id)))
const documentIs = (attributes: object) => (id: string) => {
  const document = { type: 'document', id, attributes: { status: 'Required', ...attributes } }
  replies.set('/applications/77', ok(application('77'), [document]))
}
const poisons: Poison[] = [
  ['400 not_found', 'not_found', 'account', accountIs(() => refusal(400, 'not_found')), readable],
  ['404', 'account_not_found', 'account', accountIs(() => refusal(404, 'not_found')), readable],
  ['403 for a missing scope', 'upstream_error', 'account', accountIs(() => refusal(403, 'forbidden')), readable],
  [
    'a document without a status',
    'document_not_found',
    'document',
    documentIs({ status: null }),
    documentIs({ documentType: 'Passport' }),
  ],
  [
    'a document that the application does not have',
    'document_not_found',
    'document',
    () => replies.set('/applications/77', ok(application('77'))),
    documentIs({ documentType: 'Passport' }),
  ],
  [
    'an account without an owner',
    'upstream_error',
    'account',
    accountIs((id) => ok(account(id, { relationships: {} }))),
    readable,
  ],
  ['no record', 'upstream_error', 'account', accountIs(() => ({ status: 200, body: {} })), readable],
  ['a list', 'upstream_error', 'account', accountIs(() => ({ status: 200, body: [] })), readable],
  [
    'a record without attributes',
    'upstream_error',
    'account',
    accountIs((id) => ok({ type: 'depositAccount', id })),
    readable,
  ],
  [
    'a time that is none',
    'upstream_error',
    'account',
    accountIs((id) => ok(account(id, { attributes: { ...account(id).attributes, createdAt: 'yesterday' } }))),
    readable,
  ],
]

describe('An event of Unit whose record cannot be read', () => {
  test.each(poisons)(
    'because of %s is acknowledged, reported once, and applied when it can be read',
    async (_name, fault, kind, bad, good) => {
      const id = newId()
      const poisoned = event(`${kind}.${kind === 'document' ? 'approved' : 'created'}`, {
        [kind]: id,
        application: '77',
      })
      const [before, between, after] = [await failedCount(), fine(), fine()]
      bad(id)
      expect(await send(between.event, poisoned, after.event)).toBe(200)
      expect(await send(poisoned)).toBe(200)
      expect(await typesOf(between.id, after.id)).toEqual(['account.created', 'account.created'])
      const [failure, ...others] = await eventsOf(poisoned.id)
      expect(others).toEqual([])
      expect(failure).toMatchObject({ type: 'upstreamEvent.failed', data: { record: { type: kind, id } } })
      expect(JSON.stringify(failure?.data.fault)).toContain(fault)
      expect((await failedCount()) - before).toBe(1)
      expect(lines.filter(({ msg }) => msg === 'upstream event failed')).toMatchObject([{ upstreamId: poisoned.id }])
      const { json } = await bank.call('GET', '/v0/audit-log?limit=1000')
      const entries = json.data.filter((entry: { record?: { id: string } }) => entry.record?.id === poisoned.id)
      expect(entries).toMatchObject([{ action: 'upstreamEvent.failed' }])
      expect(await eventsOf(id)).toEqual([])
      good(id)
      expect([await send(poisoned), await send(poisoned)]).toEqual([200, 200])
      expect(await eventsOf(id)).toMatchObject([{ type: poisoned.type, version: 1, data: { id } }])
      expect(await typesOf(poisoned.id)).toEqual(['upstreamEvent.failed'])
    },
  )

  test.each<[string, object]>([
    ['names no record', event('account.closed', {})],
    ['names a record that Unit cannot have', event('account.closed', { account: '../customers/1' })],
    ['names a record by a long text', event('account.closed', { account: '9'.repeat(100_000) })],
    ['has relationships that are none', { ...event('account.closed', {}), relationships: [] }],
    ['has attributes that are none', { ...event('account.closed', {}), attributes: 7 }],
    ['is about statements of no month', event('statements.created', {}, { period: 'June' })],
  ])('because it %s is acknowledged and reported', async (_name, poisoned) => {
    const next = fine()
    expect(await send(poisoned, next.event)).toBe(200)
    expect(await typesOf((poisoned as { id: string }).id, next.id)).toEqual(['upstreamEvent.failed', 'account.created'])
    expect(JSON.stringify(await eventsOf((poisoned as { id: string }).id)).length).toBeLessThan(2_000)
  })
})

test('A fault quotes an answer of Unit in a few words', async () => {
  const id = newId()
  replies.set(`/payments/${id}`, ok({ type: 'x'.repeat(1_000_000), id, attributes: {} }))
  const poisoned = event('payment.sent', { payment: id })
  expect(await send(poisoned)).toBe(200)
  expect(await typesOf(poisoned.id)).toEqual(['upstreamEvent.failed'])
  expect(JSON.stringify(await eventsOf(poisoned.id)).length).toBeLessThan(2_000)
  expect(JSON.stringify(lines).length).toBeLessThan(4_000)
})

describe('An event of Unit', () => {
  test.each([
    ['slow', 504],
    ['drop', 502],
    ['garbage', 502],
    [401, 502],
    [429, 503],
    [500, 502],
    [503, 503],
    [{ status: 403, body: Buffer.from('<html>blocked</html>') }, 502],
    [{ status: 404, body: Buffer.from('<html>no such page</html>') }, 502],
  ] as [Fault, number][])(
    'is not acknowledged while Unit answers %j, and takes effect later',
    async (fault, status) => {
      const [first, second] = [fine(), fine()]
      server.misbehave(...Array(8).fill(fault))
      if (fault === 'slow') client = hasty
      expect(await send(first.event, second.event)).toBe(status)
      expect(await eventsOf(first.id, second.id, first.event.id)).toEqual([])
      server.misbehave()
      client = patient
      // The circuit may have opened; it closes after a while.
      await expect.poll(() => send(first.event, second.event), { timeout: 60_000, interval: 500 }).toBe(200)
      expect(await typesOf(first.id, second.id)).toEqual(['account.created', 'account.created'])
    },
  )

  test('is not acknowledged if one of several cannot be read just now; the others take effect', async () => {
    const [first, second] = [fine(), fine()]
    const kept = replies.get(`/accounts/${first.id}`) as FakeReply
    replies.set(`/accounts/${first.id}`, refusal(401, 'unauthorized'))
    expect(await send(first.event, second.event)).toBe(502)
    expect(await typesOf(first.id, second.id)).toEqual(['account.created'])
    replies.set(`/accounts/${first.id}`, kept)
    expect(await send(first.event, second.event)).toBe(200)
    expect(await typesOf(first.id)).toEqual(['account.created'])
  })
})

const createdAt = '2026-01-31T12:00:00.000Z'
const payment = (id: string, status: string) => ({
  type: 'achPayment',
  id,
  attributes: { createdAt, status, direction: 'Credit', description: 'Rent', amount: 20_00, tags: {} },
  relationships: related({ account: '1', customer: '1' }),
})
const receivedPayment = (id: string, status: string, own: object = {}) => ({
  type: 'achReceivedPayment',
  id,
  attributes: {
    createdAt,
    status,
    wasAdvanced: false,
    completionDate: '2026-02-02',
    companyName: 'Sample Payroll',
    counterpartyRoutingNumber: '021000021',
    traceNumber: '021000020000001',
    secCode: 'PPD',
    amount: 1_500_00,
    direction: 'Credit',
    description: 'Salary',
    ...own,
  },
  relationships: related({ account: '1', customer: '1' }),
})
const customer = (id: string, status: string) => ({
  type: 'individualCustomer',
  id,
  attributes: {
    createdAt,
    fullName: { first: 'Ada', last: 'Example' },
    email: 'ada@example.com',
    phone: { countryCode: '1', number: '2125550123' },
    address: { street: '1 Sample Street', city: 'Springfield', state: 'IL', postalCode: '62701', country: 'US' },
    status,
    tags: {},
  },
  relationships: {},
})

describe('Events of Unit become ours', () => {
  test.each([
    ['payment.pendingReview', 'payments', payment, 'PendingReview'],
    ['payment.clearing', 'payments', payment, 'Clearing'],
    ['payment.sent', 'payments', payment, 'Sent'],
    ['payment.rejected', 'payments', payment, 'Rejected'],
    ['payment.canceled', 'payments', payment, 'Canceled'],
    ['payment.returned', 'payments', payment, 'Returned'],
    ['receivedPayment.created', 'received-payments', receivedPayment, 'Pending'],
    ['receivedPayment.advanced', 'received-payments', receivedPayment, 'Advanced'],
    ['receivedPayment.completed', 'received-payments', receivedPayment, 'Completed'],
    ['receivedPayment.markedForReturn', 'received-payments', receivedPayment, 'MarkedForReturn'],
    ['receivedPayment.returned', 'received-payments', receivedPayment, 'Returned'],
    ['customer.updated', 'customers', customer, 'Active'],
    ['customer.archived', 'customers', customer, 'Archived'],
    ['application.canceled', 'applications', application, 'AwaitingDocuments'],
  ] as const)('%s', async (type, path, record, status) => {
    const id = newId()
    const [kind = ''] = type.split('.')
    replies.set(`/${path}/${id}`, ok(record(id, status)))
    expect(await send(event(type, { account: '1', customer: '1', [kind]: id }))).toBe(200)
    expect(await eventsOf(id)).toMatchObject([{ type, version: 1, data: { id, status } }])
    // The filter of feed and webhooks knows the type.
    const { json } = await bank.call('GET', `/v0/events?type=${type}&limit=1000`)
    expect(json.data.map(({ entity }: { entity: object }) => entity)).toContainEqual({ type: kind, id, version: 1 })
  })

  test('with the received payment in the words of the interface', async () => {
    const [id, plain] = [newId(), newId()]
    const full = { counterpartyAccountNumber: '9876543210', addenda: 'June', receivingEntityName: 'ADA EXAMPLE' }
    const returned = { ...full, wasAdvanced: true, returnReason: 'R01', tags: { purpose: 'salary' } }
    replies.set(`/received-payments/${id}`, ok(receivedPayment(id, 'Returned', returned)))
    replies.set(
      `/received-payments/${plain}`,
      ok(receivedPayment(plain, 'Pending', { secCode: null, completionDate: null })),
    )
    expect(await send(event('receivedPayment.returned', { receivedPayment: id }))).toBe(200)
    expect(await send(event('receivedPayment.created', { receivedPayment: plain }))).toBe(200)
    const common = {
      type: 'achReceivedPayment',
      accountId: '1',
      amount: 1_500_00,
      createdAt,
      description: 'Salary',
      direction: 'Credit',
      traceNumber: '021000020000001',
    }
    const counterparty = { name: 'Sample Payroll', routingNumber: '021000021', accountNumber: '', accountType: '' }
    const [{ data: ofReturned } = { data: {} }, { data: ofPlain } = { data: {} }] = await eventsOf(id, plain)
    expect(ofReturned).toEqual({
      ...common,
      id,
      status: 'Returned',
      counterparty: { ...counterparty, accountNumber: '9876543210' },
      receiverName: 'ADA EXAMPLE',
      secCode: 'PPD',
      addenda: 'June',
      expectedCompletionDate: '2026-02-02',
      wasAdvanced: true,
      returnCode: 'R01',
      returnReason: 'Insufficient funds',
      tags: { purpose: 'salary' },
    })
    expect(ofPlain).toEqual({ ...common, id: plain, status: 'Pending', counterparty, wasAdvanced: false, tags: {} })
  })
})

describe('The statements of a month', () => {
  const statement = (id: string) => ({
    type: 'accountStatementDTO',
    id,
    attributes: { period: '2026-01' },
    relationships: related({ account: '1', customer: '1' }),
  })

  test('become one event each, once even if Unit announces the month again', async () => {
    const ids = Array.from({ length: 2_345 }, newId)
    const before = server.calls.length
    answerList((query) => {
      const [offset, limit] = [Number(query.get('page[offset]')), Number(query.get('page[limit]'))]
      expect(query.get('filter[period]')).toBe('2026-01')
      return { data: ids.slice(offset, offset + limit).map(statement), meta: { pagination: { total: ids.length } } }
    })
    const announced = event('statements.created', {}, { period: '2026-01' })
    expect([await send(announced), await send(announced)]).toEqual([200, 200])
    expect(server.calls.length - before).toBe(3)
    expect(await send(event('statements.created', {}, { period: '2026-01' }))).toBe(200)
    const events = await eventsOf(...ids)
    expect(events).toHaveLength(ids.length)
    expect(events[0]).toEqual({
      type: 'statement.created',
      version: 1,
      data: { type: 'accountStatementDTO', id: ids[0], period: '2026-01', accountId: '1', customerId: '1' },
    })
  })

  test('are not acknowledged while Unit cannot list them', async () => {
    const id = newId()
    const announced = event('statements.created', {}, { period: '2026-02' })
    answerList(() => undefined)
    expect(await send(announced)).toBe(502)
    answerList(() => ({ data: [statement(id)] }))
    expect(await send(announced)).toBe(200)
    expect(await typesOf(id)).toEqual(['statement.created'])
  })

  test('are bounded: a list without an end is a fault', async () => {
    const page = Array.from({ length: 1_000 }, (_, index) => ({ ...statement(String(index + 1)), relationships: {} }))
    answerList(() => ({ data: page, meta: { pagination: { total: 1e12 } } }))
    const announced = event('statements.created', {}, { period: '2026-03' })
    const before = server.calls.length
    expect(await send(announced)).toBe(200)
    expect(server.calls.length - before).toBeLessThanOrEqual(100)
    expect(await typesOf(announced.id)).toEqual(['upstreamEvent.failed'])
  })
})

describe('A delivery of Unit', () => {
  test('reads each record once: 64 purchases cost 128 requests, with at most twenty at a time', async () => {
    const data = Array.from({ length: 64 }, () => {
      const [id, authorization] = [newId(), newId()]
      const relations = { account: '1', customer: '1', card: '5', authorization }
      replies.set(
        `/accounts/1/transactions/${id}`,
        ok({
          type: 'purchaseTransaction',
          id,
          attributes: {
            createdAt,
            amount: 7_00,
            direction: 'Debit',
            balance: 0,
            summary: 'Quillbrook Coffee',
            merchant: { name: 'Quillbrook Coffee', location: 'Springfield, IL' },
          },
          relationships: related(relations),
        }),
      )
      replies.set(
        `/authorizations/${authorization}`,
        ok({ type: 'authorization', id: authorization, attributes: { createdAt }, relationships: {} }),
      )
      return event('transaction.created', { transaction: id, ...relations })
    })
    const before = server.calls.length
    mostInFlight = 0
    expect(await send(...data)).toBe(200)
    expect(server.calls.length - before).toBe(128)
    expect(mostInFlight).toBeLessThanOrEqual(20)
    const ids = data.map(({ relationships }) => relationships.transaction?.data.id ?? '')
    expect(purchases.toSorted()).toEqual(ids.toSorted())
    expect(await eventsOf(...ids)).toHaveLength(64)
  })

  test('reads a record once that several events name, and each event counts', async () => {
    const id = newId()
    replies.set(`/payments/${id}`, ok(payment(id, 'Sent')))
    const before = server.calls.length
    const types = ['payment.created', 'payment.clearing', 'payment.sent']
    expect(await send(...types.map((type) => event(type, { payment: id })))).toBe(200)
    expect(server.calls.length - before).toBe(1)
    expect((await eventsOf(id)).map(({ type, version }) => [type, version])).toEqual(
      types.map((type, index) => [type, index + 1]),
    )
  })

  test('reads a record anew that an earlier delivery read', async () => {
    const id = newId()
    for (const status of ['Pending', 'Sent']) {
      replies.set(`/payments/${id}`, ok(payment(id, status)))
      expect(await send(event('payment.sent', { payment: id }))).toBe(200)
    }
    expect((await eventsOf(id)).map(({ data }) => data.status)).toEqual(['Pending', 'Sent'])
  })

  test('of a thousand events is processed, and one that is too large is refused', async () => {
    const many = Array.from({ length: 1_000 }, () => event('account.updated', { account: '1' }))
    expect(await send(...many)).toBe(200)
    const rows = await bank.database.query('select 1 from inbound_event where upstream_id = any($1)', [
      many.map(({ id }) => id),
    ])
    expect(rows).toHaveLength(1_000)
    const huge = event('account.updated', {}, { filler: 'x'.repeat(2 * 1024 * 1024) })
    expect(await send(huge)).toBe(413)
  })
})
