import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authorize, makeFunded, makeVirtualCard, settle } from '../../../test/support/cards.ts'
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
/** A live service on the same database. */
let live: TestBank

beforeAll(async () => {
  bank = await openTestBank()
  const on = { name: '', server: bank.server, drop: async () => undefined }
  live = await openTestBank({ on, mode: 'live' })
})
afterAll(async () => {
  await live.close()
  await bank.close()
})

const close = (id: string, body: unknown = { reason: 'ByCustomer' }, { on = bank, headers = {} } = {}) =>
  on.call('POST', `/v0/banking/accounts/${id}/close`, { body, key: bank.key, headers })
const closeTo = async (id: string, to: string, on = bank) => {
  const { status, json } = await close(id, { reason: 'ByCustomer', closeTo: to }, { on })
  return status === 200 ? json.data.status : `${status} ${json.code}`
}
const post = async (path: string, body: unknown = {}) => {
  const { status, text, json } = await bank.call('POST', `/v0/banking/${path}`, { body })
  expect(status, text).toBeLessThan(300)
  return json.data
}
/** Takes two cents by a settlement above its authorization of one. */
async function overdraw(id: string): Promise<void> {
  const { id: charged } = await authorize(bank, (await makeVirtualCard(bank, id)).id, 1)
  expect((await settle(bank, charged, { amount: 2 })).status).toBe(201)
}

/** Two accounts of one customer, the first with money. */
async function makePair(balance = 50_00): Promise<[from: string, to: string]> {
  const { customerId, accountId } = await makePayer(bank, balance)
  return [accountId, await makeAccount(bank, { customerId })]
}

describe('close account', () => {
  test('closes an open account and answers it', async () => {
    const id = await makeAccount(bank)
    const open = await bank.call('GET', `/v0/banking/accounts/${id}`)
    const { status, json } = await close(id)
    expect(status).toBe(200)
    expect(json).toEqual({ data: { ...open.json.data, status: 'Closed' } })
    expect((await bank.call('GET', `/v0/banking/accounts/${id}`)).json).toEqual(json)
  })

  test('closes a frozen account', async () => {
    const id = await makeAccount(bank)
    await bank.call('POST', `/v0/banking/accounts/${id}/freeze`)
    expect((await close(id)).json.data.status).toBe('Closed')
  })

  test('stores the reason', async () => {
    for (const reason of ['ByCustomer', 'Fraud', 'NegativeBalance']) {
      const id = await makeAccount(bank)
      await close(id, { reason })
      const rows = await bank.database.query('select close_reason as reason from account where id = $1', [id])
      expect(rows).toEqual([{ reason }])
    }
  })

  test('refuses a closed account', async () => {
    const id = await makeAccount(bank)
    await close(id)
    const { status, json } = await close(id)
    expect([status, json.code]).toEqual([409, 'account_closed'])
  })

  test('refuses an unknown account', async () => {
    const { status, json } = await close('1000')
    expect([status, json.code]).toEqual([404, 'account_not_found'])
  })

  test('refuses a missing or unknown reason', async () => {
    const id = await makeAccount(bank)
    for (const body of [undefined, {}, { reason: 'Boredom' }, { reason: 'fraud' }]) {
      const { status, json } = await close(id, body ?? null)
      expect([status, json.errors[0].pointer]).toEqual([400, '/reason'])
    }
    expect((await bank.call('GET', `/v0/banking/accounts/${id}`)).json.data.status).toBe('Open')
  })
})

