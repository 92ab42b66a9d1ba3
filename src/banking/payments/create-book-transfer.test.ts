import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import {
  accountOf,
  expectSoundLedger,
  makePayer,
  pay,
  receiveAch,
  returnPayment,
  transactionsOf,
} from '../../../test/support/ledger.ts'
import { makeAccount } from '../../../test/support/world.ts'

let bank: TestBank
let overdrawn: TestBank

beforeAll(async () => {
  bank = await openTestBank()
  overdrawn = await openTestBank({ overdraftCents: 5_00 })
})
afterEach(async () => {
  await expectSoundLedger(bank)
  await expectSoundLedger(overdrawn)
})
afterAll(async () => {
  await bank.close()
  await overdrawn.close()
})

const move = (on: TestBank, from: string, to: string, body: Record<string, unknown> = {}, headers = {}) =>
  on.call('POST', `/v0/banking/accounts/${from}/transfers`, {
    body: { toAccountId: to, amount: 20_00, description: 'Savings', ...body },
    headers,
  })
const refused = async (...call: Parameters<typeof move>) => {
  const { status, json } = await move(...call)
  return [status, json.code]
}
const setState = async (accountId: string, name: string, body?: unknown) => {
  expect((await bank.call('POST', `/v0/banking/accounts/${accountId}/${name}`, { body })).status).toBe(200)
}
const read = async (path: string) => (await bank.call('GET', `/v0/banking/${path}`)).json.data

