import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openUnitBanking } from '../../test/support/banking-providers.ts'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { testAch } from '../../test/support/rails/ach.ts'
import { isNamedScope, keyScopes, type Scope } from '../base/operation.ts'
import { operations } from '../operations.ts'

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

const me = async (key = bank.key, at = bank) => (await at.call('GET', '/v0/me', { key })).json.data

/** Whether a key without a list of scopes lacks one. */
function isLacking(scope: Scope | 'any', mode: 'sandbox' | 'live'): boolean {
  return scope !== 'any' && isNamedScope(scope) && !(mode === 'sandbox' && scope === 'risk:write')
}

describe('get own key and service', () => {
  test('shows the whole answer', async () => {
    const { status, json } = await bank.call('GET', '/v0/me')
    expect(status).toBe(200)
    const [key] = (await bank.call('GET', '/v0/api-keys?sort=createdAt&limit=1')).json.data
    const [row] = await bank.database.query<{ id: number }>(`select id from organisation where name = 'first'`)
    expect(json).toEqual({
      data: {
        organisation: { id: String(row?.id), name: 'first' },
        key: { id: key.id, name: key.name, scopes: null, expiresAt: null },
        mode: 'sandbox',
        version: '0.0.0-test',
        providers: { banking: 'builtin', rewards: 'builtin' },
        operations: operations
          .filter(({ scope, orScope = scope }) => [scope, orScope].some((each) => !isLacking(each, 'sandbox')))
          .map(({ id }) => id),
      },
    })
  })

  test('warns of a live bank from which no money leaves', async () => {
    const on = { name: '', server: bank.server, drop: async () => undefined }
    const [instant, rail] = [
      await openTestBank({ on, mode: 'live' }),
      await openTestBank({ on, mode: 'live', ach: testAch() }),
    ]
    expect((await me(bank.key, instant)).warnings).toEqual([expect.stringContaining('no money leaves')])
    expect(await me(bank.key, rail)).not.toHaveProperty('warnings')
    await instant.close()
    await rail.close()
  })

  test('shows the organisation of the key that was sent', async () => {
    expect((await me(bank.otherKey)).organisation).toMatchObject({ name: 'second' })
  })

  test('lists the operations that the key may call, and only those', async () => {
    for (const scope of keyScopes) {
      const key = await bank.makeKey('first', [scope])
      const { operations: listed } = await me(key)
      for (const { id, method, path } of operations) {
        // Ids that name nothing: the scope is checked before them.
        const { json } = await bank.call(method, path.replace(/:\w+/g, '0'), { key })
        if (listed.includes(id)) expect(json?.detail ?? '', `${scope} ${id}`).not.toContain('lacks the scope')
        else expect(json, `${scope} ${id}`).toMatchObject({ code: 'forbidden' })
      }
    }
  })

  test('shows when a restricted key and a secret in its grace end', async () => {
    const body = { name: 'Export', scopes: ['banking:read', 'keys:write'], expiresAt: '2099-12-31T00:00:00Z' }
    const { id, key } = (await bank.call('POST', '/v0/api-keys', { body })).json.data
    const expected = { id, name: 'Export', scopes: ['banking:read', 'keys:write'] }
    expect((await me(key)).key).toEqual({ ...expected, expiresAt: '2099-12-31T00:00:00.000Z' })
    const rotated = await bank.call('POST', `/v0/api-keys/${id}/rotate`, { body: { graceSeconds: 60 } })
    expect((await me(rotated.json.data.key)).key).toEqual({ ...expected, expiresAt: '2099-12-31T00:00:00.000Z' })
    const old = (await me(key)).key
    expect(old).toMatchObject(expected)
    expect(Date.parse(old.expiresAt) - Date.now()).toBeLessThan(61_000)
  })

  test('lists no simulation in live mode', async () => {
    const live = await openTestBank({ mode: 'live' })
    const shown = await me(live.key, live)
    expect(shown.mode).toBe('live')
    const there = operations
      .filter(({ area, scope }) => area !== 'sandbox' && !isLacking(scope, 'live'))
      .map(({ id }) => id)
    expect(shown.operations).toEqual(there.filter((id) => id !== 'listRequests' && id !== 'getRequest'))
    await live.close()
  })

  test('lists the operations that a connector has', async () => {
    const unit = await openUnitBanking()
    const shown = await me(unit.bank.key, unit.bank)
    expect(shown.providers).toEqual({ banking: 'unit', rewards: 'builtin' })
    const { json } = await unit.bank.call('GET', '/openapi.json')
    const described = Object.values(
      json.paths as Record<string, Record<string, { operationId: string; deprecated?: true }>>,
    )
      .flatMap((methods) => Object.values(methods))
      .filter(({ deprecated }) => !deprecated)
      .map(({ operationId }) => operationId)
    expect([...shown.operations].sort()).toEqual(described.sort())
    await unit.close()
  })
})
