import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makeAccount } from '../../../test/support/world.ts'

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

const freeze = (id: string) => bank.call('POST', `/v0/banking/accounts/${id}/freeze`)

describe('freeze account', () => {
  test('freezes an open account and answers it', async () => {
    const id = await makeAccount(bank)
    const open = await bank.call('GET', `/v0/banking/accounts/${id}`)
    const { status, json } = await freeze(id)
    expect([status, json]).toEqual([200, { data: { ...open.json.data, status: 'Frozen' } }])
    expect((await bank.call('GET', `/v0/banking/accounts/${id}`)).json).toEqual(json)
  })

  test('refuses an account that is frozen or closed', async () => {
    const id = await makeAccount(bank)
    await freeze(id)
    expect((await freeze(id)).json).toMatchObject({ status: 409, code: 'account_not_open' })
    await bank.call('POST', `/v0/banking/accounts/${id}/close`, { body: { reason: 'Fraud' } })
    expect((await freeze(id)).json).toMatchObject({ status: 409, code: 'account_not_open' })
    expect((await bank.call('GET', `/v0/banking/accounts/${id}`)).json.data.status).toBe('Closed')
  })

  test('refuses an unknown account', async () => {
    expect((await freeze('1000')).json).toMatchObject({ status: 404, code: 'account_not_found' })
  })
})