describe('create book transfer', () => {
  test('moves money to an account of another customer at once', async () => {
    const [ada, grace] = [await makePayer(bank, 50_00), await makePayer(bank)]
    const to = await accountOf(bank, grace.accountId)
    const { status, json } = await move(bank, ada.accountId, grace.accountId)
    expect(status).toBe(201)
    expect(json).toEqual({
      data: {
        id: expect.stringMatching(/^[1-9]\d{6,}$/),
        type: 'bookPayment',
        amount: 20_00,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        description: 'Savings',
        direction: 'Credit',
        status: 'Sent',
        originalType: 'BOOK',
        counterparty: {
          name: to.name,
          routingNumber: to.routingNumber,
          accountNumber: to.accountNumber,
          accountType: 'Checking',
        },
      },
    })
    expect(await accountOf(bank, ada.accountId)).toMatchObject({ balance: 30_00, available: 30_00 })
    expect(await accountOf(bank, grace.accountId)).toMatchObject({ balance: 20_00, available: 20_00 })
    const tags = { originalType: 'BOOK', paymentId: json.data.id }
    const [, debit] = await transactionsOf(bank, ada.accountId)
    const summary = `${to.name}  |  Savings`
    expect(debit).toMatchObject({ amount: 20_00, direction: 'Debit', balance: 30_00, summary, tags })
    const from = await accountOf(bank, ada.accountId)
    expect(await transactionsOf(bank, grace.accountId)).toMatchObject([
      { direction: 'Credit', balance: 20_00, tags, counterparty: { accountNumber: from.accountNumber } },
    ])
  })

  test('is a payment: it is read, listed by its type, replayed, and neither canceled nor returned', async () => {
    const { accountId, customerId } = await makePayer(bank, 50_00)
    const savings = await makeAccount(bank, { customerId })
    const headers = { 'idempotency-key': 'to-savings' }
    const made = await move(bank, accountId, savings, {}, headers)
    const { id, originalType: _, ...listed } = made.json.data
    expect(await read(`payments/${id}`)).toEqual(made.json.data)
    expect(await read(`payments?accountId=${accountId}`)).toEqual([])
    expect(await read(`payments?accountId=${accountId}&type=bookPayment`)).toEqual([{ id, ...listed, accountId }])
    const again = await move(bank, accountId, savings, {}, headers)
    expect([again.text, again.headers['idempotent-replayed']]).toEqual([made.text, 'true'])
    expect(await refused(bank, accountId, savings, { amount: 1 }, headers)).toEqual([422, 'idempotency_key_reused'])
    const canceled = await bank.call('POST', `/v0/banking/payments/${id}/cancel`)
    expect([canceled.status, canceled.json.code]).toEqual([409, 'payment_not_cancelable'])
    const returned = await returnPayment(bank, id)
    expect([returned.status, returned.json.code]).toEqual([409, 'payment_not_returnable'])
    expect((await accountOf(bank, savings)).balance).toBe(20_00)
    const { json } = await bank.call('GET', `/v0/events?entityType=payment&entityId=${id}`)
    expect(json.data).toMatchObject([{ type: 'payment.created', data: made.json.data }])
  })

  test('moves the whole available balance with the overdraft, and not one cent more', async () => {
    const [ada, to] = [await makePayer(overdrawn, 10_00), await makeAccount(overdrawn)]
    expect(await refused(overdrawn, ada.accountId, to, { amount: 15_01 })).toEqual([422, 'insufficient_funds'])
    expect((await move(overdrawn, ada.accountId, to, { amount: 15_00 })).status).toBe(201)
    expect(await accountOf(overdrawn, ada.accountId)).toMatchObject({ balance: -5_00, available: -5_00 })
    expect(await refused(overdrawn, ada.accountId, to, { amount: 1 })).toEqual([422, 'insufficient_funds'])
    expect((await move(overdrawn, to, ada.accountId, { amount: 15_00 })).status).toBe(201)
  })

  test('does not move held money', async () => {
    const [ada, to] = [await makePayer(bank, 10_00), await makeAccount(bank)]
    const hold = (cents: number) =>
      bank.database.query('update account set hold = $2 where id = $1', [ada.accountId, cents])
    await hold(4_00)
    expect(await refused(bank, ada.accountId, to, { amount: 6_01 })).toEqual([422, 'insufficient_funds'])
    expect((await move(bank, ada.accountId, to, { amount: 6_00 })).status).toBe(201)
    await hold(0)
  })

  test('refuses the same account, states that do not allow it, and accounts that do not exist', async () => {
    const [from, to] = [(await makePayer(bank, 50_00)).accountId, await makeAccount(bank)]
    const internal = await bank.database.query<{ id: number }>('select min(id) as id from account')
    const theirs = await bank.call('POST', '/v0/sandbox/customers', { key: bank.otherKey, body: { name: 'Eve' } })
    const body = { customerId: theirs.json.data.id }
    const other = await bank.call('POST', '/v0/banking/accounts', { key: bank.otherKey, body })
    expect(await refused(bank, from, from)).toEqual([422, 'same_account'])
    for (const id of ['1000000000', 'x', String(internal[0]?.id), other.json.data.id]) {
      expect(await refused(bank, from, id), id).toEqual([404, 'account_not_found'])
      expect(await refused(bank, id, to), id).toEqual([404, 'account_not_found'])
    }
    await setState(from, 'freeze')
    expect(await refused(bank, from, to)).toEqual([409, 'account_not_open'])
    await setState(from, 'unfreeze')
    await setState(to, 'freeze')
    expect((await move(bank, from, to)).status).toBe(201)
    await setState(to, 'close', { reason: 'ByCustomer' })
    const closed = await move(bank, from, to)
    expect([closed.status, closed.json.code]).toEqual([409, 'account_closed'])
    expect(closed.json.detail).toContain('toAccountId')
    expect(await refused(bank, to, from)).toEqual([409, 'account_not_open'])
    expect((await accountOf(bank, from)).balance).toBe(30_00)
  })

  test('accepts amounts from 1 to 999,999,999,999 and descriptions of 1 to 50 characters', async () => {
    const [from, to] = [(await makePayer(bank, 999_999_999_999)).accountId, await makeAccount(bank)]
    await receiveAch(bank, from)
    for (const body of [
      { amount: 999_999_999_999, description: '😀'.repeat(50) },
      { amount: 1, description: 'S' },
    ]) {
      const { status, json } = await move(bank, from, to, body)
      expect([status, json.data]).toEqual([201, expect.objectContaining(body)])
    }
    for (const [pointer, values] of Object.entries({
      amount: [0, -1, 1.5, '2000', 1_000_000_000_000, null],
      description: ['', 'a'.repeat(51), 7, null, 'a\u0000'],
      toAccountId: [7, null],
    })) {
      for (const value of values) {
        const { status, json } = await move(bank, from, to, { [pointer]: value })
        expect([status, json.errors?.[0]?.pointer], `${pointer} ${value}`).toEqual([400, `/${pointer}`])
      }
    }
    expect(await refused(bank, from, to, { tags: {} })).toEqual([400, 'invalid_request'])
  })

  test('refuses a receiving balance past the largest exact number', async () => {
    const [from, to] = [(await makePayer(bank, 10_00)).accountId, await makeAccount(bank)]
    const balance = (cents: number) => bank.database.query('update account set balance = $2 where id = $1', [to, cents])
    await balance(Number.MAX_SAFE_INTEGER)
    expect(await refused(bank, from, to, { amount: 1 })).toEqual([422, 'balance_limit'])
    await balance(0)
    expect((await accountOf(bank, from)).balance).toBe(10_00)
  })

  test('runs beside transfers in the other direction and payments, and loses nothing', async () => {
    const [ada, grace] = [await makePayer(bank, 100_00), await makePayer(bank, 100_00)]
    const calls = Array.from({ length: 60 }, (_, at) =>
      at % 3 === 0
        ? pay(bank, ada, { amount: 1_00 })
        : at % 3 === 1
          ? move(bank, ada.accountId, grace.accountId, { amount: 1_00 })
          : move(bank, grace.accountId, ada.accountId, { amount: 1_00 }),
    )
    for (const { status } of await Promise.all(calls)) expect(status).toBe(201)
    expect((await accountOf(bank, ada.accountId)).balance).toBe(80_00)
    expect((await accountOf(bank, grace.accountId)).balance).toBe(100_00)
  })
})
