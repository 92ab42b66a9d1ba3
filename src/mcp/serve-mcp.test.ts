import { once } from 'node:events'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openUnitBanking } from '../../test/support/banking-providers.ts'
import { type CallOptions, openTestBank, type Reply, type TestBank } from '../../test/support/harness.ts'
import { makePayer } from '../../test/support/ledger.ts'
import { signIn } from '../../test/support/people/sign-in.ts'

let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank({ own: true })
})
afterAll(() => bank.close())

function message(method: string, params: object = {}): object {
  return { jsonrpc: '2.0', id: 1, method, params }
}

function post(body: unknown, options: CallOptions = {}, at = bank): Promise<Reply> {
  return at.call('POST', '/mcp', { body, ...options })
}

function use(name: string, args: object, options: CallOptions = {}, at = bank): Promise<Reply> {
  return post(message('tools/call', { name, arguments: args }), options, at)
}

/** Uses a tool. A machine that is too busy refuses a call after some seconds, and it is made again with its intent, as agents do. */
async function useAtLast(name: string, args: object): Promise<Reply> {
  const reply = await use(name, args)
  if (reply.json.result?.structuredContent?.code !== 'unavailable') return reply
  await sleep(1_000)
  return useAtLast(name, args)
}

async function toolNames(at: TestBank, options: CallOptions = {}): Promise<string[]> {
  const { json } = await post(message('tools/list'), options, at)
  return json.result.tools.map(({ name }: { name: string }) => name)
}

describe('the endpoint of agents', () => {
  test('acts in the organisation that a person names, and not in their first one', async () => {
    const person = await signIn(bank, { first: 'viewer', second: 'operator' }, { kind: 'command' })
    const body = message('tools/call', { name: 'read', arguments: { operation: 'getMe' } })
    const roleIn = async (organisation?: string) => {
      const { json } = await person.call('POST', '/mcp', { body, ...(organisation && { in: organisation }) })
      return json.result.structuredContent.data.person.role
    }
    expect([await roleIn(), await roleIn('second')]).toEqual(['viewer', 'operator'])
  })

  test('answers JSON to one POST, without a session', async () => {
    const { status, headers, json } = await post(message('ping'))
    expect([status, json]).toEqual([200, { jsonrpc: '2.0', id: 1, result: {} }])
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(headers['mcp-session-id']).toBeUndefined()
    expect(headers['x-request-id']).toEqual(expect.any(String))
  })

  test('acknowledges a notification with 202 and no body', async () => {
    const { status, text } = await post({ jsonrpc: '2.0', method: 'notifications/initialized' })
    expect([status, text]).toEqual([202, ''])
  })

  test.each(['GET', 'DELETE', 'PUT', 'PATCH'])('refuses %s with 405', async (method) => {
    const { status, headers, json } = await bank.call(method, '/mcp')
    expect([status, headers.allow, json.code]).toEqual([405, 'POST', 'method_not_allowed'])
  })

  test('needs a key, in its own header or as a bearer token', async () => {
    const without = await post(message('ping'), { key: null })
    expect([without.status, without.json.code]).toEqual([401, 'unauthorized'])
    expect(without.headers['www-authenticate']).toBe('ApiKey realm="purser"')
    expect((await post(message('ping'), { key: 'no-such-key' })).status).toBe(401)
    const bearer = (token: string) =>
      post(message('ping'), { key: null, headers: { authorization: `Bearer ${token}` } })
    expect((await bearer(bank.key)).status).toBe(200)
    expect((await bearer('no-such-key')).status).toBe(401)
    const both = await post(message('ping'), { key: 'no-such-key', headers: { authorization: `Bearer ${bank.key}` } })
    expect(both.status).toBe(401)
  })

  test('leaves an entry in the audit log where a known key is denied', async () => {
    const { json } = await bank.call('POST', '/v0/api-keys', { body: { name: 'Agent' } })
    await bank.call('DELETE', `/v0/api-keys/${json.data.id}`)
    await expect.poll(async () => (await post(message('ping'), { key: json.data.key })).status).toBe(401)
    await bank.denials.save()
    const { json: log } = await bank.call('GET', '/v0/audit-log')
    const denied = { outcome: 'Denied', denial: expect.objectContaining({ code: 'unauthorized', path: '/mcp' }) }
    expect(log.data).toContainEqual(expect.objectContaining(denied))
  })

  test('is no operation: the description of the interface does not name it', async () => {
    const { json } = await bank.call('GET', '/openapi.json')
    expect(Object.keys(json.paths)).not.toContain('/mcp')
  })
})

describe('the host name', () => {
  test.each([
    ['localhost:4000', undefined, 200],
    ['127.0.0.1', 'http://localhost:3000', 200],
    ['attacker.example', undefined, 403],
    ['attacker.example', 'http://attacker.example', 403],
    ['localhost', 'https://attacker.example', 403],
  ])('%s, asked for by the page %s, leads to %i, also with a good key', async (host, origin, status) => {
    const { status: got, json } = await post(message('ping'), { headers: { host, ...(origin && { origin }) } })
    expect(got).toBe(status)
    if (status === 403) expect(json).toMatchObject({ code: 'forbidden', detail: expect.stringMatching(/PURSER_HOSTS/) })
  })

  test('is refused over a socket before the body is read', async () => {
    const url = new URL(await bank.app.listen({ port: 0, host: '127.0.0.1' }))
    const headers = { host: 'attacker.example', 'x-service-api-key': bank.key, 'content-length': '1000' }
    const sent = request({ host: '127.0.0.1', port: url.port, path: '/mcp', method: 'POST', headers })
    sent.flushHeaders()
    const [response] = await once(sent, 'response')
    expect(response.statusCode).toBe(403)
    sent.destroy()
  })
})

