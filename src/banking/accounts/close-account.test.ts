import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makeAccount } from '../../../test/support/world.ts'

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

const close = (id: string, body: unknown = { reason: 'ByCustomer' }) =>
  bank.call('POST', `/v0/banking/accounts/${id}/close`, { body })

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