describe('close account in live mode', () => {
  test('refuses an account with a balance, below or above zero, to the cent', async () => {
    const [id] = await makePair(1)
    const { status, json } = await close(id, undefined, { on: live })
    expect([status, json.code, json.detail]).toEqual([
      409,
      'account_not_empty',
      'The balance is 1 (in cents): name an account of the customer in closeTo.',
    ])
    await overdraw(id)
    expect((await accountOf(bank, id)).balance).toBe(-1)
    const negative = await close(id, { reason: 'NegativeBalance' }, { on: live })
    expect([negative.json.code, negative.json.detail]).toEqual([
      'account_not_empty',
      'The balance is -1 (in cents): bring it to zero first.',
    ])
    expect((await accountOf(bank, id)).status).toBe('Open')
    await receiveAch(bank, id, { amount: 1 })
    expect((await close(id, undefined, { on: live })).json.data.status).toBe('Closed')
    await expectSoundLedger(bank)
  })

  test('refuses an account on which amounts are held, by a hold or by an authorization', async () => {
    const [id] = await makePair(0)
    const hold = await post(`accounts/${id}/holds`, { amount: 5, reason: 'LegalOrder' })
    const { json } = await close(id, undefined, { on: live })
    expect([json.code, json.detail]).toEqual([
      'account_not_empty',
      'The account holds 5 (in cents): wait until authorizations settle, and release holds.',
    ])
    await post(`accounts/${id}/holds/${hold.id}/release`)
    expect((await close(id, undefined, { on: live })).status).toBe(200)
  })

  test('closes whatever the balance is in sandbox mode', async () => {
    const [id] = await makePair(1)
    expect((await close(id)).json.data).toMatchObject({ status: 'Closed', balance: 1 })
  })
})

