import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CallOptions, openTestBank, type TestBank } from '../../test/support/harness.ts'
import { signIn } from '../../test/support/people/sign-in.ts'

type Headers = Record<string, string>

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank({ own: true })
})
afterAll(() => bank.close())

describe('a session', () => {
  test('acts in an organisation with the scopes of the role there', async () => {
    const ada = await signIn(bank, { first: 'viewer', second: 'administrator' })
    const { status, json } = await ada.call('GET', '/v0/me')
    expect(status).toBe(200)
    expect(json.data).toMatchObject({
      organisation: { name: 'first' },
      key: { name: 'Ada Lovelace', scopes: ['banking:read', 'rewards:read', 'events:read'], expiresAt: null },
      person: {
        id: String(ada.id),
        name: 'Ada Lovelace',
        role: 'viewer',
        organisations: [
          { name: 'first', role: 'viewer' },
          { name: 'second', role: 'administrator' },
        ],
      },
    })
    const refused = await ada.call('POST', '/v0/api-keys', { body: { name: 'x' } })
    expect([refused.status, refused.json.code]).toEqual([403, 'forbidden'])
    const there = await ada.call('GET', '/v0/me', { in: 'second' })
    expect(there.json.data).toMatchObject({ organisation: { name: 'second' }, person: { role: 'administrator' } })
  })

  test('has one seat for each organisation and address, which is no API key', async () => {
    const ada = await signIn(bank, { first: 'administrator' }, { name: 'Seated' })
    const seat = (await ada.call('GET', '/v0/me')).json.data.key.id
    expect((await ada.call('GET', '/v0/me')).json.data.key.id).toBe(seat)
    const keys = (await bank.call('GET', '/v0/api-keys')).json.data
    expect(keys.map(({ id }: { id: string }) => id)).not.toContain(seat)
    for (const [method, path] of [
      ['DELETE', `/v0/api-keys/${seat}`],
      ['POST', `/v0/api-keys/${seat}/rotate`],
    ] as const) {
      const reply = await bank.call(method, path, method === 'POST' ? { body: { graceSeconds: 0 } } : {})
      expect([reply.status, reply.json.code]).toEqual([404, 'api_key_not_found'])
    }
    const rows = await bank.database.query('select person_id as person, address from api_key where id = $1::bigint', [
      Number(seat),
    ])
    expect(rows).toEqual([{ person: ada.id, address: '127.0.0.1' }])
  })

  test('is refused in an organisation without a role, and without any', async () => {
    const ada = await signIn(bank, { first: 'viewer', gone: 'viewer', second: 'unheard of' })
    for (const organisation of ['second', 'gone', 'none', '%zz']) {
      const { status, json } = await ada.call('GET', '/v0/me', { in: organisation })
      expect([status, json.code], organisation).toEqual([403, 'forbidden'])
      expect(json.detail).toContain('no role in this organisation')
    }
    const nobody = await signIn(bank, {})
    const { status, json } = await nobody.call('GET', '/v0/me')
    expect([status, json.detail]).toEqual([403, expect.stringContaining('no role in any organisation')])
  })

  test('ends by revocation, removal, age and disuse', async () => {
    const endings = [
      'update people_session set ended_at = clock_timestamp() where person_id = $1::bigint',
      'update people set removed_at = clock_timestamp() where id = $1::bigint',
      'update people_session set expires_at = clock_timestamp() where person_id = $1::bigint',
      `update people_session set used_at = clock_timestamp() - interval '31 minutes' where person_id = $1::bigint`,
    ]
    for (const ending of endings) {
      const ada = await signIn(bank, { first: 'viewer' })
      await bank.database.query(ending, [ada.id])
      expect((await ada.call('GET', '/v0/me')).status, ending).toBe(401)
    }
  })

  test('stays in use while it is used', async () => {
    const ada = await signIn(bank, { first: 'viewer' })
    const age = `update people_session set used_at = clock_timestamp() - interval '29 minutes' where person_id = $1::bigint`
    await bank.database.query(age, [ada.id])
    expect((await ada.call('GET', '/v0/me')).status).toBe(200)
    const [row] = await bank.database.query<{ fresh: boolean }>(
      `select used_at > clock_timestamp() - interval '1 minute' as fresh from people_session where person_id = $1::bigint`,
      [ada.id],
    )
    expect(row?.fresh).toBe(true)
  })

  test('is refused past fifty addresses, and goes on from those it has', async () => {
    const ada = await signIn(bank, { first: 'viewer' })
    const me = (await ada.call('GET', '/v0/me')).json.data
    await bank.database.query(
      `insert into api_key (id, organisation_id, name, hash, scopes, created_at, person_id, session_id, address)
       select -n, k.organisation_id, k.name, sha256(n::text::bytea), k.scopes, k.created_at, k.person_id, k.session_id, n::text
       from api_key k cross join generate_series(1, 49) n where k.id = $1::bigint`,
      [Number(me.key.id)],
    )
    expect((await ada.call('GET', '/v0/me')).status).toBe(200)
    await bank.database.query(`update api_key set address = 'elsewhere' where id = $1::bigint`, [Number(me.key.id)])
    const again = await signIn(bank, {}, { as: ada.id })
    expect((await again.call('GET', '/v0/me')).status).toBe(200)
    await bank.database.query('update people set roles = $2::jsonb where id = $1::bigint', [
      ada.id,
      JSON.stringify({ first: 'support', second: 'viewer' }),
    ])
    const { status, json } = await ada.call('GET', '/v0/me', { in: 'second' })
    expect([status, json.detail]).toEqual([403, expect.stringContaining('too many addresses')])
  })

  test('of the command line works in the header of keys, that of a browser in its cookie alone', async () => {
    const command = await signIn(bank, { first: 'viewer' }, { kind: 'command' })
    expect((await command.call('GET', '/v0/me')).status).toBe(200)
    const asCookie = { cookie: `__Host-purser=${command.token}`, 'sec-fetch-site': 'same-origin' }
    expect((await bank.call('GET', '/v0/me', { key: null, headers: asCookie })).status).toBe(401)
    const browser = await signIn(bank, { first: 'viewer' })
    expect((await bank.call('GET', '/v0/me', { key: browser.token })).status).toBe(401)
    const twice = { cookie: `__Host-purser=${command.token}; __Host-purser=${browser.token}` }
    expect((await bank.call('GET', '/v0/me', { key: null, headers: twice })).status).toBe(401)
  })

  test('is known by the audit log with the person, also where it is denied', async () => {
    const ada = await signIn(bank, { first: 'administrator' }, { name: 'Grace Hopper' })
    expect(
      (await ada.call('POST', '/v0/api-keys', { body: { name: 'By Grace', scopes: ['events:read'] } })).status,
    ).toBe(201)
    const [entry] = (await bank.call('GET', '/v0/audit-log?limit=1')).json.data
    const [session] = await bank.database.query<{ id: number }>(
      'select id from people_session where person_id = $1::bigint',
      [ada.id],
    )
    const actor = {
      type: 'person',
      id: String(ada.id),
      name: 'Grace Hopper',
      session: { id: String(session?.id), address: '127.0.0.1' },
    }
    expect(entry).toMatchObject({ action: 'apiKey.created', actor })
    const viewer = await signIn(bank, { first: 'viewer' })
    expect((await viewer.call('POST', '/v0/api-keys', { body: { name: 'x' } })).status).toBe(403)
    await bank.denials.save()
    const [denied] = (await bank.call('GET', '/v0/audit-log?limit=1')).json.data
    expect(denied).toMatchObject({ outcome: 'Denied', actor: { type: 'person', id: String(viewer.id) } })
  })
})

