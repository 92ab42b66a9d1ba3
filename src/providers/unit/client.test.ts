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