describe('close account with closeTo', () => {
  test('moves the whole balance by a book transfer, in both modes', async () => {
    for (const on of [bank, live]) {
      const [from, to] = await makePair(50_00)
      const { accountNumber, name } = await accountOf(bank, to)
      const { status, json } = await close(from, { reason: 'ByCustomer', closeTo: to }, { on })
      expect([status, json.data]).toEqual([200, { ...(await accountOf(bank, from)), status: 'Closed', balance: 0 }])
      expect(await accountOf(bank, to)).toMatchObject({ balance: 50_00, available: 50_00, status: 'Open' })
      const [, debit] = await transactionsOf(bank, from)
      expect(debit).toMatchObject({ direction: 'Debit', amount: 50_00, balance: 0 })
      const payments = (await bank.call('GET', `/v0/banking/payments?accountId=${from}&type=bookPayment`)).json.data
      expect(payments).toMatchObject([
        { type: 'bookPayment', status: 'Sent', amount: 50_00, description: 'Closed account' },
      ])
      expect(payments[0].counterparty).toMatchObject({ accountNumber, name })
      expect((await bank.call('GET', `/v0/banking/payments/${payments[0].id}`)).status).toBe(200)
    }
    await expectSoundLedger(bank)
  })

  test('closes an empty account, a frozen one too, and moves nothing', async () => {
    const [from, to] = await makePair(0)
    await live.call('POST', `/v0/banking/accounts/${from}/freeze`)
    expect(await closeTo(from, to, live)).toBe('Closed')
    expect(await transactionsOf(bank, to)).toEqual([])
  })

  test('refuses itself, a closed account, an unknown one, another customer’s and another organisation’s', async () => {
    const [from, to] = await makePair()
    const others = await makeFunded(bank, 1_00, bank.otherKey)
    const [internal] = await bank.database.query<{ id: number }>('select id from account where id < 0 limit 1')
    await post(`accounts/${to}/close`, { reason: 'ByCustomer' })
    for (const [id, outcome] of [
      [from, '422 same_account'],
      [to, '409 account_closed'],
      ['1000', '404 account_not_found'],
      ['abc', '404 account_not_found'],
      [String(internal?.id), '404 account_not_found'],
      [await makeAccount(bank), '404 account_not_found'],
      [others, '404 account_not_found'],
    ] as const) {
      expect([id, await closeTo(from, id)]).toEqual([id, outcome])
    }
    expect(await closeTo('1000', from)).toBe('404 account_not_found')
    expect(await closeTo(to, from)).toBe('409 account_closed')
    const { json } = await close(from, { reason: 'ByCustomer', closeTo: 5 })
    expect(json.errors[0].pointer).toBe('/closeTo')
    expect(await accountOf(bank, from)).toMatchObject({ status: 'Open', balance: 50_00 })
  })

  test('takes no money from a frozen account, and gives it to one', async () => {
    const [from, to] = await makePair()
    await post(`accounts/${to}/freeze`)
    await post(`accounts/${from}/freeze`)
    expect(await closeTo(from, to)).toBe('409 account_not_open')
    await post(`accounts/${from}/unfreeze`)
    expect(await closeTo(from, to)).toBe('Closed')
    expect(await accountOf(bank, to)).toMatchObject({ status: 'Frozen', balance: 50_00 })
  })

  test('refuses an account that is overdrawn, or on which an authorization or a hold is open', async () => {
    const [overdrawn, other] = await makePair(1)
    await overdraw(overdrawn)
    expect(await closeTo(overdrawn, other)).toBe('409 account_not_empty')
    const [from, to] = await makePair()
    const { id } = await authorize(bank, (await makeVirtualCard(bank, from)).id, 1)
    expect(await closeTo(from, to)).toBe('409 account_not_empty')
    await bank.call('POST', `/v0/sandbox/authorizations/${id}/reverse`)
    const hold = await post(`accounts/${from}/holds`, { amount: 1, reason: 'Dispute' })
    expect(await closeTo(from, to)).toBe('409 account_not_empty')
    await post(`accounts/${from}/holds/${hold.id}/release`)
    expect(await closeTo(from, to)).toBe('Closed')
    await expectSoundLedger(bank)
  })

  test('stops at the largest payment and at the largest balance', async () => {
    const [from, to] = await makePair(999_999_999_999)
    await receiveAch(bank, from, { amount: 1 })
    expect(await closeTo(from, to)).toBe('422 balance_limit')
    await receiveAch(bank, from, { amount: 1, direction: 'Debit' })
    expect(await closeTo(from, to)).toBe('Closed')
    expect((await accountOf(bank, to)).balance).toBe(999_999_999_999)
  })

  test('leaves the way back open to a payment that is returned', async () => {
    const payer = await makePayer(bank, 50_00)
    const to = await makeAccount(bank, { customerId: payer.customerId })
    const { id } = (await pay(bank, payer, { amount: 20_00 })).json.data
    expect(await closeTo(payer.accountId, to)).toBe('Closed')
    expect((await returnPayment(bank, id)).status).toBe(200)
    expect(await accountOf(bank, payer.accountId)).toMatchObject({ status: 'Closed', balance: 20_00 })
    await post(`accounts/${payer.accountId}/reopen`)
    expect(await closeTo(payer.accountId, to, live)).toBe('Closed')
    expect((await accountOf(bank, to)).balance).toBe(50_00)
    await expectSoundLedger(bank)
  })

  test('happens once for a key, and a repetition answers the same', async () => {
    const [from, to] = await makePair()
    const headers = { 'idempotency-key': 'close-1' }
    const body = { reason: 'ByCustomer', closeTo: to }
    const replies = await Promise.all([1, 2, 3].map(() => close(from, body, { headers })))
    const last = await close(from, body, { headers })
    expect(new Set([...replies, last].map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect((await accountOf(bank, to)).balance).toBe(50_00)
    expect((await close(from, { reason: 'Fraud', closeTo: to }, { headers })).json.code).toBe('idempotency_key_reused')
  })

  test('beside payments in both directions loses no cent, and nothing arrives after it', async () => {
    for (let round = 0; round < (process.env.SOAK ? 50 : 5); round++) {
      const [from, to] = await makePair(10_00)
      const transfer = (a: string, b: string) =>
        bank.call('POST', `/v0/banking/accounts/${a}/transfers`, {
          body: { toAccountId: b, amount: 1_00, description: 'Race' },
        })
      const replies = await Promise.all([
        ...Array.from({ length: 4 }, () => receiveAch(bank, from, { amount: 1_00 })),
        transfer(from, to),
        close(from, { reason: 'ByCustomer', closeTo: to }, { on: round % 2 === 0 ? bank : live }),
        ...Array.from({ length: 4 }, () => receiveAch(bank, from, { amount: 1_00 })),
        transfer(to, from),
      ])
      const received = [...replies.slice(0, 4), ...replies.slice(6, 10)]
      const arrived = received.filter(({ status }) => status === 201).length
      expect(replies.filter(({ status }) => status >= 500)).toEqual([])
      expect(replies[5]?.json.data?.status).toBe('Closed')
      expect(await accountOf(bank, from)).toMatchObject({ balance: 0, status: 'Closed' })
      expect((await accountOf(bank, to)).balance).toBe(10_00 + arrived * 1_00)
    }
    await expectSoundLedger(bank)
  })
})
