import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type Reply, type TestBank } from '../../test/support/harness.ts'
import { eventsOf, inSeconds, issueKey, statusWith } from '../../test/support/keys.ts'
import { type Scope, keyScopes as scopes } from '../base/operation.ts'

let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

const create = (body: object, key = bank.key, headers = {}) =>
  bank.call('POST', '/v0/api-keys', { key, body: { name: 'Sample', ...body }, headers })
const problem = ({ status, json }: Reply) => [status, json?.code]
const fault = ({ status, json }: Reply) => [status, json?.errors?.[0]?.pointer, json?.errors?.[0]?.code]

describe('Creating an API key', () => {
  test('without scopes answers a full key with its secret', async () => {
    const { status, headers, json } = await create({ name: 'Nightly export' })
    expect(status).toBe(201)
    expect(json.data).toEqual({
      id: expect.stringMatching(/^[1-9]\d{6,}$/),
      name: 'Nightly export',
      scopes: null,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      expiresAt: null,
      lastUsedAt: null,
      key: expect.stringMatching(/^prs_sk_test_[0-9A-Za-z]{42}$/),
    })
    expect(headers['cache-control']).toBe('no-store')
    expect(await statusWith(bank, json.data.key)).toBe(200)
  })

  test('with scopes answers a restricted key that may do only that', async () => {
    const { json } = await create({ scopes: ['rewards:read', 'events:read'] })
    expect(json.data.scopes).toEqual(['rewards:read', 'events:read'])
    expect(json.data.key).toMatch(/^prs_rk_test_/)
    expect(await statusWith(bank, json.data.key)).toBe(403)
    const users = await bank.call('GET', '/v0/rewards/partner-users', { key: json.data.key })
    expect(users.status).toBe(200)
  })

  test('accepts all scopes together, and refuses an empty list, an unknown scope and a repeated one', async () => {
    expect((await create({ scopes })).json.data.scopes).toEqual(scopes)
    expect(fault(await create({ scopes: [] }))).toEqual([400, '/scopes', 'too_short'])
    expect(fault(await create({ scopes: ['banking:admin'] }))).toEqual([400, '/scopes/0', 'not_allowed'])
    expect(fault(await create({ scopes: ['keys:read'] }))).toEqual([400, '/scopes/0', 'not_allowed'])
    expect(fault(await create({ scopes: ['banking:read', 'banking:read'] }))).toEqual([400, '/scopes', 'bad_format'])
    expect(fault(await create({ scopes: null }))).toEqual([400, '/scopes', 'wrong_type'])
  })

  test('accepts an expiry in the future, to the millisecond, and refuses one in the past', async () => {
    const expiresAt = inSeconds(60)
    expect((await create({ expiresAt })).json.data.expiresAt).toBe(expiresAt)
    expect((await create({ expiresAt: '2099-12-31T01:00:00.1239+01:00' })).json.data.expiresAt).toBe(
      '2099-12-31T00:00:00.123Z',
    )
    expect((await create({ expiresAt: '2099-12-31' })).json.data.expiresAt).toBe('2099-12-31T00:00:00.000Z')
    for (const past of [inSeconds(-1), '2026-01-01', '0001-01-01']) {
      expect(fault(await create({ expiresAt: past })), past).toEqual([400, '/expiresAt', 'out_of_range'])
    }
    for (const odd of ['', 'soon', '2099-02-30', '2099-12-31T25:00:00Z']) {
      expect(fault(await create({ expiresAt: odd })), odd).toEqual([400, '/expiresAt', 'bad_format'])
    }
  })

  test('with an expiry answers a key that stops working then', async () => {
    const { key } = await issueKey(bank, { expiresAt: inSeconds(3) })
    expect(await statusWith(bank, key)).toBe(200)
    await expect.poll(() => statusWith(bank, key)).toBe(401)
  })

  test('is refused for a scope that the caller lacks', async () => {
    const maker = await bank.makeKey('first', ['keys:write', 'banking:write'])
    for (const within of [['keys:write'], ['banking:read'], ['banking:write', 'banking:read']] as Scope[][]) {
      expect((await create({ scopes: within }, maker)).status, within.join()).toBe(201)
    }
    for (const beyond of [['rewards:read'], ['banking:write', 'events:read'], ['sandbox:write']] as Scope[][]) {
      const reply = await create({ scopes: beyond }, maker)
      expect(problem(reply), beyond.join()).toEqual([403, 'forbidden'])
      expect(reply.json.detail).toContain(beyond.at(-1))
    }
    expect(problem(await create({}, maker))).toEqual([403, 'forbidden'])
    // A key with all scopes is not a key without restriction.
    const all = await bank.makeKey('first', [...scopes])
    expect(problem(await create({}, all))).toEqual([403, 'forbidden'])
  })

  test('is refused for a longer life than the caller has', async () => {
    const maker = await issueKey(bank, { expiresAt: inSeconds(60) })
    expect((await create({}, maker.key)).json.data.expiresAt).toBe(maker.expiresAt)
    expect((await create({ expiresAt: maker.expiresAt }, maker.key)).status).toBe(201)
    const later = new Date(Date.parse(maker.expiresAt ?? '') + 1).toISOString()
    expect(problem(await create({ expiresAt: later }, maker.key))).toEqual([403, 'forbidden'])
  })

  test('is refused to a key that was revoked a moment ago and is still remembered', async () => {
    const maker = await issueKey(bank)
    expect(await statusWith(bank, maker.key)).toBe(200)
    await bank.database.query(`update api_key set revoked_at = now() where id = $1::bigint`, [maker.id])
    expect(await statusWith(bank, maker.key)).toBe(200)
    expect(problem(await create({}, maker.key))).toEqual([401, 'unauthorized'])
  })

  test('adds the key to the organisation of the caller', async () => {
    const theirs = await issueKey(bank, {}, bank.otherKey)
    const names = (await bank.call('GET', '/v0/api-keys?limit=1000')).json.data.map(({ id }: { id: string }) => id)
    expect(names).not.toContain(theirs.id)
  })

  test('has one effect for one idempotency key, and the replay shows the same secret', async () => {
    const headers = { 'idempotency-key': 'make a key'.replaceAll(' ', '-') }
    const first = await create({}, bank.key, headers)
    const again = await create({}, bank.key, headers)
    expect(again.text).toBe(first.text)
    expect(again.headers['idempotent-replayed']).toBe('true')
  })

  test('is replayed only to keys that could issue such a key, and to no revoked key', async () => {
    const restricted = await bank.makeKey('first', ['keys:write', 'events:read'])
    const expiring = await issueKey(bank, { expiresAt: inSeconds(60) })
    const rotated = await issueKey(bank)
    await bank.call('POST', `/v0/api-keys/${rotated.id}/rotate`, { body: { graceSeconds: 3600 } })
    const headers = { 'idempotency-key': 'named-by-the-event' }
    const { key } = (await create({}, bank.key, headers)).json.data
    for (const other of [restricted, expiring.key, rotated.key]) {
      const reply = await create({}, other, headers)
      expect(problem(reply)).toEqual([403, 'forbidden'])
      expect(reply.text).not.toContain(key)
    }
    const revoked = await issueKey(bank)
    expect(await statusWith(bank, revoked.key)).toBe(200)
    await bank.database.query(`update api_key set revoked_at = now() where id = $1::bigint`, [revoked.id])
    expect(problem(await create({}, revoked.key, headers))).toEqual([401, 'unauthorized'])
    expect((await create({}, bank.key, headers)).json.data.key).toBe(key)
  })

  test('emits an event without the secret', async () => {
    const { key, ...shown } = await issueKey(bank)
    expect(await eventsOf(bank, shown.id)).toEqual([{ type: 'apiKey.created', version: 1, data: shown }])
  })
})
