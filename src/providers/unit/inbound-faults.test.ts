import { createHmac } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type FakeReply, type FakeServer, openFakeServer } from '../../../test/support/fakes/server.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { openMetrics } from '../../http/metrics.ts'
import { openUnitClient, type UnitClient } from './client.ts'
import { unitInbound } from './inbound.ts'

/** Answers of an upstream by their path. */
const replies = new Map<string, FakeReply>()
const webhookSecret = 'secret-of-the-webhooks'
const metrics = openMetrics()
const lines: Record<string, unknown>[] = []
const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
let server: FakeServer
let client: UnitClient
let bank: TestBank
const purchases: string[] = []

beforeAll(async () => {
  server = await openFakeServer(
    ({ path }) => replies.get(path) ?? refusal(404, 'not_found'),
    (status) => refusal(status, 'failed').body,
  )
  const timeouts = { callMs: 300, totalMs: 600, uploadMs: 600 }
  client = openUnitClient({ url: server.url, token: 'token', requestsPerMinute: 0, timeouts, log })
  const source = unitInbound({
    webhookSecret,
    parts: { client, claims: undefined as never },
    takePurchase: async (_transaction, _organisationId, { transactionId }) => {
      purchases.push(transactionId)
      return []
    },
  })
  bank = await openTestBank({ inbound: [source], metrics, log })
})
afterAll(async () => {
  await bank.close()
  await client.close()
  await server.close()
})
afterEach(() => {
  lines.length = 0
  server.misbehave()
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
  const rows = await bank.database.query<EventRow & { data: string }>(
    `select type, entity_version as version, data from event where entity_id = any($1) order by sequence`,
    [entityIds],
  )
  return rows.map((row) => ({ ...row, data: JSON.parse(row.data) }))
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
    'a document without documentType',
    'upstream_error',
    'document',
    documentIs({}),
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

describe('An event of Unit', () => {
  test.each([
    ['slow', 504],
    ['drop', 502],
    ['garbage', 502],
    [401, 502],
    [429, 503],
    [500, 502],
    [503, 503],
  ] as const)('is not acknowledged while Unit answers %s, and takes effect later', async (fault, status) => {
    const [first, second] = [fine(), fine()]
    server.misbehave(...Array(8).fill(fault))
    expect(await send(first.event, second.event)).toBe(status)
    expect(await eventsOf(first.id, second.id, first.event.id)).toEqual([])
    server.misbehave()
    // The circuit may have opened; it closes after a while.
    await expect.poll(() => send(first.event, second.event), { timeout: 15_000, interval: 500 }).toBe(200)
    expect(await typesOf(first.id, second.id)).toEqual(['account.created', 'account.created'])
  })

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
