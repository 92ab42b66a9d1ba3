import { pino } from 'pino'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type FakeReply, type FakeServer, openFakeServer } from '../../../test/support/fakes/server.ts'
import { openUnitClient, type UnitCall, type UnitClient } from './client.ts'
import { recordOf } from './parts.ts'
import { text } from './resource.ts'

let server: FakeServer
let client: UnitClient
let replies: FakeReply[]

beforeEach(async () => {
  replies = []
  const next = () => (replies.length > 1 ? replies.shift() : replies[0]) ?? { status: 200, body: {} }
  server = await openFakeServer(next, () => ({}))
  const timeouts = { callMs: 2_000, totalMs: 5_000, uploadMs: 5_000 }
  const log = pino({ level: 'silent' })
  client = openUnitClient({ url: server.url, token: 'token', requestsPerMinute: 0, timeouts, log })
})
afterEach(async () => {
  await client.close()
  await server.close()
})

const read: UnitCall<string> = {
  method: 'GET',
  path: '/accounts/1',
  repeatable: true,
  problems: ['account_not_found'],
  read: recordOf((resource) => text(resource, 'status')),
}
const accountOf = (attributes: object): FakeReply => ({
  status: 200,
  body: { data: { type: 'depositAccount', id: '1', attributes } },
})

describe('A successful answer that cannot be read', () => {
  test('is asked for again if it is not JSON', async () => {
    replies = [{ status: 200, body: Buffer.from('<html>') }, accountOf({ status: 'Open' })]
    expect(await client.call(read)).toBe('Open')
    expect(server.calls).toHaveLength(2)
  })

  test('is asked for three times at most', async () => {
    replies = [{ status: 200, body: Buffer.from('{"data":') }]
    await expect(client.call(read)).rejects.toMatchObject({ code: 'upstream_error' })
    expect(server.calls).toHaveLength(3)
  })

  test.each([
    ['a member is missing', accountOf({})],
    ['a member has another type', accountOf({ status: 1 })],
    ['there is no record', { status: 200, body: {} }],
    ['the JSON is no object', { status: 200, body: [] }],
  ])('is not asked for again if %s', async (_what, reply) => {
    replies = [reply]
    await expect(client.call(read)).rejects.toMatchObject({ code: 'upstream_error' })
    expect(server.calls).toHaveLength(1)
  })
})

describe('Time limits', () => {
  const timeouts = { callMs: 200, totalMs: 400, uploadMs: 700, paymentMs: 5_000, applicationMs: 6_000 }
  const open = () =>
    openUnitClient({ url: server.url, token: 'token', requestsPerMinute: 0, timeouts, log: pino({ level: 'silent' }) })

  test('of all calls for a request are longer for uploads, payments and applications', async () => {
    const own = open()
    const budgets = [{}, { path: '/accounts' }, { upload: true }, { path: '/payments' }, { path: '/applications' }]
    expect(budgets.map((call) => own.budgetMs(call))).toEqual([400, 400, 700, 5_400, 6_400])
    expect(own.budgetMs({ method: 'GET', path: '/payments' })).toBe(400)
    await own.close()
  })

  test.each(['/payments', '/applications'])('leave a slow creation at %s its time', async (path) => {
    const own = open()
    server.delay(600)
    replies = [accountOf({ status: 'Pending' })]
    const create = { ...read, method: 'POST' as const, path, body: { data: {} } }
    expect(await own.call(create)).toBe('Pending')
    expect(server.calls).toHaveLength(1)
    await expect(own.call({ ...create, path: '/accounts' })).rejects.toMatchObject({ code: 'upstream_timeout' })
    await expect(own.call({ ...read, path })).rejects.toMatchObject({ code: 'upstream_timeout' })
    await own.close()
  })
})

describe('A rate limit of Unit', () => {
  test('without a time lasts a minute, in which no call is sent', async () => {
    replies = [{ status: 429, body: { errors: [{ status: '429', title: 'Too Many Requests' }] } }]
    const failure = await client.call(read).catch((error) => error)
    expect([failure.code, failure.status, failure.headers]).toEqual([
      'upstream_unavailable',
      503,
      { 'Retry-After': '60' },
    ])
    await expect(client.call(read)).rejects.toMatchObject({ code: 'upstream_unavailable' })
    expect(server.calls).toHaveLength(1)
  })
})
