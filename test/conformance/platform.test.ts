import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusals } from '../../src/base/refusals.ts'
import { sha256 } from '../../src/base/sha256.ts'
import { operations } from '../../src/operations.ts'
import type { TestBankOptions } from '../support/bank/options.ts'
import { deferred } from '../support/deferred.ts'
import { openTestBank, type Reply, type TestBank } from '../support/harness.ts'
import { makeAccount, makeCustomer } from '../support/world.ts'

const MIB = 1024 * 1024

let bank: TestBank
let customer: string
let account: string

beforeAll(async () => {
  bank = await openTestBank({ own: true })
  customer = await makeCustomer(bank)
  account = await makeAccount(bank, { customerId: customer })
})
afterAll(() => bank.close())

const accountPath = () => `/v0/banking/accounts/${account}`
const makeOne = (options: Parameters<TestBank['call']>[2]) => bank.call('POST', '/v0/banking/accounts', options)
const problem = ({ status, json }: Reply) => [status, json?.code]

describe('a success', () => {
  test('is data in an envelope of JSON in UTF-8 with an ETag and a request id', async () => {
    const read = await bank.call('GET', accountPath())
    const created = await makeOne({ body: { customerId: customer } })
    expect([read.status, created.status]).toEqual([200, 201])
    for (const { headers, json } of [read, created]) {
      expect(Object.keys(json)).toEqual(['data'])
      expect(headers['content-type']).toBe('application/json; charset=utf-8')
      expect(headers.etag).toMatch(/^"[\w-]+"$/)
      expect(headers['x-request-id']).toMatch(/^[\x21-\x7e]{1,128}$/)
    }
  })

  test('has the same ETag until it changes', async () => {
    const id = await makeAccount(bank)
    const tagOf = async () => (await bank.call('GET', `/v0/banking/accounts/${id}`)).headers.etag
    const first = await tagOf()
    expect(await tagOf()).toBe(first)
    await bank.call('POST', `/v0/banking/accounts/${id}/freeze`)
    expect(await tagOf()).not.toBe(first)
  })

  test('answers 304 without a body where If-None-Match names its tag', async () => {
    const { etag } = (await bank.call('GET', accountPath())).headers
    for (const tag of [`${etag}`, `W/${etag}`, `"other", ${etag}`, `"other",W/${etag} , "third"`, '*', ' * ']) {
      for (const method of ['GET', 'HEAD']) {
        const reply = await bank.call(method, accountPath(), { headers: { 'if-none-match': tag } })
        expect([reply.status, reply.text, reply.headers.etag], `${method} ${tag}`).toEqual([304, '', etag])
      }
    }
    for (const tag of ['"other"', 'W/"other"', `${etag}`.slice(1, -1), '']) {
      const reply = await bank.call('GET', accountPath(), { headers: { 'if-none-match': tag } })
      expect(reply.status, tag).toBe(200)
    }
  })

  test('never answers 304 to a POST', async () => {
    const created = await makeOne({ body: { customerId: customer }, headers: { 'if-none-match': '*' } })
    expect(created.status).toBe(201)
    const headers = { 'idempotency-key': 'etag', 'if-none-match': '*' }
    const first = await makeOne({ body: { customerId: customer }, headers })
    const again = await makeOne({
      body: { customerId: customer },
      headers: { ...headers, 'if-none-match': `${first.headers.etag}` },
    })
    expect([first.status, again.status, again.text]).toEqual([201, 201, first.text])
  })

  test('says how long it is in bytes, whatever letters it has', async () => {
    const tags = { place: 'Ærøskøbing', sign: '漢字 😀' }
    for (const { id, body } of [
      { id: account, body: {} },
      { id: await makeAccount(bank, { customerId: customer, tags }), body: tags },
    ]) {
      const path = `/v0/banking/accounts/${id}`
      const [read, head] = [await bank.call('GET', path), await bank.call('HEAD', path)]
      expect(read.json.data.tags).toEqual(body)
      expect(read.headers['content-length']).toBe(String(Buffer.byteLength(JSON.stringify(read.json))))
      expect([head.headers['content-length'], head.bytes.length]).toEqual([read.headers['content-length'], 0])
    }
  })

  test('answers HEAD with the headers of GET and no body', async () => {
    const get = await bank.call('GET', accountPath())
    const head = await bank.call('HEAD', accountPath())
    expect([head.status, head.text]).toEqual([200, ''])
    for (const name of ['etag', 'content-type', 'content-length'])
      expect(head.headers[name], name).toBe(get.headers[name])
    expect((await bank.call('HEAD', accountPath(), { key: null })).status).toBe(401)
    expect((await bank.call('HEAD', '/v0/banking/accounts/1')).status).toBe(404)
  })

  test('is kept by no cache for another key, and is asked for again before each use', async () => {
    const { etag } = (await bank.call('GET', accountPath())).headers
    const card = await bank.call('POST', '/v0/api-keys', { body: { name: 'Short-lived' } })
    const replies = [
      [await bank.call('GET', accountPath()), 'private, no-cache'],
      [await bank.call('HEAD', accountPath()), 'private, no-cache'],
      [await bank.call('GET', accountPath(), { headers: { 'if-none-match': String(etag) } }), 'private, no-cache'],
      [await makeOne({ body: { customerId: customer } }), 'private, no-cache'],
      [await bank.call('GET', '/openapi.json'), 'private, no-cache', 'Accept-Encoding'],
      [await bank.call('DELETE', `/v0/api-keys/${card.json.data.id}`), 'private, no-cache'],
      [card, 'no-store'],
      [await bank.call('GET', '/v0/banking/accounts/1'), 'no-store'],
      [await bank.call('GET', '/v0/banking/accounts/%zz'), 'no-store'],
      [await bank.call('GET', '/nowhere', { key: null }), 'no-store'],
    ] as const
    for (const [{ status, headers }, caching, vary = 'X-Service-API-Key'] of replies) {
      expect([status, headers['cache-control'], headers.vary]).toEqual([status, caching, vary])
    }
    expect(replies.map(([{ status }]) => status)).toEqual([200, 200, 304, 201, 200, 204, 201, 404, 400, 404])
  })

  test('makes no difference between a path with and without a trailing slash', async () => {
    const plain = await bank.call('GET', accountPath())
    expect((await bank.call('GET', `${accountPath()}/`)).text).toBe(plain.text)
    expect((await bank.call('GET', '/v0/banking/accounts/?limit=1')).status).toBe(200)
    expect((await bank.call('POST', '/v0/banking/accounts/', { body: { customerId: customer } })).status).toBe(201)
    expect((await bank.call('GET', '/docs/errors/')).status).toBe(200)
  })
})

