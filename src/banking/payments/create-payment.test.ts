import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import {
  accountOf,
  expectSoundLedger,
  makeExternalAccount,
  makeOwnBankAccount,
  makePayer,
  pay,
  receiveAch,
  transactionsOf,
} from '../../../test/support/ledger.ts'
import { makeAccount } from '../../../test/support/world.ts'

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank()
})
afterEach(() => expectSoundLedger(bank))
afterAll(() => bank.close())

const move = (accountId: string, name: string, body?: unknown) =>
  bank.call('POST', `/v0/banking/accounts/${accountId}/${name}`, { body })

describe('create payment', () => {
  test('sends money out and answers the payment', async () => {
    const ada = await makePayer(bank, 50_00)
    const { status, json } = await pay(bank, ada, { amount: 20_00, addenda: 'Invoice 1', tags: { purpose: 'rent' } })
    expect(status).toBe(201)
    expect(json).toEqual({
      data: {
        id: expect.stringMatching(/^[1-9]\d{6,}$/),
        type: 'achPayment',
        amount: 20_00,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        description: 'Rent',
        direction: 'Credit',
        status: 'Sent',
        originalType: 'ACH',
        counterparty: {
          name: 'Grace Sample',
          routingNumber: '021000021',
          accountNumber: '9876543210',
          accountType: 'Checking',
        },
      },
    })
    expect(await accountOf(bank, ada.accountId)).toMatchObject({ balance: 30_00, available: 30_00, hold: 0 })
    const [, debit] = await transactionsOf(bank, ada.accountId)
    expect(debit).toMatchObject({
      amount: 20_00,
      direction: 'Debit',
      balance: 30_00,
      createdAt: json.data.createdAt,
      tags: { originalType: 'ACH', paymentId: json.data.id },
    })
  })

  test('accepts a payment of the whole balance and refuses one cent more', async () => {
    const ada = await makePayer(bank, 10_00)
    const refused = await pay(bank, ada, { amount: 10_01 })
    expect([refused.status, refused.json.code]).toEqual([422, 'insufficient_funds'])
    expect(refused.json.detail).toContain('receive-ach')
    expect((await pay(bank, ada, { amount: 10_00 })).status).toBe(201)
    expect((await accountOf(bank, ada.accountId)).balance).toBe(0)
    expect((await pay(bank, ada, { amount: 1 })).json.code).toBe('insufficient_funds')
    expect(await transactionsOf(bank, ada.accountId)).toHaveLength(2)
  })

  test('does not count a hold as available', async () => {
    const ada = await makePayer(bank, 10_00)
    const hold = (cents: number) =>
      bank.database.query('update account set hold = $2 where id = $1', [ada.accountId, cents])
    await hold(4_00)
    expect((await pay(bank, ada, { amount: 6_01 })).json.code).toBe('insufficient_funds')
    expect((await pay(bank, ada, { amount: 6_00 })).status).toBe(201)
    await hold(0)
  })

  test('stores no refusal: the same key succeeds once the money is there', async () => {
    const ada = await makePayer(bank)
    const headers = { 'idempotency-key': 'a-key-for-later' }
    expect((await pay(bank, ada, {}, { headers })).status).toBe(422)
    await receiveAch(bank, ada.accountId)
    const done = await pay(bank, ada, {}, { headers })
    expect([done.status, done.headers['idempotent-replayed']]).toEqual([201, undefined])
    const again = await pay(bank, ada, {}, { headers })
    expect([again.status, again.headers['idempotent-replayed'], again.text]).toEqual([201, 'true', done.text])
    expect((await accountOf(bank, ada.accountId)).balance).toBe(80_00)
  })

  test('accepts amounts from 1 to 999,999,999,999', async () => {
    const ada = await makePayer(bank, 999_999_999_999)
    await receiveAch(bank, ada.accountId)
    expect((await pay(bank, ada, { amount: 999_999_999_999 })).status).toBe(201)
    expect((await pay(bank, ada, { amount: 1 })).status).toBe(201)
    for (const amount of [0, -1, 1.5, '2000', 1_000_000_000_000, null]) {
      const { status, json } = await pay(bank, ada, { amount })
      expect([status, json.errors?.[0]?.pointer], String(amount)).toEqual([400, '/amount'])
    }
  })

  test('counts description and addenda in code points, 1 to 10 and 1 to 80', async () => {
    const ada = await makePayer(bank, 100_00)
    for (const body of [
      { description: 'R', addenda: 'A', amount: 1 },
      { description: '😀'.repeat(10), addenda: '😀'.repeat(80), amount: 1 },
    ]) {
      const { status, json } = await pay(bank, ada, body)
      expect([status, json.data?.description]).toEqual([201, body.description])
    }
    for (const [pointer, body] of [
      ['/description', { description: '' }],
      ['/description', { description: '😀'.repeat(11) }],
      ['/description', { description: undefined }],
      ['/addenda', { addenda: '' }],
      ['/addenda', { addenda: 'a'.repeat(81) }],
      ['/originalType', { originalType: 'ach' }],
      ['/originalType', { originalType: undefined }],
      ['/counterpartyAccountId', { counterpartyAccountId: undefined }],
      ['/tags', { tags: Object.fromEntries(Array.from({ length: 16 }, (_, index) => [`tag${index}`, 'x'])) }],
      ['/tags/purpose', { tags: { purpose: 1 } }],
    ] as [string, Record<string, unknown>][]) {
      const { status, json } = await pay(bank, ada, body)
      expect([status, json.errors?.[0]?.pointer], JSON.stringify(body)).toEqual([400, pointer])
    }
    expect((await accountOf(bank, ada.accountId)).balance).toBe(99_98)
  })

  test('refuses an unknown account, one of another organisation and an internal one', async () => {
    const ada = await makePayer(bank, 50_00)
    const [{ id: clearing } = { id: 0 }] = await bank.database.query<{ id: number }>(
      'select id from account where id < 0',
    )
    for (const accountId of ['1000', 'abc', ada.externalAccountId, String(clearing), String(-clearing)]) {
      const { status, json } = await pay(bank, { ...ada, accountId })
      expect([status, json.code], accountId).toEqual([404, 'account_not_found'])
    }
    const foreign = await pay(bank, ada, {}, { key: bank.otherKey })
    expect([foreign.status, foreign.json.code]).toEqual([404, 'account_not_found'])
  })

  test('refuses an external account that is unknown, deleted or another customer’s', async () => {
    const ada = await makePayer(bank, 50_00)
    const grace = await makePayer(bank)
    const deleted = await makeExternalAccount(bank, ada.customerId)
    await bank.call('DELETE', `/v0/banking/external-accounts/${deleted}`)
    for (const externalAccountId of ['1000', 'abc', ada.accountId, deleted, grace.externalAccountId]) {
      const { status, json } = await pay(bank, { ...ada, externalAccountId })
      expect([status, json.code], externalAccountId).toEqual([404, 'external_account_not_found'])
    }
  })

  test('refuses an account that is frozen or closed, and accepts it once it is open again', async () => {
    const ada = await makePayer(bank, 50_00)
    await move(ada.accountId, 'freeze')
    expect((await pay(bank, ada)).json.code).toBe('account_not_open')
    await move(ada.accountId, 'close', { reason: 'ByCustomer' })
    const closed = await pay(bank, ada)
    expect([closed.status, closed.json.code]).toEqual([409, 'account_not_open'])
    await move(ada.accountId, 'reopen')
    expect((await pay(bank, ada)).status).toBe(201)
  })
})

