import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { grantScopes, keysWithoutRisk } from '../../src/access/operator-keys.ts'
import type { Scope } from '../../src/base/operation.ts'
import { makeVirtualCard } from '../support/cards.ts'
import { openTestBank, type TestBank } from '../support/harness.ts'
import { expectSoundLedger, makePayer, type Payer, pay } from '../support/ledger.ts'

/** A sandbox makes the records; the bank in live mode shares its database. */
let sandbox: TestBank
let live: TestBank
/** The key of an app, and a key of the bank. */
let app: string
let risk: string

const appScopes: Scope[] = ['banking:write', 'rewards:write', 'events:read', 'webhooks:write', 'keys:write']

beforeAll(async () => {
  sandbox = await openTestBank()
  const on = { name: '', server: sandbox.server, drop: async () => undefined }
  live = await openTestBank({ on, mode: 'live' })
  app = await sandbox.makeKey('first', appScopes)
  risk = await sandbox.makeKey('first', ['risk:write'])
})
afterAll(async () => {
  await expectSoundLedger(sandbox)
  await live.close()
  await sandbox.close()
})

type Answer = [status: number, code: string | undefined]

async function answer(key: string, method: string, path: string, body: unknown = {}, bank = live): Promise<Answer> {
  const { status, json } = await bank.call(method, `/v0/banking/${path}`, { key, body })
  return [status, json?.code]
}
const move = (key: string, accountId: string, name: string, bank = live) =>
  answer(key, 'POST', `accounts/${accountId}/${name}`, name === 'close' ? { reason: 'ByCustomer' } : {}, bank)
const ok: Answer = [200, undefined]
const forbidden: Answer = [403, 'forbidden']
const required: Answer = [409, 'risk_key_required']

/** A hold on an account; returns its id. */
async function hold(key: string, accountId: string, reason: string): Promise<string> {
  const { status, text, json } = await live.call('POST', `/v0/banking/accounts/${accountId}/holds`, {
    key,
    body: { amount: 1_00, reason },
  })
  expect(status, text).toBe(201)
  return json.data.id
}
const release = (key: string, accountId: string, id: string) =>
  answer(key, 'POST', `accounts/${accountId}/holds/${id}/release`)

