import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { issueKey, statusWith } from '../../test/support/keys.ts'
import { openRecordIds, type RecordIds } from '../database/record-ids.ts'
import { ensureFirstKey, hasUsableKey } from './first-key.ts'

let bank: TestBank
let ids: RecordIds
beforeEach(async () => {
  bank = await openTestBank({ own: true })
  ids = openRecordIds(bank.database)
})
afterEach(() => bank.close())

const configure = (key: string) => ensureFirstKey(bank.database, ids, { source: 'configured', key }, 0)
const generate = (key: string) => ensureFirstKey(bank.database, ids, { source: 'generated', key }, 0)
/** A request-made full key of the first organisation, beside which the first one may be deleted, and the first's id. */
async function beside(key: string): Promise<{ other: string; id: string }> {
  const { json } = await bank.call('GET', '/v0/api-keys', { key })
  return { other: (await issueKey(bank, {}, key)).key, id: json.data[0].id }
}

describe('A configured key', () => {
  test('replaces the one configured before', async () => {
    for (const key of ['key-number-one', 'key-number-two']) await configure(key)
    expect([await statusWith(bank, 'key-number-one'), await statusWith(bank, 'key-number-two')]).toEqual([401, 200])
  })

  test('works again when it is configured again', async () => {
    for (const key of ['key-number-one', 'key-number-two', 'key-number-one']) await configure(key)
    expect([await statusWith(bank, 'key-number-one'), await statusWith(bank, 'key-number-two')]).toEqual([200, 401])
  })

  test('leaves keys alone that only have the name "configured"', async () => {
    await configure('key-number-one')
    const { key } = await issueKey(bank, { name: 'configured' }, 'key-number-one')
    await configure('key-number-two')
    expect(await statusWith(bank, key)).toBe(200)
  })

  test('that was deleted stays deleted, and the next start warns and goes on with another full key', async () => {
    await configure('key-number-one')
    const { other, id } = await beside('key-number-one')
    expect((await bank.call('DELETE', `/v0/api-keys/${id}`, { key: other })).status).toBe(204)
    expect((await configure('key-number-one')).warning).toContain('PURSER_API_KEY was revoked')
    expect([await statusWith(bank, 'key-number-one'), await statusWith(bank, other)]).toEqual([401, 200])
  })

  test('that was deleted fails the next start where no full key is left, whatever restricted ones there are', async () => {
    await configure('key-number-one')
    const { other, id } = await beside('key-number-one')
    await issueKey(bank, { scopes: ['keys:write'] }, other)
    await bank.call('DELETE', `/v0/api-keys/${id}`, { key: other })
    for (const end of ['expires_at = now()', 'expires_at = null, revoked_at = now()']) {
      await bank.database.query(`update api_key set ${end} where scopes is null and revoked_at is null`)
      await expect(configure('key-number-one')).rejects.toThrow('PURSER_API_KEY was revoked')
    }
  })

  test('that works is configured without a warning, at every start', async () => {
    const first = await configure('key-number-one')
    expect(first.warning).toBeUndefined()
    expect(await configure('key-number-one')).toEqual(first)
  })

  test('that does not work any more leaves a later configured key alone', async () => {
    await configure('key-number-one')
    const { id } = await beside('key-number-one')
    await configure('key-number-two')
    await bank.database.query('update api_key set revoked_at = now(), deleted = true where id = $1::bigint', [id])
    expect((await configure('key-number-one')).warning).toBeDefined()
    expect(await statusWith(bank, 'key-number-two')).toBe(200)
  })

  test('that was rotated starts without a warning in its grace and with one after it, and its new secret stays', async () => {
    await configure('key-number-one')
    const { id } = await beside('key-number-one')
    const rotate = (graceSeconds: number, key: string) =>
      bank.call('POST', `/v0/api-keys/${id}/rotate`, { key, body: { graceSeconds } })
    const successor = (await rotate(60, 'key-number-one')).json.data.key
    await configure('key-number-one')
    expect([await statusWith(bank, 'key-number-one'), await statusWith(bank, successor)]).toEqual([200, 200])
    const last = (await rotate(0, successor)).json.data.key
    expect((await configure('key-number-one')).warning).toContain('set another one')
    await configure(last)
    expect(await statusWith(bank, last)).toBe(200)
  })
})

describe('A generated key', () => {
  test('works beside other generated keys', async () => {
    for (const key of ['key-number-one', 'key-number-two']) await generate(key)
    expect([await statusWith(bank, 'key-number-one'), await statusWith(bank, 'key-number-two')]).toEqual([200, 200])
  })

  test('that was deleted stays deleted, and the next start warns and says what to do', async () => {
    await generate('key-number-one')
    const { other, id } = await beside('key-number-one')
    await bank.call('DELETE', `/v0/api-keys/${id}`, { key: other })
    expect((await generate('key-number-one')).warning).toContain('delete the file')
    expect(await statusWith(bank, 'key-number-one')).toBe(401)
  })
})

test('hasUsableKey says whether any key works', async () => {
  expect(await hasUsableKey(bank.database)).toBe(true)
  await bank.database.query('update api_key set expires_at = now()')
  expect(await hasUsableKey(bank.database)).toBe(false)
})
