import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  ask,
  authorize,
  getAuthorization,
  makeFunded,
  makeVirtualCard,
  moneyOf,
  refund,
  reverse,
  settle,
  times,
} from '../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { verifyLedger } from '../ledger/verify.ts'

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(async () => {
  expect(await verifyLedger(bank.database)).toEqual([])
  await bank.close()
})

async function held(amount = 30_00) {
  const account = await makeFunded(bank, 100_00)
  const card = await makeVirtualCard(bank, account)
  return { account, card, authorization: await authorize(bank, card.id, amount) }
}

describe('reverse authorization', () => {
  test('cancels the authorization, releases the hold and answers the authorization', async () => {
    const { account, authorization } = await held()
    const { status, json } = await reverse(bank, authorization.id)
    expect([status, json]).toEqual([200, { data: { ...authorization, status: 'Canceled' } }])
    expect(await getAuthorization(bank, authorization.id)).toEqual(json.data)
    expect(await moneyOf(bank, account)).toEqual({ balance: 100_00, hold: 0, available: 100_00 })
    expect(await ask(bank, 'GET', `/v0/banking/transactions?accountId=${account}`)).toHaveLength(1)
  })

  test('releases the rest of the hold after a part has settled, and the part can be refunded', async () => {
    const { account, card, authorization } = await held()
    await authorize(bank, card.id, 7_00)
    await settle(bank, authorization.id, { amount: 10_00, final: false })
    expect((await reverse(bank, authorization.id)).json.data).toEqual({ ...authorization, status: 'Canceled' })
    expect(await moneyOf(bank, account)).toEqual({ balance: 90_00, hold: 7_00, available: 83_00 })
    expect((await refund(bank, authorization.id)).json.data).toMatchObject({ amount: 10_00, balance: 100_00 })
    expect((await getAuthorization(bank, authorization.id)).status).toBe('Canceled')
    expect(await moneyOf(bank, account)).toEqual({ balance: 100_00, hold: 7_00, available: 93_00 })
  })

  test('works after more than the hold has settled', async () => {
    const { account, authorization } = await held()
    await settle(bank, authorization.id, { amount: 40_00, final: false })
    expect((await reverse(bank, authorization.id)).status).toBe(200)
    expect(await moneyOf(bank, account)).toEqual({ balance: 60_00, hold: 0, available: 60_00 })
  })

  test('works on an account that is closed', async () => {
    const { account, authorization } = await held()
    await ask(bank, 'POST', `/v0/banking/accounts/${account}/close`, { reason: 'ByCustomer' })
    expect((await reverse(bank, authorization.id)).json.data.status).toBe('Canceled')
    expect(await moneyOf(bank, account)).toEqual({ balance: 100_00, hold: 0, available: 100_00 })
  })

  test('refuses an authorization that is not open', async () => {
    const completed = await held()
    await settle(bank, completed.authorization.id)
    const reversed = await held()
    await reverse(bank, reversed.authorization.id)
    const declined = await held(100_01)
    for (const { account, authorization } of [completed, reversed, declined]) {
      const before = await moneyOf(bank, account)
      expect((await reverse(bank, authorization.id)).json).toMatchObject({
        status: 409,
        code: 'authorization_not_open',
      })
      expect(await moneyOf(bank, account)).toEqual(before)
    }
  })

  test('succeeds once when 20 run at once', async () => {
    const { account, card, authorization } = await held()
    await authorize(bank, card.id, 7_00)
    const replies = await times(20, () => reverse(bank, authorization.id))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await moneyOf(bank, account)).toEqual({ balance: 100_00, hold: 7_00, available: 93_00 })
  })

  test('refuses an unknown authorization and one of another organisation', async () => {
    const { card, authorization } = await held()
    for (const unknown of ['1000', card.id]) {
      expect((await reverse(bank, unknown)).json).toMatchObject({ status: 404, code: 'authorization_not_found' })
    }
    const path = `/v0/sandbox/authorizations/${authorization.id}/reverse`
    const foreign = await bank.call('POST', path, { key: bank.otherKey })
    expect(foreign.json).toMatchObject({ status: 404, code: 'authorization_not_found' })
    expect((await getAuthorization(bank, authorization.id)).status).toBe('Authorized')
  })
})