describe('in live mode', () => {
  test('limits and overdrafts need the scope by name, with every other key', async () => {
    const { accountId } = await makePayer(sandbox, 100_00)
    const { id: cardId } = await makeVirtualCard(sandbox, accountId)
    const full = await live.makeKey('first', null)
    const reviewer = await live.makeKey('first', ['banking:write', 'review:write', 'processor:write'])
    for (const [path, body] of [
      [`accounts/${accountId}/limits`, { overdraft: 50_000_00 }],
      [`cards/${cardId}/limits`, { purchase: { amount: 1_00 } }],
    ] as const) {
      for (const key of [app, full, reviewer]) expect(await answer(key, 'PUT', path, body)).toEqual(forbidden)
      expect(await answer(risk, 'PUT', path, body)).toEqual(ok)
      expect(await answer(risk, 'PUT', path, {})).toEqual(ok)
    }
    const { json } = await live.call('PUT', `/v0/banking/accounts/${accountId}/limits`, { key: full, body: {} })
    expect(json.detail).toContain('purser keys create --scopes risk:write')
    expect(await answer(risk, 'GET', `accounts/${accountId}`)).toEqual(forbidden)
    expect(await answer(risk, 'POST', `accounts/${accountId}/close`, { reason: 'Fraud' })).toEqual(forbidden)
  })

  test('an account that the bank froze is opened, closed and reopened by the bank alone', async () => {
    const { accountId } = await makePayer(sandbox)
    const both = await live.makeKey('first', ['banking:write', 'risk:write'])
    expect(await move(risk, accountId, 'freeze')).toEqual(ok)
    expect(await move(risk, accountId, 'freeze')).toEqual([409, 'account_not_open'])
    expect(await move(app, accountId, 'freeze')).toEqual([409, 'account_not_open'])
    for (const name of ['unfreeze', 'close']) expect(await move(app, accountId, name)).toEqual(required)
    expect(await move(both, accountId, 'close')).toEqual(ok)
    expect(await move(app, accountId, 'reopen')).toEqual(required)
    expect(await move(both, accountId, 'reopen')).toEqual(ok)
    expect(await move(app, accountId, 'close')).toEqual(ok)
    expect(await move(app, accountId, 'reopen')).toEqual(ok)
  })

  test('an app undoes its own freeze, until the bank freezes the account, too', async () => {
    const { accountId } = await makePayer(sandbox)
    expect(await move(app, accountId, 'freeze')).toEqual(ok)
    expect(await move(app, accountId, 'freeze')).toEqual([409, 'account_not_open'])
    expect(await move(app, accountId, 'unfreeze')).toEqual(ok)
    expect(await move(app, accountId, 'freeze')).toEqual(ok)
    expect(await move(risk, accountId, 'freeze')).toEqual(ok)
    expect(await move(app, accountId, 'unfreeze')).toEqual(required)
    expect(await move(risk, accountId, 'unfreeze')).toEqual(ok)
    expect(await move(app, accountId, 'unfreeze')).toEqual([409, 'account_not_frozen'])
  })

  test('a hold for a legal order, and every hold of the bank, is made and released by the bank', async () => {
    const { accountId } = await makePayer(sandbox, 100_00)
    const legal = { amount: 1_00, reason: 'LegalOrder' }
    expect(await answer(app, 'POST', `accounts/${accountId}/holds`, legal)).toEqual(forbidden)
    const [order, fraud, own] = [
      await hold(risk, accountId, 'LegalOrder'),
      await hold(risk, accountId, 'Fraud'),
      await hold(app, accountId, 'Fraud'),
    ]
    for (const id of [order, fraud]) {
      expect(await release(app, accountId, id)).toEqual(required)
      expect(await release(risk, accountId, id)).toEqual(ok)
      expect(await release(app, accountId, id)).toEqual([409, 'account_hold_not_active'])
    }
    expect(await release(app, accountId, own)).toEqual(ok)
    const another = await live.makeKey('second', ['risk:write'])
    expect(await release(another, accountId, own)).toEqual([404, 'account_not_found'])
    expect(await move(another, accountId, 'freeze')).toEqual([404, 'account_not_found'])
  })

  test('a hold for a legal order from before the scope is released by the bank alone', async () => {
    const { accountId } = await makePayer(sandbox, 100_00)
    const id = await hold(risk, accountId, 'LegalOrder')
    await sandbox.database.query('update account_hold set by_bank = false where id = $1::bigint', [id])
    expect(await release(app, accountId, id)).toEqual(required)
  })

  test('the look-up of a record says what the key may do', async () => {
    const { accountId } = await makePayer(sandbox, 10_00)
    await move(risk, accountId, 'freeze')
    const holdId = await hold(risk, accountId, 'Fraud')
    const problemsOf = async (key: string, path: string) => {
      const { json } = await live.call('GET', `/v0/lookup/${path}`, { key })
      return Object.fromEntries(
        json.data.actions.map(({ operation, problem }: { operation: string; problem: string }) => [operation, problem]),
      )
    }
    expect(await problemsOf(app, `account/${accountId}`)).toMatchObject({
      unfreezeAccount: 'risk_key_required',
      closeAccount: 'risk_key_required',
      freezeAccount: 'account_not_open',
      setAccountLimits: 'forbidden',
    })
    const staff = await live.makeKey('first', ['banking:read', 'risk:write'])
    expect(await problemsOf(staff, `account/${accountId}`)).toMatchObject({
      unfreezeAccount: null,
      closeAccount: 'forbidden',
      setAccountLimits: null,
    })
    expect(await problemsOf(app, `accountHold/${holdId}`)).toEqual({ releaseAccountHold: 'risk_key_required' })
    expect(await problemsOf(staff, `accountHold/${holdId}`)).toEqual({ releaseAccountHold: null })
  })

  test.each<Scope>(['risk:write', 'review:write', 'processor:write'])(
    'nobody passes %s on who lacks it',
    async (scope) => {
      const full = await live.makeKey('first', null)
      const issuer = await live.makeKey('first', ['keys:write', scope])
      const issue = (key: string) => live.call('POST', '/v0/api-keys', { key, body: { name: 'Risk', scopes: [scope] } })
      for (const key of [full, app]) {
        const { status, json } = await issue(key)
        expect([status, json.code, json.detail]).toEqual([403, 'forbidden', expect.stringContaining(scope)])
      }
      const { status, json } = await issue(issuer)
      expect(status).toBe(201)
      const rotated = await live.call('POST', `/v0/api-keys/${json.data.id}/rotate`, {
        key: full,
        body: { graceSeconds: 0 },
      })
      expect([rotated.status, rotated.json.code]).toEqual(forbidden)
    },
  )

  test('a full key lists all but what needs a name', async () => {
    const operationsOf = async (bank: TestBank, key: string) =>
      (await bank.call('GET', '/v0/me', { key })).json.data.operations as string[]
    const full = await live.makeKey('first', null)
    expect(await operationsOf(live, full)).not.toContain('setAccountLimits')
    expect(await operationsOf(sandbox, full)).toContain('setAccountLimits')
    const own = ['freezeAccount', 'unfreezeAccount', 'createAccountHold', 'releaseAccountHold']
    expect(await operationsOf(live, risk)).toEqual(
      expect.arrayContaining([...own, 'setAccountLimits', 'setCardLimits']),
    )
  })
})