describe('a payment to an account of this bank', () => {
  test('arrives there in the same transaction, on both sides as ACH with the payment', async () => {
    const ada = await makePayer(bank, 50_00)
    const grace = await makePayer(bank)
    const own = await makeOwnBankAccount(bank, ada.customerId, grace.accountId)
    const { status, json } = await pay(bank, { ...ada, externalAccountId: own }, { amount: 12_00 })
    expect(status).toBe(201)
    const [, debit] = await transactionsOf(bank, ada.accountId)
    const [credit] = await transactionsOf(bank, grace.accountId)
    const graces = await accountOf(bank, grace.accountId)
    const adas = await accountOf(bank, ada.accountId)
    const both = {
      amount: 12_00,
      createdAt: json.data.createdAt,
      tags: { originalType: 'ACH', paymentId: json.data.id },
    }
    expect(debit).toMatchObject({
      ...both,
      direction: 'Debit',
      balance: 38_00,
      counterparty: { accountNumber: graces.accountNumber, routingNumber: graces.routingNumber },
    })
    expect(credit).toMatchObject({
      ...both,
      direction: 'Credit',
      balance: 12_00,
      counterparty: {
        name: adas.name,
        accountNumber: adas.accountNumber,
        routingNumber: adas.routingNumber,
        accountType: 'Checking',
      },
    })
    expect(Number(credit?.id)).toBe(Number(debit?.id) + 1)
    expect([adas.balance, graces.balance]).toEqual([38_00, 12_00])
  })

  test('is refused where it is the paying account itself', async () => {
    const ada = await makePayer(bank, 50_00)
    const itself = await makeOwnBankAccount(bank, ada.customerId, ada.accountId)
    const { status, json } = await pay(bank, { ...ada, externalAccountId: itself })
    expect([status, json.code]).toEqual([422, 'same_account'])
    expect((await accountOf(bank, ada.accountId)).balance).toBe(50_00)
  })

  test('reaches a frozen account, and is treated as sent to another bank where the account is closed', async () => {
    const ada = await makePayer(bank, 50_00)
    const grace = await makePayer(bank)
    const own = { ...ada, externalAccountId: await makeOwnBankAccount(bank, ada.customerId, grace.accountId) }
    await move(grace.accountId, 'freeze')
    expect((await pay(bank, own, { amount: 5_00 })).status).toBe(201)
    await move(grace.accountId, 'close', { reason: 'Fraud' })
    const elsewhere = await pay(bank, own, { amount: 6_00 })
    expect(elsewhere.status).toBe(201)
    expect((await accountOf(bank, grace.accountId)).balance).toBe(5_00)
    expect((await accountOf(bank, ada.accountId)).balance).toBe(39_00)
    // Like any payment to another bank it can be returned.
    const back = await bank.call('POST', `/v0/sandbox/payments/${elsewhere.json.data.id}/return`, {
      body: { returnCode: 'R02' },
    })
    expect([back.status, back.json.data.status]).toEqual([200, 'Returned'])
  })

  test('can be between two accounts of one customer, whatever the name of the external account', async () => {
    const ada = await makePayer(bank, 50_00)
    const savings = await makeAccount(bank, { customerId: ada.customerId })
    const own = await makeOwnBankAccount(bank, ada.customerId, savings)
    expect((await pay(bank, { ...ada, externalAccountId: own }, { amount: 50_00 })).status).toBe(201)
    expect((await accountOf(bank, savings)).balance).toBe(50_00)
  })

  test('is treated as sent to another bank where the number is unknown, another bank’s or another organisation’s', async () => {
    const ada = await makePayer(bank, 50_00)
    const grace = await makePayer(bank)
    const { accountNumber, routingNumber } = await accountOf(bank, grace.accountId)
    const other = await bank.call('POST', '/v0/sandbox/customers', {
      key: bank.otherKey,
      body: { name: 'Eve Example' },
    })
    const others = await bank.call('POST', '/v0/banking/accounts', {
      key: bank.otherKey,
      body: { customerId: other.json.data.id },
    })
    for (const body of [
      { routingNumber, accountNumber: '999999999999' },
      { routingNumber: '021000021', accountNumber },
      { routingNumber, accountNumber: others.json.data.accountNumber },
    ]) {
      const externalAccountId = await makeExternalAccount(bank, ada.customerId, body)
      expect((await pay(bank, { ...ada, externalAccountId }, { amount: 1_00 })).status).toBe(201)
    }
    expect((await accountOf(bank, grace.accountId)).balance).toBe(0)
    expect((await accountOf(bank, ada.accountId)).balance).toBe(47_00)
    const untouched = await bank.call('GET', `/v0/banking/accounts/${others.json.data.id}`, { key: bank.otherKey })
    expect(untouched.json.data.balance).toBe(0)
  })

  test('is refused where it would take a balance past its limit, and leaves both accounts unchanged', async () => {
    const rich = await openTestBank()
    const ada = await makePayer(rich, 50_00)
    const grace = await makePayer(rich, 1)
    // A balance that no number of transfers reaches in a test: the clearing account carries the other side.
    const most = 9_007_199_254_740_991
    await rich.database.query('update account set balance = $2 where id = $1', [grace.accountId, most - 10_00])
    const own = { ...ada, externalAccountId: await makeOwnBankAccount(rich, ada.customerId, grace.accountId) }
    const refused = await pay(rich, own, { amount: 10_01 })
    expect([refused.status, refused.json.code]).toEqual([422, 'balance_limit'])
    expect((await accountOf(rich, ada.accountId)).balance).toBe(50_00)
    expect((await pay(rich, own, { amount: 10_00 })).status).toBe(201)
    expect((await accountOf(rich, grace.accountId)).balance).toBe(most)
    await rich.close()
  })
})

describe('create payment with an overdraft', () => {
  test('can take the account as far below zero as the overdraft, and no further', async () => {
    const lending = await openTestBank({ overdraftCents: 5_00 })
    const ada = await makePayer(lending, 10_00)
    expect((await pay(lending, ada, { amount: 15_01 })).json.code).toBe('insufficient_funds')
    expect((await pay(lending, ada, { amount: 15_00 })).status).toBe(201)
    expect(await accountOf(lending, ada.accountId)).toMatchObject({ balance: -5_00, available: -5_00 })
    expect((await pay(lending, ada, { amount: 1 })).json.code).toBe('insufficient_funds')
    await expectSoundLedger(lending)
    await lending.close()
  })
})