describe('a body', () => {
  const closed = async () => {
    const id = await makeAccount(bank)
    await bank.call('POST', `/v0/banking/accounts/${id}/close`, { body: { reason: 'ByCustomer' } })
    return `/v0/banking/accounts/${id}/reopen`
  }

  test('may be absent under a JSON content type, on GET and on POST', async () => {
    const json = { 'content-type': 'application/json' }
    expect((await bank.call('GET', accountPath(), { headers: json })).status).toBe(200)
    expect((await bank.call('POST', await closed(), { headers: json })).status).toBe(200)
  })

  test('is the same absent, empty and null where nothing is required', async () => {
    for (const raw of [undefined, '', '{}', 'null', ' {} ']) {
      const reply = await bank.call('POST', await closed(), raw === undefined ? {} : { raw })
      expect([reply.status, reply.json.data.status], String(raw)).toEqual([200, 'Open'])
    }
  })

  test('that is absent or null lacks what is required', async () => {
    for (const options of [{}, { raw: 'null' }, { raw: '{}' }]) {
      const reply = await makeOne(options)
      expect(problem(reply)).toEqual([400, 'invalid_request'])
      expect(reply.json.errors).toEqual([
        { pointer: '/customerId', code: 'required', message: 'customerId is required' },
      ])
    }
  })

  test('of another content type answers 415', async () => {
    const raw = JSON.stringify({ customerId: customer })
    const types = ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', 'multipart/form-data', 'x']
    for (const type of [...types, 'application/json; charset=latin1', 'application/problem+json']) {
      expect(problem(await makeOne({ raw, headers: { 'content-type': type } })), type).toEqual([
        415,
        'unsupported_media_type',
      ])
    }
    for (const type of ['application/json', 'Application/JSON; charset=UTF-8', 'application/json;charset="utf-8"']) {
      expect((await makeOne({ raw, headers: { 'content-type': type } })).status, type).toBe(201)
    }
  })

  test('may hold 1 MiB and not a byte more', async () => {
    const sized = (bytes: number) => {
      const json = JSON.stringify({ customerId: customer })
      return json + ' '.repeat(bytes - json.length)
    }
    expect((await makeOne({ raw: sized(MIB) })).status).toBe(201)
    expect(problem(await makeOne({ raw: sized(MIB + 1) }))).toEqual([413, 'payload_too_large'])
  })

  test('that is no JSON answers 400', async () => {
    for (const raw of ['{', '{"customerId":', "{'a':1}", '{"a":1}x', 'undefined', '\ufeff{}', '{"a":NaN}', '\u0000']) {
      const reply = await makeOne({ raw })
      expect(problem(reply), raw).toEqual([400, 'invalid_request'])
      expect(reply.json.errors[0]).toMatchObject({ pointer: '', code: 'malformed_json' })
    }
  })

  test('that is no UTF-8 answers 400', async () => {
    const bytes = [[0xff], [0xed, 0xa0, 0x80], [0xc3], [0xc0, 0x80]]
    for (const wrong of bytes) {
      const raw = Buffer.concat([Buffer.from('{"customerId":"'), Buffer.from(wrong), Buffer.from('"}')])
      expect(problem(await makeOne({ raw }))).toEqual([400, 'invalid_request'])
    }
  })

  test('that nests very deep answers 400', async () => {
    for (const depth of [33, 1000, 200_000]) {
      const arrays = `{"customerId":${'['.repeat(depth)}${']'.repeat(depth)}}`
      const objects = `{"customerId":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`
      for (const raw of [arrays, objects]) {
        const status = raw.length > MIB ? 413 : 400
        expect((await makeOne({ raw })).status, `${depth}`).toBe(status)
      }
    }
  })

  test('cannot reach the prototype', async () => {
    const bodies = [
      `{"customerId":"${customer}","__proto__":{"tags":{}}}`,
      `{"__proto__":{"customerId":"${customer}"}}`,
      `{"customerId":"${customer}","constructor":{"prototype":{"polluted":true}}}`,
    ]
    for (const raw of bodies) expect(problem(await makeOne({ raw })), raw).toEqual([400, 'invalid_request'])
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})

test('a body in another encoding than its own answers 415', async () => {
  const headers = { 'content-encoding': 'gzip' }
  const { status } = await bank.call('POST', '/v0/banking/accounts', { headers, body: { customerId: customer } })
  expect(status).toBe(415)
})

describe('a problem', () => {
  test('is written as RFC 9457 has it', async () => {
    const { status, headers, json } = await bank.call('GET', '/v0/banking/accounts/1', {
      headers: { accept: '*/*', 'x-request-id': 'mine' },
    })
    expect(status).toBe(404)
    expect(headers['content-type']).toBe('application/problem+json')
    expect(json).toEqual({
      type: '/docs/errors#account_not_found',
      title: 'Account not found',
      status: 404,
      detail: 'There is no account with this id. POST /v0/banking/accounts creates one.',
      code: 'account_not_found',
      requestId: 'mine',
    })
  })

  test('is called application/json for callers who accept nothing else', async () => {
    const typeFor = async (accept: string) =>
      (await bank.call('GET', '/v0/banking/accounts/1', { headers: { accept } })).headers['content-type']
    for (const accept of ['application/json', 'application/json;q=0.9', 'text/html, application/json']) {
      expect(await typeFor(accept), accept).toBe('application/json; charset=utf-8')
    }
    const welcome = ['*/*', 'application/json, */*', 'application/problem+json', 'application/*', 'text/html']
    for (const accept of [...welcome, 'application/json, application/problem+json']) {
      expect(await typeFor(accept), accept).toBe('application/problem+json')
    }
    const silent = await bank.app.inject({ method: 'GET', url: '/nowhere' })
    expect(silent.headers['content-type']).toBe('application/problem+json')
  })

  test('names every fault of a request at once', async () => {
    const { json } = await bank.call('POST', '/v0/banking/accounts?tset=1&x=%00', {
      body: { tags: { a: 1, b: 'ok', c: null }, extra: true },
    })
    const places = json.errors.map(({ pointer, parameter }: Record<string, string>) => pointer ?? parameter)
    expect(places.sort()).toEqual(['/customerId', '/extra', '/tags/a', '/tags/c', 'tset', 'x'])
    expect(json.detail).toBe('The request has 6 faults; errors lists them.')
  })

  test('with one fault says it in the detail', async () => {
    const { json } = await bank.call('GET', '/v0/banking/accounts?limit=0')
    expect(json.detail).toBe(json.errors[0].message)
    expect(json.errors).toHaveLength(1)
  })

  test('offers the nearest name for an unknown parameter or member', async () => {
    const query = await bank.call('GET', '/v0/banking/accounts?custmerId=1')
    expect(query.json.errors).toEqual([
      { parameter: 'custmerId', code: 'unknown', message: 'custmerId is not known; did you mean customerId?' },
    ])
    const body = await makeOne({ body: { customerId: customer, tag: {} } })
    expect(body.json.errors).toEqual([
      { pointer: '/tag', code: 'unknown', message: 'tag is not known; did you mean tags?' },
    ])
    for (const name of ['colour', 'lst', 'sortBy', 'page']) {
      const far = await bank.call('GET', `/v0/banking/customers?${name}=red`)
      expect(far.json.errors[0].message).toBe(
        `${name} is not known; known names: search, status, since, until, limit, offset, sort, cursor, count`,
      )
    }
  })

  test('in live mode gives no sandbox advice', async () => {
    const live = await openTestBank({ own: true, mode: 'live' })
    try {
      const { json } = await live.call('GET', '/v0/banking/accounts/1')
      expect(json.detail).toBe('There is no account with this id.')
    } finally {
      await live.close()
    }
  })

  test('of a broken database answers 503 with Retry-After and reveals nothing internal', async () => {
    const broken = await openTestBank({ own: true })
    const spare = await openTestBank({ own: true })
    try {
      const key = broken.key
      expect((await broken.call('GET', '/v0/banking/accounts', { key })).status).toBe(200)
      await spare.database.query(`alter database ${databaseName(broken)} with allow_connections false`)
      await spare.database.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${databaseName(broken)}'`,
      )
      const { status, headers, json } = await broken.call('GET', '/v0/banking/accounts', { key })
      expect([status, json.code]).toEqual([503, 'unavailable'])
      expect(headers['retry-after']).toMatch(/^\d+$/)
      expect(json.detail).not.toMatch(/postgres|connect|purser_test/i)
      await spare.database.query(`alter database ${databaseName(broken)} with allow_connections true`)
      // A server that is away is tried ten times a second.
      const answered = async () => (await broken.call('GET', '/v0/banking/accounts', { key })).status
      await expect.poll(answered).toBe(200)
    } finally {
      await spare.close()
      await broken.close()
    }
  })
})

describe('a route', () => {
  test('that does not exist answers 404 to every caller and every body', async () => {
    for (const path of ['/nowhere', '/v0', '/v0/banking', '/v1/banking/accounts', '/v0/banking/accounts/1/2/3']) {
      for (const key of [bank.key, null]) {
        expect(problem(await bank.call('GET', path, { key })), path).toEqual([404, 'route_not_found'])
      }
    }
    expect(problem(await bank.call('POST', '/nowhere', { raw: '{' }))).toEqual([404, 'route_not_found'])
    const text = { raw: 'x', headers: { 'content-type': 'text/plain' } }
    expect(problem(await bank.call('POST', '/nowhere', text))).toEqual([404, 'route_not_found'])
  })

  test('asked by a method that it does not serve answers 405 with Allow', async () => {
    const deleted = await bank.call('DELETE', accountPath())
    expect(problem(deleted)).toEqual([405, 'method_not_allowed'])
    expect(deleted.headers.allow).toBe('GET, HEAD')
    expect((await bank.call('PUT', '/v0/banking/accounts')).headers.allow).toBe('POST, GET, HEAD')
    expect((await bank.call('POST', '/livez')).status).toBe(405)
    const text = { raw: 'x', headers: { 'content-type': 'text/plain' } }
    expect(problem(await bank.call('PUT', '/v0/banking/accounts', text))).toEqual([405, 'method_not_allowed'])
    expect(problem(await bank.call('PUT', '/v0/banking/accounts', { raw: '{' }))).toEqual([405, 'method_not_allowed'])
  })

  test('below /v0/sandbox does not exist in live mode', async () => {
    const live = await openTestBank({ own: true, mode: 'live' })
    try {
      for (const { method, path } of operations.filter(({ area }) => area === 'sandbox')) {
        const reply = await live.call(method, path.replace(/:\w+/g, '1'), { body: { name: 'Ada' } })
        expect(problem(reply), path).toEqual([404, 'route_not_found'])
      }
      const paths = Object.keys((await live.call('GET', '/openapi.json')).json.paths)
      expect(paths).toContain('/v0/banking/accounts')
      expect(paths.filter((path) => path.startsWith('/v0/sandbox'))).toEqual([])
      expect((await live.call('GET', '/')).text).not.toContain('/v0/sandbox')
    } finally {
      await live.close()
    }
  })
})

describe('the request id', () => {
  const idOf = async (headers: Record<string, string>) =>
    (await bank.call('GET', accountPath(), { headers })).headers['x-request-id']

  test("is the caller's own where that is 1 to 128 visible ASCII characters", async () => {
    for (const id of ['mine', '~!"#', 'x'.repeat(128)]) expect(await idOf({ 'x-request-id': id })).toBe(id)
  })

  test('is made where the caller sends none or a malformed one', async () => {
    const made = await Promise.all(
      [{}, { 'x-request-id': '' }, { 'x-request-id': 'two words' }, { 'x-request-id': 'x'.repeat(129) }].map(
        (headers) => idOf(headers as Record<string, string>),
      ),
    )
    for (const id of made) expect(id).toMatch(/^[0-9a-f-]{36}$/)
    expect(new Set(made).size).toBe(4)
  })

  test('is on every response: problems, unknown routes, pages', async () => {
    for (const path of ['/nowhere', '/livez', '/docs/errors', '/v0/banking/accounts/1', '/openapi.json']) {
      const { headers } = await bank.call('GET', path, { headers: { 'x-request-id': 'mine' } })
      expect(headers['x-request-id'], path).toBe('mine')
    }
    const refused = await bank.call('GET', '/v0/banking/accounts/%zz', { headers: { 'x-request-id': 'mine' } })
    expect([refused.status, refused.headers['x-request-id'], refused.json.requestId]).toEqual([400, 'mine', 'mine'])
  })
})

describe('a key', () => {
  const readWith = async (key: string) => (await bank.call('GET', '/v0/banking/accounts', { key })).status

  test('that is revoked or expired answers 401', async () => {
    const changed = async (change: string) => {
      const key = await bank.makeKey('first', null)
      await bank.database.query(`update api_key set ${change} where hash = $1`, [sha256(key)])
      return readWith(key)
    }
    expect(await changed(`revoked_at = now()`)).toBe(401)
    expect(await changed(`expires_at = now() - interval '1 second'`)).toBe(401)
    expect(await changed(`expires_at = now() + interval '1 minute'`)).toBe(200)
  })

  test('with a write scope may read, one with a read scope may not write', async () => {
    const writer = await bank.makeKey('first', ['banking:write'])
    const reader = await bank.makeKey('first', ['banking:read'])
    expect([await readWith(writer), await readWith(reader)]).toEqual([200, 200])
    const body = { customerId: customer }
    expect((await makeOne({ key: writer, body })).status).toBe(201)
    expect(problem(await makeOne({ key: reader, body }))).toEqual([403, 'forbidden'])
  })

  test('is looked at before the body is read', async () => {
    expect((await makeOne({ key: null, raw: '{' })).status).toBe(401)
    expect((await makeOne({ key: null, raw: ' '.repeat(MIB + 1) })).status).toBe(401)
  })
})

describe('a list', () => {
  test('is newest first, and walks in pages without repeats or gaps, both ways', async () => {
    const lister = await openTestBank({ own: true })
    try {
      const owner = await makeCustomer(lister)
      const made: string[] = []
      for (let count = 0; count < 3; count++) made.push(await makeAccount(lister, { customerId: owner }))
      made.push(...(await Promise.all(Array.from({ length: 20 }, () => makeAccount(lister, { customerId: owner })))))
      const newest = await walk(lister, `/v0/banking/accounts?limit=5&customerId=${owner}`)
      const oldest = await walk(lister, `/v0/banking/accounts?limit=4&sort=createdAt`)
      expect(newest).toHaveLength(23)
      expect([...newest].sort()).toEqual([...made].sort())
      expect([...oldest].reverse()).toEqual(newest)
      expect(oldest.slice(0, 3)).toEqual(made.slice(0, 3))
      expect(await walk(lister, '/v0/banking/accounts?sort=-createdAt&limit=23')).toEqual(newest)
    } finally {
      await lister.close()
    }
  })

  test('names the next page in Link only where more exists, and keeps the filters', async () => {
    const owner = await makeCustomer(bank)
    for (let count = 0; count < 3; count++) await makeAccount(bank, { customerId: owner })
    const page = (query: string) => bank.call('GET', `/v0/banking/accounts?customerId=${owner}${query}`)
    const first = await page('&status=open&limit=2')
    expect(first.headers.link).toMatch(
      new RegExp(`^</v0/banking/accounts\\?customerId=${owner}&status=open&limit=2&cursor=[\\w-]{32}>; rel="next"$`),
    )
    expect((await page('&limit=2&offset=2')).headers.link).toBeUndefined()
    expect((await page('&limit=3')).headers.link).toBeUndefined()
    expect((await page('')).headers.link).toBeUndefined()
    const beyond = await page('&offset=1000000000000')
    expect([beyond.json.data, beyond.headers.link]).toEqual([[], undefined])
  })

  test('is read one at a time for an organisation where that is slow: far pages, searches and counts', async () => {
    let [running, most] = [0, 0]
    /** Holds the next slow read, and no other. */
    let hold: (() => Promise<void>) | undefined
    const slowly = async <T>(read: () => Promise<T>) => {
      const held = hold
      hold = undefined
      most = Math.max(most, ++running)
      await held?.()
      return read().finally(() => running--)
    }
    const slow = await openTestBank({
      around: (database) => ({
        ...database,
        query: (text: string, values: unknown[] = []) => {
          const isSlow = values.includes(20_000) || values.includes('nobody')
          return isSlow ? slowly(() => database.query(text, values)) : database.query(text, values)
        },
        transaction: (work, ...options) => slowly(() => database.transaction(work, ...options)),
      }),
    } as TestBankOptions)
    try {
      for (const query of ['offset=20000', 'search=nobody', 'count=true']) {
        const order: string[] = []
        const list = async (whose: string, key: string) => {
          const { status, json } = await slow.call('GET', `/v0/banking/customers?${query}`, { key })
          expect([status, json.data]).toEqual([200, []])
          order.push(whose)
        }
        const [begun, released] = [deferred(), deferred()]
        hold = () => {
          begun.resolve()
          return released.promise
        }
        const own = Array.from({ length: 5 }, () => list('own', slow.key))
        await begun.promise
        // Those of the own organisation that came before it would be answered before it, if they did not wait for the first.
        await list('other', slow.otherKey)
        most = 0
        released.resolve()
        await Promise.all(own)
        expect([order, most], query).toEqual([['other', 'own', 'own', 'own', 'own', 'own'], 1])
      }
    } finally {
      await slow.close()
    }
  })

  test('answers 100 records unless asked for others', async () => {
    const owner = await makeCustomer(bank)
    await Promise.all(Array.from({ length: 101 }, () => makeAccount(bank, { customerId: owner })))
    const { json, headers } = await bank.call('GET', `/v0/banking/accounts?customerId=${owner}`)
    expect(json.data).toHaveLength(100)
    expect(headers.link).toContain('rel="next"')
    const all = await bank.call('GET', `/v0/banking/accounts?customerId=${owner}&limit=1000`)
    expect(all.json.data).toHaveLength(101)
  })
})

describe('the pages', () => {
  test('need no key', async () => {
    for (const path of ['/', '/console', '/docs/errors', '/llms.txt', '/openapi.json', '/livez', '/readyz']) {
      expect((await bank.call('GET', path, { key: null })).status, path).toBe(200)
    }
  })

  test('say whether the service lives and is ready', async () => {
    expect((await bank.call('GET', '/livez')).json).toEqual({ status: 'ok' })
    expect((await bank.call('GET', '/readyz')).json).toEqual({ status: 'ready' })
  })

  test('of the reference come with all their assets from this host', async () => {
    const seen = new Set<string>()
    const visit = async (url: string): Promise<void> => {
      const { pathname, search } = new URL(url)
      if (seen.has(pathname)) return
      seen.add(pathname)
      const { status, headers, text } = await bank.call('GET', pathname + search, { key: null })
      if (status === 302) return visit(new URL(String(headers.location), url).href)
      expect(status, pathname).toBe(200)
      if (!String(headers['content-type']).includes('html')) return
      const links = [...text.matchAll(/\b(?:src|href)="([^"]*)"/g)].map(([, link = '']) => link)
      expect(
        links.filter((link) => /^(https?:)?\/\//i.test(link)),
        pathname,
      ).toEqual([])
      for (const link of links.filter((target) => !/^(data:|#)/.test(target))) await visit(new URL(link, url).href)
    }
    await visit('http://purser.test/')
    await visit('http://purser.test/docs')
    expect([...seen].filter((path) => /\.(js|css)$/.test(path))).toHaveLength(2)
    expect([...seen]).toEqual(expect.arrayContaining(['/openapi.json', '/console', '/console/reference', '/llms.txt']))
  })

  test('of problems have one anchor a code', async () => {
    const { text } = await bank.call('GET', '/docs/errors')
    const anchors = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    expect(anchors).toEqual(Object.keys(refusals))
  })

  test('describe every operation in OpenAPI, extensions marked', async () => {
    const { json } = await bank.call('GET', '/openapi.json')
    expect(json.openapi).toMatch(/^3\.1\./)
    for (const { id, method, path, number } of operations) {
      const described = json.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
      expect(described?.operationId, id).toBe(id)
      expect(described['x-extension'], id).toBe(number === undefined ? true : undefined)
    }
  })
})

describe('the OpenAPI document', () => {
  test('has an ETag, by which it is not sent again', async () => {
    const first = await bank.call('GET', '/openapi.json', { key: null })
    expect([first.status, first.json.openapi]).toEqual([200, '3.1.0'])
    const headers = { 'if-none-match': String(first.headers.etag) }
    const again = await bank.call('GET', '/openapi.json', { key: null, headers })
    expect([again.status, again.text, again.headers.etag]).toEqual([304, '', first.headers.etag])
  })
})

describe('on a real socket', () => {
  let port: number

  beforeAll(async () => {
    await bank.app.listen({ port: 0, host: '127.0.0.1' })
    port = (bank.app.server.address() as AddressInfo).port
  })

  test('64 KiB of headers pass, more answer 431 as a problem', async () => {
    const head = (bytes: number) =>
      `GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Long: ${'x'.repeat(bytes)}\r\n\r\n`
    expect((await exchange(head(63 * 1024))).status).toBe(200)
    const refused = await exchange(head(65 * 1024))
    expect(refused.status).toBe(431)
    expect(refused.headers).toMatch(/^content-type: application\/problem\+json\r$/im)
    expect(refused.json).toMatchObject({
      type: '/docs/errors#headers_too_large',
      code: 'headers_too_large',
      status: 431,
    })
    expect(refused.headers.toLowerCase()).toContain(`x-request-id: ${refused.json.requestId}`)
  })

  test('a long request line passes too', async () => {
    const line = `GET /v0/banking/accounts/${'1'.repeat(60_000)} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`
    const { status } = await exchange(`${line}X-Service-API-Key: ${bank.key}\r\n\r\n`)
    expect(status).toBe(404)
  })

  test('no header is dropped for its place among thousands', async () => {
    const many = Array.from({ length: 2_500 }, (_, number) => `X${number}: a\r\n`).join('')
    const line = `GET /v0/banking/customers HTTP/1.1\r\nHost: x\r\nConnection: close\r\n`
    expect((await exchange(`${line}${many}X-Service-API-Key: ${bank.key}\r\n\r\n`)).status).toBe(200)
  })

  test('a caller who leaves in the middle of a body harms nobody', async () => {
    const head = 'POST /v0/banking/accounts HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
    const socket = connect(port, '127.0.0.1')
    socket.write(`${head}X-Service-API-Key: ${bank.key}\r\nContent-Length: 500\r\n\r\n{"a`)
    await once(socket, 'connect')
    socket.destroy()
    expect((await exchange('GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).status).toBe(200)
  })

  test('answers that become ready together reach their callers, even if others have left', async () => {
    const names = ['plain', 'é', '漢字 🙂']
    const ids = await Promise.all(names.map((name) => makeAccount(bank, { customerId: customer, tags: { name } })))
    const get = (id: string | undefined, method = 'GET') =>
      `${method} /v0/banking/accounts/${id} HTTP/1.1\r\nHost: x\r\nX-Service-API-Key: ${bank.key}\r\n\r\n`
    const closing = (request: string) => request.replace('Host', 'Connection: close\r\nHost')
    const leaving = Array.from({ length: 20 }, () => connect(port, '127.0.0.1'))
    for (const [at, socket] of leaving.entries()) socket.write(get(ids[at % ids.length]), () => socket.destroy())
    // One after the other on one connection: they are answered in this order, a HEAD without its body.
    const [first, second, third] = ids
    const pipelined = talk(get(first) + get(second, 'HEAD') + get(third) + closing(get(second)))
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, at) => exchange(closing(get(ids[at % ids.length])))),
    )
    expect(replies.map(({ json }) => json.data.tags.name)).toEqual(replies.map((_, at) => names[at % names.length]))
    const bodies = (await pipelined).match(/"tags":\{"name":"[^"]*"/g)
    expect(bodies).toEqual(['plain', '漢字 🙂', 'é'].map((name) => `"tags":{"name":"${name}"`))
  })

  test('a request without Host answers 400 as a problem', async () => {
    const { status, json } = await exchange('GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n')
    expect([status, json.code, json.detail]).toEqual([400, 'invalid_request', 'The header Host is missing.'])
  })

  test('an unknown expectation is ignored', async () => {
    const head = 'GET /livez HTTP/1.1\r\nHost: x\r\nExpect: nonsense\r\nConnection: close\r\n\r\n'
    expect((await exchange(head)).status).toBe(200)
  })

  test('100 Continue is sent once the key is accepted, and not before', async () => {
    const body = JSON.stringify({ customerId: customer })
    const post = (key: string) =>
      `POST /v0/banking/accounts HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nX-Service-API-Key: ${key}\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`
    expect(await talk(post('an-unknown-key'))).toMatch(/^HTTP\/1\.1 401 /)
    expect(await talk(post(bank.key) + body)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 201 /)
  })

  test('a process that stops answers kept-alive connections with a problem and Retry-After', async () => {
    const stopping = await openTestBank({ own: true })
    await stopping.app.listen({ port: 0, host: '127.0.0.1' })
    const socket = connect((stopping.app.server.address() as AddressInfo).port, '127.0.0.1')
    let received = ''
    socket.on('data', (part) => {
      received += part.toString()
    })
    const get = (path: string) =>
      `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Service-API-Key: ${stopping.key}\r\nX-Request-Id: mine\r\n\r\n`
    const polled = once(stopping.app.server, 'request')
    // A long poll keeps the connection open while the server closes; the request after it arrives meanwhile.
    socket.write(get('/v0/events?after=1000000&wait=20'))
    await polled
    const stopped = stopping.app.close()
    await expect.poll(() => stopping.app.server.listening).toBe(false)
    const asked = once(stopping.app.server, 'request')
    socket.write(get('/v0/banking/accounts'))
    await asked
    const closed = once(socket, 'close')
    stopping.feed.release()
    await Promise.all([stopped, closed])
    await stopping.close()
    const [, second = ''] = received.split(/(?=HTTP\/1\.1 )/)
    expect(second).toMatch(/^HTTP\/1\.1 503 /)
    expect(second).toMatch(/^retry-after: 1\r$/im)
    expect(second).toMatch(/^x-request-id: mine\r$/im)
    expect(second).toContain('"code":"unavailable"')
  })

  test('a process that stops does not wait for connections on which no request has come', async () => {
    const stopping = await openTestBank({ own: true })
    await stopping.app.listen({ port: 0, host: '127.0.0.1' })
    const opened = once(stopping.app.server, 'connection')
    const socket = connect((stopping.app.server.address() as AddressInfo).port, '127.0.0.1')
    await opened
    // Without these limits the server itself would wait for ever.
    Object.assign(stopping.app.server, { headersTimeout: 0, requestTimeout: 0, keepAliveTimeout: 0 })
    await Promise.all([stopping.close(), once(socket.resume(), 'close')])
  })

  test('what is no HTTP answers 400 as a problem', async () => {
    const { status, json } = await exchange('HELLO\r\n\r\n')
    expect([status, json.code, json.detail]).toEqual([400, 'invalid_request', 'The request is not valid HTTP.'])
  })

  test('a chunked body past the limit answers 413', async () => {
    const head = 'POST /v0/banking/accounts HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
    const chunk = ' '.repeat(600 * 1024)
    const chunked = `${chunk.length.toString(16)}\r\n${chunk}\r\n`
    const { status, json } = await exchange(
      `${head}X-Service-API-Key: ${bank.key}\r\nTransfer-Encoding: chunked\r\n\r\n${chunked}${chunked}0\r\n\r\n`,
    )
    expect([status, json.code]).toEqual([413, 'payload_too_large'])
  })

  test('200 mixed requests at once answer none with 5xx', async () => {
    const base = `http://127.0.0.1:${port}`
    const headers = { 'x-service-api-key': bank.key, 'content-type': 'application/json' }
    const post = (path: string, body?: unknown) =>
      fetch(base + path, { method: 'POST', headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
    const busy = await makeAccount(bank)
    const kinds = [
      () => post('/v0/banking/accounts', { customerId: customer }),
      () => post('/v0/sandbox/customers', { name: 'Ada Example' }),
      () => post(`/v0/banking/accounts/${busy}/freeze`),
      () => post(`/v0/banking/accounts/${busy}/unfreeze`),
      () => post(`/v0/banking/accounts/${busy}/close`, { reason: 'Fraud' }),
      () => post(`/v0/banking/accounts/${busy}/reopen`),
      () => fetch(`${base}/v0/banking/accounts/${busy}`, { headers }),
      () => fetch(`${base}/v0/banking/accounts?limit=5`, { headers }),
      () => fetch(`${base}/v0/banking/accounts/1`, { headers }),
      () => post('/v0/banking/accounts', { customerId: 1 }),
    ]
    const replies = await Promise.all(Array.from({ length: 200 }, (_, at) => kinds[at % kinds.length]?.()))
    const counts = new Map<number, number>()
    for (const reply of replies) {
      await reply?.arrayBuffer()
      counts.set(reply?.status ?? 0, (counts.get(reply?.status ?? 0) ?? 0) + 1)
    }
    expect([...counts.keys()].filter((status) => status >= 500)).toEqual([])
    expect([counts.get(201), counts.get(400), counts.get(404)]).toEqual([40, 20, 20])
    expect((counts.get(200) ?? 0) + (counts.get(409) ?? 0)).toBe(120)
  })

  async function talk(sent: string): Promise<string> {
    const socket = connect(port, '127.0.0.1')
    const parts: Buffer[] = []
    socket.on('data', (part) => parts.push(part))
    // A server that refuses may close before all is sent.
    socket.on('error', () => undefined)
    socket.write(sent)
    await once(socket, 'close')
    return Buffer.concat(parts).toString()
  }

  async function exchange(sent: string) {
    const [headers = '', body = ''] = (await talk(sent)).split('\r\n\r\n', 2)
    return {
      status: Number(/^HTTP\/1\.1 (\d+)/.exec(headers)?.[1]),
      headers: `${headers}\r\n`,
      json: body.startsWith('{') ? JSON.parse(body) : undefined,
    }
  }
})

/** The ids of a whole list, following Link as a caller would. */
async function walk(lister: TestBank, path: string): Promise<string[]> {
  const { json, headers } = await lister.call('GET', path)
  const ids = json.data.map(({ id }: { id: string }) => id)
  const next = /<([^>]+)>; rel="next"/.exec(String(headers.link ?? ''))?.[1]
  return next ? [...ids, ...(await walk(lister, next))] : ids
}

function databaseName({ server }: TestBank): string {
  return server.database ?? new URL(server.connectionString ?? '').pathname.slice(1)
}