describe('in a sandbox', () => {
  test('a key without a list does everything, and one with a list needs the scope', async () => {
    const { accountId } = await makePayer(sandbox, 10_00)
    for (const [key, expected] of [
      [sandbox.key, ok],
      [app, forbidden],
      [risk, ok],
    ] as const) {
      expect(await answer(key, 'PUT', `accounts/${accountId}/limits`, { overdraft: 1_00 }, sandbox)).toEqual(expected)
    }
    expect(await move(risk, accountId, 'freeze', sandbox)).toEqual(ok)
    expect(await move(app, accountId, 'unfreeze', sandbox)).toEqual(required)
    expect(await move(sandbox.key, accountId, 'unfreeze', sandbox)).toEqual(ok)
  })
})

describe('the operator', () => {
  const named = async (id: number) => (await keysWithoutRisk(sandbox.database)).find((key) => key.id === id)
  const idOf = async (key: string) => Number((await live.call('GET', '/v0/me', { key })).json.data.key.id)

  test('grants the scope to a key, which keeps what it has', async () => {
    const [listed, full] = [await live.makeKey('first', ['banking:read']), await live.makeKey('first', null)]
    expect(await grantScopes(sandbox.database, await idOf(listed), ['risk:write'])).toEqual([
      'banking:read',
      'risk:write',
    ])
    const all = [...appScopes, 'sandbox:write', 'risk:write', 'banking:read', 'rewards:read']
    expect((await grantScopes(sandbox.database, await idOf(full), ['risk:write']))?.toSorted()).toEqual(all.toSorted())
    live.keys.forget(await idOf(listed))
    const { accountId } = await makePayer(sandbox)
    expect(await answer(listed, 'PUT', `accounts/${accountId}/limits`)).toEqual(ok)
    expect(await grantScopes(sandbox.database, 1, ['risk:write'])).toBeUndefined()
  })

  test('learns which keys set limits before the upgrade, and cannot now', async () => {
    const [used, could, reader] = [
      await live.makeKey('first', null),
      await live.makeKey('first', ['banking:write']),
      await live.makeKey('first', ['banking:read']),
    ]
    const payer: Payer = await makePayer(sandbox, 10_00)
    const limited = await sandbox.call('PUT', `/v0/banking/accounts/${payer.accountId}/limits`, {
      key: used,
      body: { overdraft: 1_00 },
    })
    expect(limited.status).toBe(200)
    expect(await named(await idOf(used))).toBeUndefined()
    // As if the tables were upgraded after that.
    await sandbox.database.query(`update migration set applied_at = clock_timestamp() where name = '0015_ledger'`)
    expect(await named(await idOf(used))).toMatchObject({ organisation: 'first', used: true })
    expect(await named(await idOf(could))).toMatchObject({ used: false })
    expect(await named(await idOf(reader))).toBeUndefined()
    await grantScopes(sandbox.database, await idOf(used), ['risk:write'])
    expect(await named(await idOf(used))).toBeUndefined()
    expect((await pay(live, payer, { amount: 11_00 }, { key: used })).status).toBe(201)
  })
})