describe('a message that is no good', () => {
  test.each([
    ['no JSON', { raw: '{' }, 400, 'invalid_request'],
    ['nothing', {}, 400, 'invalid_request'],
    ['a batch', { body: [message('ping'), message('ping')] }, 400, 'invalid_request'],
    ['a text', { body: 'ping' }, 400, 'invalid_request'],
    ['another media type', { raw: 'x', headers: { 'content-type': 'text/plain' } }, 415, 'unsupported_media_type'],
    ['more than 1 MiB', { body: message('ping', { x: 'x'.repeat(1024 * 1024) }) }, 413, 'payload_too_large'],
    [
      'deep nesting',
      { raw: `{"jsonrpc":"2.0","id":1,"method":"ping","params":${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}}` },
      400,
      'invalid_request',
    ],
    [
      'deep lists',
      { raw: `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}}` },
      400,
      'invalid_request',
    ],
  ])('such as %s is refused', async (_name, options, status, code) => {
    const { status: got, json } = await bank.call('POST', '/mcp', options)
    expect([got, json.code]).toEqual([status, code])
  })

  test.each([
    { jsonrpc: '1.0', id: 1, method: 'ping' },
    { id: 1, method: 'ping' },
    {},
    { jsonrpc: '2.0', id: null, method: 'ping' },
    { jsonrpc: '2.0', id: {}, method: 'ping' },
    { jsonrpc: '2.0', id: 1, method: 7 },
    { jsonrpc: '2.0', id: 1, method: 'no/such/method' },
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: [] },
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 7 } },
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'read', arguments: [] } },
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: '__proto__' } },
    { jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 7 } },
    { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: {} },
    { jsonrpc: '2.0', id: 1, result: {} },
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'ping',
      params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } },
    },
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'ping',
      params: { _meta: { 'io.modelcontextprotocol/protocolVersion': '1999-01-01' } },
    },
  ])('%j is an error of the protocol and never 500', async (body) => {
    const { status, json, text } = await post(body)
    expect(status).toBeLessThan(500)
    if (status !== 202) expect(json.error ?? json.result, text).toBeDefined()
  })

  test('an unknown version of the protocol is refused, an older one is served', async () => {
    const with2024 = await post(message('ping'), { headers: { 'mcp-protocol-version': '2024-11-05' } })
    expect(with2024.status).toBe(200)
    const unknown = await post(message('ping'), { headers: { 'mcp-protocol-version': 'tomorrow' } })
    expect(unknown.status).toBe(400)
  })
})

describe('many calls at a time', () => {
  test('two hundred of them are answered, each with its own answer', async () => {
    const { accountId } = await makePayer(bank, 1_000)
    const calls = Array.from({ length: 200 }, (_, number) =>
      number % 2 === 0
        ? useAtLast('read', { operation: 'getAccount', input: { accountId } })
        : useAtLast('sandbox', {
            operation: 'createCustomer',
            input: { name: `Customer ${number}` },
            intent: `customer ${number}`,
          }),
    )
    for (const [number, { status, json }] of (await Promise.all(calls)).entries()) {
      expect(status).toBe(200)
      const { data } = json.result.structuredContent
      if (number % 2 === 0) expect(data.id).toBe(accountId)
      else expect(data.name).toBe(`Customer ${number}`)
    }
  })
})

describe('in live mode', () => {
  test('agents only read', async () => {
    const live = await openTestBank({ mode: 'live', mcpWrites: false })
    try {
      expect(await toolNames(live)).toEqual(['describe', 'read', 'inspect', 'docs'])
      const refused = await use('write', { operation: 'createAccount', input: {}, intent: 'an account' }, {}, live)
      expect(refused.json.error.message).toMatch(/no such tool/)
      expect((await use('describe', {}, {}, live)).text).not.toMatch(/createPayment|advanceClock/)
    } finally {
      await live.close()
    }
  })

  test('they write where the operator allows it, within the rate limits of their key, and never simulate', async () => {
    const live = await openTestBank({ mode: 'live', mcpWrites: true, rates: { reads: 10, writes: 1 } })
    try {
      expect(await toolNames(live)).toEqual(['describe', 'read', 'write', 'inspect', 'docs'])
      expect((await use('describe', {}, {}, live)).text).not.toMatch(/advanceClock|listRequests/)
      const input = { customerId: '1' }
      const calls = [1, 2, 3, 4].map((number) =>
        use('write', { operation: 'createAccount', input, intent: `account ${number}` }, {}, live),
      )
      const refusals = (await Promise.all(calls)).map(({ json }) => json.result)
      const limited = refusals.filter(({ structuredContent }) => structuredContent.code === 'rate_limited')
      expect(limited).toHaveLength(2)
      expect(limited[0].content[0].text).toMatch(/Call again with the same intent and the same input in \d+ s/)
      const reads = await Promise.all(Array.from({ length: 30 }, () => post(message('ping'), {}, live)))
      expect(reads.some(({ status }) => status === 429)).toBe(true)
    } finally {
      await live.close()
    }
  })
})

test('the operations of a connector are those that its provider has', async () => {
  const { bank: connected, close } = await openUnitBanking()
  try {
    expect(await toolNames(connected)).toEqual(['describe', 'read', 'write', 'inspect', 'docs'])
    const { json } = await use('read', { operation: 'getMe', fields: ['operations'] }, {}, connected)
    const listed = (await use('describe', {}, {}, connected)).json.result.content[0].text.matchAll(/^- (\w+):/gm)
    const ids = [...listed].map(([, id]) => id)
    expect(ids.sort()).toEqual(json.result.structuredContent.data.operations.sort())
    expect(ids).not.toContain('listLedgerTransfers')
  } finally {
    await close()
  }
})
