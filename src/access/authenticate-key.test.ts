import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { issueKey } from '../../test/support/keys.ts'
import { clock } from '../base/clock.ts'
import { type Database, DatabaseUnavailable } from '../database/database.ts'
import { openRecordIds } from '../database/record-ids.ts'
import { type KeyAuthenticator, openKeyAuthenticator } from './authenticate-key.ts'
import { ensureFirstKey, findConfigured } from './first-key.ts'
import { makeKey } from './key-text.ts'

let bank: TestBank
let statements: number
let counting: Database
let keys: KeyAuthenticator

beforeAll(async () => {
  bank = await openTestBank()
  counting = {
    ...bank.database,
    query: (text, values, use) => {
      statements++
      return bank.database.query(text, values, use)
    },
  }
  keys = openKeyAuthenticator(counting, [], { mode: 'sandbox' })
})
afterAll(() => bank.close())

/** Returns whether a key works and how many statements the check needed. */
async function cost(key: string, of = keys): Promise<[found: boolean, statements: number]> {
  statements = 0
  const holder = await of.authenticate(key)
  return [holder !== undefined, statements]
}

describe('A key', () => {
  test('is looked up once and then remembered', async () => {
    const { key, id } = await issueKey(bank)
    expect(await cost(key)).toEqual([true, 1])
    expect(await cost(key)).toEqual([true, 0])
    keys.forget(Number(id))
    expect(await cost(key)).toEqual([true, 1])
  })

  test('is looked up once for many requests at the same moment', async () => {
    const { key } = await issueKey(bank)
    statements = 0
    await Promise.all(Array.from({ length: 20 }, () => keys.authenticate(key)))
    expect(statements).toBe(1)
  })

  test('with a wrong checksum is refused without a statement', async () => {
    const { key } = await issueKey(bank)
    const forged = `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`
    expect(await cost(forged)).toEqual([false, 0])
    // Every other text is looked up.
    expect(await cost('a-text-of-another-form')).toEqual([false, 1])
    expect(await cost(makeKey('sandbox', 'sk'))).toEqual([false, 1])
  })

  test('from the environment works in any form', async () => {
    const configured = 'prs_sk_live_0123456789abcdefghijklmnopqrstuvwxyz000000'
    await ensureFirstKey(bank.database, openRecordIds(bank.database), { source: 'configured', key: configured }, 0)
    expect(await cost(configured)).toEqual([false, 0])
    const informed = openKeyAuthenticator(counting, await findConfigured(bank.database), { mode: 'sandbox' })
    expect(await cost(configured, informed)).toEqual([true, 1])
    const other = configured.replace(/.$/, '1')
    expect(await cost(other, informed)).toEqual([false, 0])
  })

  test('of another organisation does not work where a connector serves one organisation', async () => {
    const { key } = await issueKey(bank)
    const stranger = await bank.makeKey('a second one', null)
    const { organisationId } = (await keys.authenticate(key)) ?? {}
    const alone = openKeyAuthenticator(bank.database, [], { mode: 'sandbox', sole: organisationId })
    expect(await alone.authenticate(key)).toMatchObject({ organisationId })
    expect([await keys.authenticate(stranger), await alone.authenticate(stranger)]).toEqual([
      expect.anything(),
      undefined,
    ])
  })

  test('stops working elsewhere within five seconds of its revocation', async () => {
    const { key, id } = await issueKey(bank)
    const elsewhere = openKeyAuthenticator(bank.database, [], { mode: 'sandbox' })
    expect(await elsewhere.authenticate(key)).toBeDefined()
    await bank.call('DELETE', `/v0/api-keys/${id}`)
    const elapsedMs = clock.elapsedMs()
    const spy = vi.spyOn(clock, 'elapsedMs').mockReturnValue(elapsedMs + 5_000)
    expect(await elsewhere.authenticate(key)).toBeUndefined()
    spy.mockRestore()
  })
})

