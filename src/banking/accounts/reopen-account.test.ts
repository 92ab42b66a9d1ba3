import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makeAccount } from '../../../test/support/world.ts'

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

const move = (id: string, name: string, body?: unknown) =>
  bank.call('POST', `/v0/banking/accounts/${id}/${name}`, body === undefined ? {} : { body })

describe('B15 reopen account', () => {
  test('opens a closed account with the data that it had before', async () => {
    const id = await makeAccount(bank, { tags: { purpose: 'rent' } })
    const before = await bank.call('GET', `/v0/banking/accounts/${id}`)
    await move(id, 'close', { reason: 'ByCustomer' })
    const { status, json } = await move(id, 'reopen')
    expect([status, json]).toEqual([200, before.json])
    expect((await bank.call('GET', `/v0/banking/accounts/${id}`)).json).toEqual(before.json)
  })

  test('opens and closes an account repeatedly, and clears the reason of the closing', async () => {
    const id = await makeAccount(bank)
    for (let time = 0; time < 3; time++) {
      expect((await move(id, 'close', { reason: 'Fraud' })).status).toBe(200)
      expect((await move(id, 'reopen')).json.data.status).toBe('Open')
    }
    expect(await bank.database.query('select close_reason from account where id = $1', [id])).toEqual([
      { close_reason: null },
    ])
  })

  test('refuses an account that is open or frozen', async () => {
    const id = await makeAccount(bank)
    expect((await move(id, 'reopen')).json).toMatchObject({ status: 409, code: 'account_not_closed' })
    await move(id, 'freeze')
    expect((await move(id, 'reopen')).json).toMatchObject({ status: 409, code: 'account_not_closed' })
    expect((await bank.call('GET', `/v0/banking/accounts/${id}`)).json.data.status).toBe('Frozen')
  })

  test('refuses an unknown account', async () => {
    expect((await move('1000', 'reopen')).json).toMatchObject({ status: 404, code: 'account_not_found' })
  })

  test('accepts a request without a body', async () => {
    const { status, json } = await move('1000', 'reopen', { reason: 'none' })
    expect([status, json.errors]).toEqual([
      400,
      [{ pointer: '/reason', code: 'unknown', message: 'reason is not known; nothing is accepted here' }],
    ])
  })
})
