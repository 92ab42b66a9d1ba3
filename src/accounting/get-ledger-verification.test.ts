import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { makePayer } from '../../test/support/ledger.ts'

let bank: TestBank
beforeAll(async () => {
  bank = await openTestBank()
  await makePayer(bank, 100_00)
})
afterAll(() => bank.close())

const get = (key = bank.key) => bank.call('GET', '/v0/ledger/verification', { key })

describe('get ledger verification', () => {
  test('answers the laws before they were checked', async () => {
    const { status, json } = await get()
    expect(status).toBe(200)
    expect(json.data).toMatchObject({ status: 'NotRun', checkedAt: null, durationMs: null })
    expect(json.data.laws).toContainEqual({
      law: 'balances sum to zero in every organisation',
      holds: null,
      rows: [],
      more: false,
    })
  })

  test('answers the last check of the organisation, whose result is in the database', async () => {
    const run = await bank.call('POST', '/v0/ledger/verification')
    expect((await get()).json).toEqual(run.json)
    expect((await get(bank.otherKey)).json.data.status).toBe('NotRun')
    const rows = await bank.database.query('select checked_at as "checkedAt" from ledger_verification')
    expect(rows).toEqual([{ checkedAt: run.json.data.checkedAt }])
    const again = await bank.call('POST', '/v0/ledger/verification')
    expect((await get()).json).toEqual(again.json)
    expect(again.json.data.checkedAt > run.json.data.checkedAt).toBe(true)
  })

  test('needs the scope to read, and a check the scope of keys', async () => {
    const reader = await bank.makeKey('first', ['banking:read'])
    expect((await get(reader)).status).toBe(200)
    const refused = await bank.call('POST', '/v0/ledger/verification', { key: reader })
    expect([refused.status, refused.json.code]).toEqual([403, 'forbidden'])
  })
})