describe('a request from another site', () => {
  const own = { host: 'bank.example' }
  const sent: [name: string, method: string, headers: Record<string, string>, allowed: boolean][] = [
    ['of the console', 'GET', { 'sec-fetch-site': 'same-origin' }, true],
    ['of a program that is no browser', 'GET', {}, true],
    [
      'of the console, with its origin',
      'POST',
      { 'sec-fetch-site': 'same-origin', origin: 'https://bank.example' },
      true,
    ],
    ['of another site', 'GET', { 'sec-fetch-site': 'cross-site' }, false],
    ['of a neighbour', 'GET', { 'sec-fetch-site': 'same-site' }, false],
    ['of the address bar', 'GET', { 'sec-fetch-site': 'none' }, false],
    ['of another origin', 'POST', { origin: 'https://evil.example' }, false],
    [
      'of another origin that claims to be the same',
      'POST',
      { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' },
      false,
    ],
    ['of an origin that is hidden', 'POST', { origin: 'null' }, false],
    ['that names neither', 'POST', {}, false],
  ]
  test.each(sent)('%s: %s', async (_name, method, headers, allowed) => {
    const ada = await signIn(bank, { first: 'administrator' })
    const path = method === 'GET' ? '/v0/me' : '/v0/api-keys'
    const all = { ...own, cookie: `__Host-purser=${ada.token}`, ...headers }
    const { status, json } = await bank.call(method, path, {
      key: null,
      headers: all,
      ...(method === 'POST' && { body: {} }),
    })
    if (allowed) expect(status).toBe(method === 'GET' ? 200 : 400)
    else expect([status, json.code]).toEqual([403, 'forbidden'])
  })

  test('is refused a change that it makes by GET, by a form or without a body, unless it names the console as its origin', async () => {
    const ada = await signIn(bank, { first: 'administrator' })
    const changes: [method: string, path: string, options: object][] = [
      // The interface has a change by GET, which a picture or a link could make.
      ['GET', '/v0/banking/customers/1/token-verification', {}],
      ['POST', '/v0/banking/applications', { raw: 'name=x', headers: { 'content-type': 'text/plain' } }],
      ['PUT', '/v0/banking/accounts/1/limits', { body: {} }],
      ['DELETE', '/v0/api-keys/1', {}],
    ]
    for (const [method, path, { headers, ...options }] of changes as [string, string, CallOptions][]) {
      for (const site of [{}, { 'sec-fetch-site': 'none' }, { 'sec-fetch-site': 'cross-site' }] as Headers[]) {
        const all = { ...own, cookie: `__Host-purser=${ada.token}`, ...headers, ...site }
        const { status, json } = await bank.call(method, path, { key: null, headers: all, ...options })
        expect([status, json.detail], `${method} ${JSON.stringify(site)}`).toEqual([
          403,
          expect.stringContaining('a page of another site'),
        ])
      }
    }
    const [, path] = changes[0] ?? ['', '']
    expect((await ada.call('GET', path)).json.code).toBe('customer_not_found')
  })
})
