import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { advance, makeFunded } from '../../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { accountOf, expectSoundLedger } from '../../../test/support/ledger.ts'

let bank: TestBank
let accountId: string

beforeAll(async () => {
  bank = await openTestBank()
  accountId = await makeFunded(bank, 100_00)
})
afterEach(() => expectSoundLedger(bank))
afterAll(() => bank.close())

const hold = async (body: Record<string, unknown> = {}, id = accountId) =>
  (await bank.call('POST', `/v0/banking/accounts/${id}/holds`, { body: { amount: 20_00, reason: 'Fraud', ...body } }))
    .json.data
const release = (
  holdId: string,
  { of = accountId, ...options }: { of?: string; key?: string; headers?: object } = {},
) => bank.call('POST', `/v0/banking/accounts/${of}/holds/${holdId}/release`, options as never)
const get = async (holdId: string) =>
  (await bank.call('GET', `/v0/banking/accounts/${accountId}/holds/${holdId}`)).json.data
const nowOf = async () => (await bank.call('GET', '/v0/sandbox/clock')).json.data.now as string
const later = (instant: string, ms: number) => new Date(Date.parse(instant) + ms).toISOString()

describe('release account hold', () => {
  test('makes the amount available again, once', async () => {
    const made = await hold()
    const { status, json } = await release(made.id)
    const endedAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    expect([status, json]).toEqual([200, { data: { ...made, status: 'Released', endedAt } }])
    expect(json.data.endedAt >= made.createdAt).toBe(true)
    expect(await get(made.id)).toEqual(json.data)
    expect(await accountOf(bank, accountId)).toMatchObject({ balance: 100_00, hold: 0, available: 100_00 })
    const again = await release(made.id)
    expect([again.status, again.json.code]).toEqual([409, 'account_hold_not_active'])
  })

  test('answers a repeated key as before', async () => {
    const { id } = await hold()
    const headers = { 'idempotency-key': 'release-1' }
    const first = await release(id, { headers })
    expect(await release(id, { headers })).toMatchObject({ status: 200, text: first.text })
  })

  test('happens once among ten at a time', async () => {
    const { id } = await hold()
    const replies = await Promise.all(Array.from({ length: 10 }, () => release(id)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
    expect((await accountOf(bank, accountId)).hold).toBe(0)
  })

  test('is done by the bank when bank time reaches the expiry, and not before', async () => {
    const now = await nowOf()
    const [soon, last, endless] = [
      await hold({ expiresAt: later(now, 86_400_000) }),
      await hold({ expiresAt: later(now, 2 * 86_400_000) }),
      await hold(),
    ]
    await advance(bank, { to: later(soon.expiresAt, -60_000) })
    expect((await accountOf(bank, accountId)).hold).toBe(60_00)
    const { upcoming } = (await bank.call('GET', '/v0/sandbox/clock')).json.data
    expect(upcoming).toContainEqual({ at: soon.expiresAt, type: 'accountHold.expired', id: soon.id, count: 1 })
    const { happened } = (await advance(bank, { to: soon.expiresAt })) as { happened: unknown[] }
    expect(happened).toEqual([{ at: soon.expiresAt, type: 'accountHold.expired', id: soon.id }])
    expect(await get(soon.id)).toEqual({ ...soon, status: 'Expired', endedAt: expect.any(String) })
    expect((await get(soon.id)).endedAt >= soon.expiresAt).toBe(true)
    expect((await release(soon.id)).json.code).toBe('account_hold_not_active')
    expect((await accountOf(bank, accountId)).hold).toBe(40_00)
    await release(last.id)
    await advance(bank, { by: 'P3D' })
    expect(await get(last.id)).toMatchObject({ status: 'Released' })
    expect(await get(endless.id)).toMatchObject({ status: 'Active' })
    await release(endless.id)
  })

  test('is possible on a frozen and on a closed account, and an expiry too', async () => {
    const other = await makeFunded(bank, 100_00)
    const [frozen, closed, expiring] = [
      await hold({}, other),
      await hold({}, other),
      await hold({ expiresAt: later(await nowOf(), 60_000) }, other),
    ]
    await bank.call('POST', `/v0/banking/accounts/${other}/freeze`)
    expect((await release(frozen.id, { of: other })).status).toBe(200)
    await bank.call('POST', `/v0/banking/accounts/${other}/close`, { body: { reason: 'Fraud' } })
    expect((await accountOf(bank, other)).hold).toBe(40_00)
    expect((await release(closed.id, { of: other })).status).toBe(200)
    await advance(bank, { to: expiring.expiresAt })
    expect(await accountOf(bank, other)).toMatchObject({ status: 'Closed', hold: 0 })
  })

  test('refuses unknown ids, a hold of another account and one of another organisation', async () => {
    const { id } = await hold()
    const other = await makeFunded(bank, 1_00)
    for (const [holdId, options, code] of [
      ['1000', {}, 'account_hold_not_found'],
      ['abc', {}, 'account_hold_not_found'],
      [accountId, {}, 'account_hold_not_found'],
      [id, { of: other }, 'account_hold_not_found'],
      [id, { of: '1000' }, 'account_not_found'],
      [id, { key: bank.otherKey }, 'account_not_found'],
    ] as const) {
      const { status, json } = await release(holdId, options)
      expect([holdId, status, json.code]).toEqual([holdId, 404, code])
    }
    expect((await release(id)).status).toBe(200)
  })
})
