import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { inSeconds, issueKey, statusWith } from '../../test/support/keys.ts'

let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

const list = async (query = '', key = bank.key) => (await bank.call('GET', `/v0/api-keys${query}`, { key })).json.data

describe('Listing API keys', () => {
  test('answers full records without their secrets, newest first', async () => {
    const { key: _one, ...older } = await issueKey(bank, { name: 'Older', scopes: ['banking:read'] })
    const { key: _two, ...newer } = await issueKey(bank, { name: 'Newer', expiresAt: inSeconds(3600) })
    const listed = await list('?limit=2')
    expect(listed).toEqual([newer, older])
    const names = (await list('?sort=createdAt')).map(({ name }: { name: string }) => name)
    expect(names.slice(-2)).toEqual(['Older', 'Newer'])
  })

  test('includes expired keys and leaves out deleted ones', async () => {
    const expired = await issueKey(bank)
    const deleted = await issueKey(bank)
    await bank.database.query(`update api_key set expires_at = now() - interval '1 s' where id = $1::bigint`, [
      expired.id,
    ])
    await bank.call('DELETE', `/v0/api-keys/${deleted.id}`)
    const ids = (await list()).map(({ id }: { id: string }) => id)
    expect(ids).toContain(expired.id)
    expect(ids).not.toContain(deleted.id)
  })

  test('shows only the keys of the caller’s organisation', async () => {
    const theirs = await issueKey(bank, {}, bank.otherKey)
    const ids = (await list('?limit=1000', bank.otherKey)).map(({ id }: { id: string }) => id)
    expect(ids[0]).toBe(theirs.id)
    expect(ids).toHaveLength(2)
  })

  test('shows when a key was last used, once that is stored', async () => {
    const { id, key } = await issueKey(bank)
    const lastUse = async () =>
      (await list('?limit=1000')).find((one: { id: string }) => one.id === id).lastUsedAt as string | null
    const before = new Date().toISOString()
    expect(await statusWith(bank, key)).toBe(200)
    expect(await lastUse()).toBeNull()
    await bank.keys.saveUses()
    const noted = (await lastUse()) ?? ''
    expect(noted >= before && noted <= new Date().toISOString()).toBe(true)
  })
})
