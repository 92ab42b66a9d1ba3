import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { organisationNamed, setBankTime } from '../../test/support/bank-time.ts'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { makeAccount, makeCustomer } from '../../test/support/world.ts'

let bank: TestBank
let organisationId: number
let customerId: string
let accountId: string

// Each test has a bank of its own, because a clock only moves forward.
beforeEach(async () => {
  bank = await openTestBank()
  organisationId = await organisationNamed(bank, 'first')
  await setBankTime(bank, organisationId, '2026-01-10T12:00:00Z')
  customerId = await makeCustomer(bank)
  accountId = await makeAccount(bank, { customerId })
})
afterEach(() => bank.close())

const create = (period: unknown, id = accountId, headers = {}) =>
  bank.call('POST', `/v0/sandbox/accounts/${id}/statements`, { body: { period }, headers })

const receive = (amount: number) =>
  bank.call('POST', `/v0/sandbox/accounts/${accountId}/receive-ach`, { body: { amount, companyName: 'Payroll' } })

async function rowOf(statementId: string): Promise<Record<string, unknown> | undefined> {
  const [row] = await bank.database.query<Record<string, unknown>>(
    `select opening_balance, closing_balance, first_seq, last_seq from statement where id = $1::bigint`,
    [statementId],
  )
  return row
}

describe('create statement', () => {
  test('creates the statement of a month that is over', async () => {
    await receive(5_00)
    await setBankTime(bank, organisationId, '2026-02-01T00:00:00Z')
    await receive(7_00)
    const { status, json } = await create('2026-01')
    expect(status).toBe(201)
    expect(json).toEqual({
      data: {
        type: 'accountStatementDTO',
        id: expect.stringMatching(/^[1-9]\d{6,}$/),
        period: '2026-01',
        accountId,
        customerId,
      },
    })
    const row = { opening_balance: 0, closing_balance: 5_00, first_seq: 1, last_seq: 1 }
    expect(await rowOf(json.data.id)).toEqual(row)
  })

  test('answers the existing statement, whether it was created by a call or by the clock', async () => {
    await setBankTime(bank, organisationId, '2026-02-01T00:00:00Z')
    const [first, second] = await Promise.all([create('2026-01'), create('2026-01')])
    expect([second.status, second.json]).toEqual([201, first.json])
    await bank.monthTurns.turnMonth(organisationId, '2026-01')
    expect((await create('2026-01')).json).toEqual(first.json)
  })

  test('repeats its answer for the same idempotency key', async () => {
    await setBankTime(bank, organisationId, '2026-02-01T00:00:00Z')
    const headers = { 'idempotency-key': 'statement-of-january' }
    const first = await create('2026-01', accountId, headers)
    const again = await create('2026-01', accountId, headers)
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true'])
    expect((await create('2025-11', accountId, headers)).json.code).toBe('idempotency_key_reused')
  })

  test('refuses a month that was over before the account was opened', async () => {
    await receive(5_00)
    for (const period of ['2025-12', '1000-01']) {
      const { status, json } = await create(period)
      expect([status, json.code], period).toEqual([422, 'period_before_account'])
    }
    expect((await bank.call('GET', `/v0/banking/statements?accountId=${accountId}`)).json.data).toEqual([])
  })

  test('creates the statement of a closed account', async () => {
    await bank.call('POST', `/v0/banking/accounts/${accountId}/close`, { body: { reason: 'ByCustomer' } })
    await setBankTime(bank, organisationId, '2026-02-01T00:00:00Z')
    expect((await create('2026-01')).status).toBe(201)
  })

  test('refuses a month that is not over', async () => {
    for (const period of ['2026-01', '2026-02', '9999-12']) {
      const { status, json } = await create(period)
      expect([status, json.code]).toEqual([422, 'period_not_over'])
    }
    await setBankTime(bank, organisationId, '2026-01-31T23:59:58Z')
    expect((await create('2026-01')).status).toBe(422)
  })

  test('refuses a period that is not a month', async () => {
    for (const period of ['2026-13', '2026-00', '2026-1', '0999-12', '2026-01-01', ' 2026-01', '']) {
      const { status, json } = await create(period)
      expect([status, json.errors?.[0]?.pointer], period).toEqual([400, '/period'])
    }
  })

  test('refuses an unknown account', async () => {
    const { status, json } = await create('2025-12', '1000')
    expect([status, json.code]).toEqual([404, 'account_not_found'])
  })
})
