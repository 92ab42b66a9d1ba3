import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { accountOf, expectSoundLedger, makePayer, receiveAch, transactionsOf } from '../../test/support/ledger.ts'
import { makeAccount } from '../../test/support/world.ts'

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank()
})
afterEach(() => expectSoundLedger(bank))
afterAll(() => bank.close())

const move = (accountId: string, name: string, body?: unknown) =>
  bank.call('POST', `/v0/banking/accounts/${accountId}/${name}`, { body })

describe('receive ACH', () => {
  test('credits the account and answers the transaction as lists show it', async () => {
    const accountId = await makeAccount(bank)
    const { status, json } = await receiveAch(bank, accountId, { amount: 15_00, description: 'Salary' })
    expect(status).toBe(201)
    expect(json).toEqual({
      data: {
        type: 'bookTransaction',
        id: expect.stringMatching(/^[1-9]\d{6,}$/),
        accountId,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        amount: 15_00,
        direction: 'Credit',
        balance: 15_00,
        summary: 'Sample Payroll  |  Salary',
        counterparty: {
          name: 'Sample Payroll',
          routingNumber: '812345678',
          accountNumber: expect.stringMatching(/^\d{10,12}$/),
          accountType: 'Checking',
        },
        tags: { originalType: 'ACH' },
      },
    })
    expect(await transactionsOf(bank, accountId)).toEqual([json.data])
    expect(await accountOf(bank, accountId)).toMatchObject({ balance: 15_00, available: 15_00 })
  })

  test('debits the account with direction Debit, up to the available balance', async () => {
    const accountId = await makeAccount(bank)
    await receiveAch(bank, accountId, { amount: 15_00, direction: 'Credit' })
    const refused = await receiveAch(bank, accountId, { amount: 15_01, direction: 'Debit' })
    expect([refused.status, refused.json.code]).toEqual([422, 'insufficient_funds'])
    const { status, json } = await receiveAch(bank, accountId, { amount: 15_00, direction: 'Debit' })
    expect(status).toBe(201)
    expect(json.data).toMatchObject({ direction: 'Debit', balance: 0, summary: 'Sample Payroll  |  ACH debit' })
    expect((await transactionsOf(bank, accountId))[1]).toEqual(json.data)
    expect(await transactionsOf(bank, accountId)).toHaveLength(2)
  })

  test('uses a standard description where none was sent', async () => {
    const accountId = await makeAccount(bank)
    expect((await receiveAch(bank, accountId)).json.data.summary).toBe('Sample Payroll  |  ACH credit')
  })

  test('credits a frozen account and refuses to debit it', async () => {
    const { accountId } = await makePayer(bank, 10_00)
    await move(accountId, 'freeze')
    expect((await receiveAch(bank, accountId, { amount: 1_00 })).status).toBe(201)
    const drawn = await receiveAch(bank, accountId, { amount: 1_00, direction: 'Debit' })
    expect([drawn.status, drawn.json.code]).toEqual([409, 'account_not_open'])
    expect((await accountOf(bank, accountId)).balance).toBe(11_00)
  })

  test('refuses a closed account', async () => {
    const { accountId } = await makePayer(bank, 10_00)
    await move(accountId, 'close', { reason: 'ByCustomer' })
    for (const direction of ['Credit', 'Debit']) {
      const { status, json } = await receiveAch(bank, accountId, { amount: 1_00, direction })
      expect([status, json.code]).toEqual([409, 'account_closed'])
    }
    expect((await accountOf(bank, accountId)).balance).toBe(10_00)
  })

  test('treats held amounts as not available', async () => {
    const { accountId } = await makePayer(bank, 10_00)
    const hold = (cents: number) =>
      bank.database.query('update account set hold = $2 where id = $1', [accountId, cents])
    await hold(4_00)
    expect((await receiveAch(bank, accountId, { amount: 6_01, direction: 'Debit' })).status).toBe(422)
    expect((await receiveAch(bank, accountId, { amount: 6_00, direction: 'Debit' })).status).toBe(201)
    await hold(0)
  })

  test('refuses an unknown account and one of another organisation', async () => {
    const ada = await makePayer(bank)
    for (const id of ['1000', 'abc', ada.externalAccountId, ada.customerId]) {
      const { status, json } = await receiveAch(bank, id)
      expect([status, json.code], id).toEqual([404, 'account_not_found'])
    }
    const foreign = await receiveAch(bank, ada.accountId, {}, { key: bank.otherKey })
    expect([foreign.status, foreign.json.code]).toEqual([404, 'account_not_found'])
  })

  test('accepts amounts of 1 to 999,999,999,999 and texts of 1 to 50 characters', async () => {
    const accountId = await makeAccount(bank)
    for (const body of [
      { amount: 1 },
      { amount: 999_999_999_999 },
      { companyName: 'S', description: 'D' },
      { companyName: '😀'.repeat(50), description: '😀'.repeat(50) },
    ]) {
      expect((await receiveAch(bank, accountId, body)).status, JSON.stringify(body)).toBe(201)
    }
    for (const [pointer, body] of [
      ['/amount', { amount: 0 }],
      ['/amount', { amount: 1_000_000_000_000 }],
      ['/amount', { amount: '1' }],
      ['/companyName', { companyName: undefined }],
      ['/companyName', { companyName: '' }],
      ['/companyName', { companyName: 'x'.repeat(51) }],
      ['/description', { description: '' }],
      ['/description', { description: 'x'.repeat(51) }],
      ['/direction', { direction: 'debit' }],
    ] as [string, Record<string, unknown>][]) {
      const { status, json } = await receiveAch(bank, accountId, body)
      expect([status, json.errors?.[0]?.pointer], JSON.stringify(body)).toEqual([400, pointer])
    }
  })

  test('does not use the overdraft, which is for payments', async () => {
    const lending = await openTestBank({ overdraftCents: 5_00 })
    const { accountId } = await makePayer(lending, 10_00)
    const { status } = await receiveAch(lending, accountId, { amount: 10_01, direction: 'Debit' })
    expect(status).toBe(422)
    await lending.close()
  })

  test('refuses a balance past 9,007,199,254,740,991 cents', async () => {
    const rich = await openTestBank()
    const { accountId } = await makePayer(rich, 1)
    const most = 9_007_199_254_740_991
    await rich.database.query('update account set balance = $2 where id = $1', [accountId, most - 10])
    const refused = await receiveAch(rich, accountId, { amount: 11 })
    expect([refused.status, refused.json.code]).toEqual([422, 'balance_limit'])
    expect((await receiveAch(rich, accountId, { amount: 10 })).status).toBe(201)
    expect((await accountOf(rich, accountId)).balance).toBe(most)
    await rich.close()
  })

  test('does not exist in live mode', async () => {
    const live = await openTestBank({ mode: 'live' })
    const { status, json } = await receiveAch(live, '1000000')
    expect([status, json.code]).toEqual([404, 'route_not_found'])
    await live.close()
  })
})