test('A key is not remembered longer when the time of day is set back', async () => {
  const { key } = await issueKey(bank)
  expect(await cost(key)).toEqual([true, 1])
  const [wall, elapsed] = [clock.nowMs(), clock.elapsedMs()]
  const spies = [
    vi.spyOn(clock, 'nowMs').mockReturnValue(wall - 3_600_000),
    vi.spyOn(clock, 'elapsedMs').mockReturnValue(elapsed + 4_000),
  ]
  try {
    expect(await cost(key)).toEqual([true, 1])
  } finally {
    for (const spy of spies) spy.mockRestore()
  }
})

describe('A look-up that the database never answers', () => {
  test('ends after five seconds, and a request that comes a second later does not wait for it', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
    try {
      const { database } = bank
      let hangs = true
      const query: Database['query'] = (...statement) =>
        hangs ? new Promise(() => undefined) : database.query(...statement)
      const hanging = openKeyAuthenticator({ ...database, query }, [], { mode: 'sandbox' })
      const first = Promise.resolve(hanging.authenticate(bank.key)).catch((error: unknown) => error)
      await vi.advanceTimersByTimeAsync(999)
      const second = Promise.resolve(hanging.authenticate(bank.key)).catch((error: unknown) => error)
      hangs = false
      await vi.advanceTimersByTimeAsync(1)
      expect(await hanging.authenticate(bank.key)).toMatchObject({ scopes: null })
      // The answer of the later look-up counts from now on.
      expect(hanging.authenticate(bank.key)).toMatchObject({ scopes: null })
      await vi.advanceTimersByTimeAsync(4_000)
      for (const outcome of await Promise.all([first, second])) expect(outcome).toBeInstanceOf(DatabaseUnavailable)
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('The last use of a key', () => {
  const lastUse = async (id: string) =>
    (
      await bank.database.query<{ at: string | null; version: number }>(
        `select last_used_at as at, version from api_key where id = $1::bigint`,
        [id],
      )
    )[0]

  test('is stored for all keys in one statement, and without a statement for none', async () => {
    await keys.saveUses()
    statements = 0
    await keys.saveUses()
    expect(statements).toBe(0)
    const issued = await Promise.all([issueKey(bank), issueKey(bank), issueKey(bank)])
    for (const { key } of issued) await keys.authenticate(key)
    statements = 0
    await keys.saveUses()
    expect(statements).toBe(1)
    for (const { id } of issued) expect(await lastUse(id)).toEqual({ at: expect.any(String), version: 1 })
  })

  test('never moves back, whichever process stores it last', async () => {
    const { id, key } = await issueKey(bank)
    const slow = openKeyAuthenticator(bank.database, [], { mode: 'sandbox' })
    await slow.authenticate(key)
    const time = vi.spyOn(clock, 'now').mockReturnValue(new Date(Date.now() + 20))
    await keys.authenticate(key)
    time.mockRestore()
    await keys.saveUses()
    const noted = await lastUse(id)
    await slow.saveUses()
    expect(await lastUse(id)).toEqual(noted)
  })

  test('is not stored while the key is being changed, and is stored the next time', async () => {
    const { id, key } = await issueKey(bank)
    await keys.authenticate(key)
    await bank.database.transaction(async (transaction) => {
      await transaction.query(`select from api_key where id = $1::bigint for update`, [id])
      await keys.saveUses()
      expect((await lastUse(id))?.at).toBeNull()
    })
    await keys.saveUses()
    expect((await lastUse(id))?.at).not.toBeNull()
  })

  test('is kept while the database is away, and stored later', async () => {
    const { id, key } = await issueKey(bank)
    let away = true
    const failing: Database = {
      ...bank.database,
      query: (text, values, use) =>
        away && text.includes('last_used_at =')
          ? Promise.reject(new Error('away'))
          : bank.database.query(text, values, use),
    }
    const shaky = openKeyAuthenticator(failing, [], { mode: 'sandbox' })
    await shaky.authenticate(key)
    await expect(shaky.saveUses()).rejects.toThrow('away')
    away = false
    await shaky.saveUses()
    expect((await lastUse(id))?.at).not.toBeNull()
  })
})
