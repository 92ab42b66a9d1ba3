import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type Reply, type TestBank } from '../../test/support/harness.ts'
import { eventsOf, inSeconds, issueKey, statusWith } from '../../test/support/keys.ts'

let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

const WEEK = 7 * 86_400
const rotate = (id: string, graceSeconds: unknown, key = bank.key, headers = {}) =>
  bank.call('POST', `/v0/api-keys/${id}/rotate`, { key, body: { graceSeconds }, headers })
const problem = ({ status, json }: Reply) => [status, json?.code]
const worksUntil = async (id: string) =>
  (
    await bank.database.query<{ seconds: number }>(
      `select round(extract(epoch from works_until - clock_timestamp()))::int as seconds from api_key_retired
       where api_key_id = $1::bigint order by works_until`,
      [id],
    )
  ).map(({ seconds }) => seconds)

describe('Rotating an API key', () => {
  test('answers the same record with a new secret, and both secrets work in the grace', async () => {
    const { key: old, ...made } = await issueKey(bank, { name: 'Export', scopes: ['banking:read'] })
    expect(await statusWith(bank, old)).toBe(200)
    const { status, headers, json } = await rotate(made.id, 60)
    const { key, ...shown } = json.data
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('no-store')
    expect(shown).toEqual(made)
    expect(key).toMatch(/^prs_rk_test_[0-9A-Za-z]{42}$/)
    expect(key).not.toBe(old)
    expect([await statusWith(bank, old), await statusWith(bank, key)]).toEqual([200, 200])
    expect(await eventsOf(bank, made.id)).toEqual([
      { type: 'apiKey.created', version: 1, data: made },
      { type: 'apiKey.rotated', version: 2, data: made },
    ])
  })

  test('ends the old secret when the grace is over, at once where there is none', async () => {
    const made = await issueKey(bank)
    expect(await statusWith(bank, made.key)).toBe(200)
    const first = (await rotate(made.id, 0)).json.data.key
    expect([await statusWith(bank, made.key), await statusWith(bank, first)]).toEqual([401, 200])
    const second = (await rotate(made.id, 3)).json.data.key
    expect(await statusWith(bank, first)).toBe(200)
    await expect.poll(() => statusWith(bank, first)).toBe(401)
    expect(await statusWith(bank, second)).toBe(200)
  })

  test('accepts a grace from zero to seven days', async () => {
    const { id } = await issueKey(bank)
    expect((await rotate(id, WEEK)).status).toBe(200)
    expect(await worksUntil(id)).toEqual([WEEK])
    for (const odd of [WEEK + 1, -1, 0.5, '60', null, true]) {
      expect(problem(await rotate(id, odd)), String(odd)).toEqual([400, 'invalid_request'])
    }
    expect(problem(await bank.call('POST', `/v0/api-keys/${id}/rotate`))).toEqual([400, 'invalid_request'])
  })

  test('twice ends all earlier secrets with the shorter grace', async () => {
    const made = await issueKey(bank)
    const second = (await rotate(made.id, WEEK)).json.data.key
    await rotate(made.id, 60)
    expect(await worksUntil(made.id)).toEqual([60, 60])
    expect([await statusWith(bank, made.key), await statusWith(bank, second)]).toEqual([200, 200])
    const last = (await rotate(made.id, 0)).json.data.key
    for (const old of [made.key, second]) expect(await statusWith(bank, old)).toBe(401)
    expect(await statusWith(bank, last)).toBe(200)
  })

  test('never lengthens the grace of an older secret', async () => {
    const { id } = await issueKey(bank)
    await rotate(id, 60)
    await rotate(id, WEEK)
    expect(await worksUntil(id)).toEqual([60, WEEK])
  })

  test('keeps the expiry, and is refused for an expired key', async () => {
    const { id, expiresAt } = await issueKey(bank, { expiresAt: inSeconds(3600) })
    expect((await rotate(id, 0)).json.data.expiresAt).toBe(expiresAt)
    await bank.database.query(`update api_key set expires_at = now() where id = $1::bigint`, [id])
    expect(problem(await rotate(id, 0))).toEqual([409, 'api_key_expired'])
  })

  test('shows a replay of a key’s own rotation to its new secret, and never to the one that was replaced', async () => {
    const made = await issueKey(bank)
    const headers = { 'idempotency-key': `rotate-${made.id}` }
    const first = await rotate(made.id, 60, made.key, headers)
    expect(first.status).toBe(200)
    const { key } = first.json.data
    for (const allowed of [key, bank.key]) {
      const again = await rotate(made.id, 60, allowed, headers)
      expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true'])
    }
    const refused = await rotate(made.id, 60, made.key, headers)
    expect(problem(refused)).toEqual([403, 'forbidden'])
    expect(refused.text).not.toContain(key)
  })

  test('shows a replay to a replaced secret where its grace lasts longer than the key itself', async () => {
    const made = await issueKey(bank, { expiresAt: inSeconds(60) })
    const headers = { 'idempotency-key': `rotate-${made.id}` }
    const first = await rotate(made.id, 3600, bank.key, headers)
    expect((await rotate(made.id, 3600, made.key, headers)).text).toBe(first.text)
  })

  test('shows no replay of an earlier rotation to a secret in its grace', async () => {
    const made = await issueKey(bank)
    const headers = { 'idempotency-key': `rotate-${made.id}` }
    const second = (await rotate(made.id, 3600, bank.key, headers)).json.data.key
    await rotate(made.id, 3600)
    for (const old of [made.key, second]) {
      expect(problem(await rotate(made.id, 3600, old, headers))).toEqual([403, 'forbidden'])
    }
  })

  test('keeps the answers with webhook secrets from the old secret, and shows them to the new one', async () => {
    const made = await issueKey(bank)
    const create = (key: string, headers: object) =>
      bank.call('POST', '/v0/webhook-endpoints', {
        key,
        body: { url: 'https://example.com/hooks', events: ['*'] },
        headers: { ...headers },
      })
    const first = await create(bank.key, { 'idempotency-key': `hook-${made.id}` })
    const path = `/v0/webhook-endpoints/${first.json.data.id}/rotate-secret`
    const headers = { 'idempotency-key': `hook-secret-${made.id}` }
    const second = await bank.call('POST', path, { headers })
    const { key } = (await rotate(made.id, 3600)).json.data
    for (const [old, current] of [
      [
        await create(made.key, { 'idempotency-key': `hook-${made.id}` }),
        await create(key, { 'idempotency-key': `hook-${made.id}` }),
      ],
      [await bank.call('POST', path, { key: made.key, headers }), await bank.call('POST', path, { key, headers })],
    ] as [Reply, Reply][]) {
      expect(problem(old)).toEqual([403, 'forbidden'])
      expect([first.text, second.text]).toContain(current.text)
    }
    // The old secret goes on working otherwise.
    expect((await create(made.key, {})).status).toBe(201)
  })

  test('is refused to a secret in its grace, which would outlive its grace by it', async () => {
    const made = await issueKey(bank)
    await rotate(made.id, 60)
    expect(problem(await rotate(made.id, 60, made.key))).toEqual([403, 'forbidden'])
    const reply = await bank.call('POST', '/v0/api-keys', { key: made.key, body: { name: 'Other' } })
    expect(Date.parse(reply.json.data.expiresAt)).toBeLessThanOrEqual(Date.now() + 60_000)
  })

  test('is refused to a key that lacks scopes of the rotated one', async () => {
    const full = await issueKey(bank)
    const reader = await issueKey(bank, { scopes: ['rewards:read'] })
    const own = await issueKey(bank, { scopes: ['keys:write'] })
    const keeper = await bank.makeKey('first', ['keys:write'])
    expect(problem(await rotate(full.id, 0, keeper))).toEqual([403, 'forbidden'])
    expect(problem(await rotate(reader.id, 0, keeper))).toEqual([403, 'forbidden'])
    expect((await rotate(own.id, 0, keeper)).status).toBe(200)
    expect([await statusWith(bank, full.key), await statusWith(bank, reader.key)]).toEqual([200, 403])
  })

  test('is not replayed to a key that lacks scopes of the rotated one', async () => {
    const full = await issueKey(bank)
    const keeper = await bank.makeKey('first', ['keys:write', 'events:read'])
    const headers = { 'idempotency-key': `rotate-${full.id}` }
    const { key } = (await rotate(full.id, 0, bank.key, headers)).json.data
    const reply = await rotate(full.id, 0, keeper, headers)
    expect(problem(reply)).toEqual([403, 'forbidden'])
    expect(reply.text).not.toContain(key)
  })

  test('answers 404 for an unknown id, a deleted key and a key of another organisation', async () => {
    const { id } = await issueKey(bank)
    const deleted = await issueKey(bank)
    await bank.call('DELETE', `/v0/api-keys/${deleted.id}`)
    for (const unknown of ['1000', 'abc', deleted.id]) {
      expect(problem(await rotate(unknown, 0)), unknown).toEqual([404, 'api_key_not_found'])
    }
    expect(problem(await rotate(id, 0, bank.otherKey))).toEqual([404, 'api_key_not_found'])
  })

  test('many times at once runs one after the other, and the last secret works', async () => {
    const { id } = await issueKey(bank)
    const replies = await Promise.all(Array.from({ length: 5 }, () => rotate(id, 0)))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    const statuses = await Promise.all(replies.map(({ json }) => statusWith(bank, json.data.key)))
    expect(statuses.sort()).toEqual([200, 401, 401, 401, 401])
  })
})
