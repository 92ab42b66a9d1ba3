import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makeAccount } from '../../../test/support/world.ts'

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank()
})
afterAll(() => bank.close())

const unfreeze = (id: string) => bank.call('POST', `/v0/banking/accounts/${id}/unfreeze`)

describe('unfreeze account', () => {
  test('opens a frozen account with the data that it had before', async () => {
    const id = await makeAccount(bank)
    const open = await bank.call('GET', `/v0/banking/accounts/${id}`)
    await bank.call('POST', `/v0/banking/accounts/${id}/freeze`)
    const { status, json } = await unfreeze(id)
    expect([status, json]).toEqual([200, open.json])
    expect((await bank.call('GET', `/v0/banking/accounts/${id}`)).json).toEqual(open.json)
  })

  test('refuses an account that is open or closed', async () => {
    const id = await makeAccount(bank)
    expect((await unfreeze(id)).json).toMatchObject({ status: 409, code: 'account_not_frozen' })
    await bank.call('POST', `/v0/banking/accounts/${id}/close`, { body: { reason: 'Fraud' } })
    expect((await unfreeze(id)).json).toMatchObject({ status: 409, code: 'account_not_frozen' })
    expect((await bank.call('GET', `/v0/banking/accounts/${id}`)).json.data.status).toBe('Closed')
  })

  test('refuses an unknown account', async () => {
    expect((await unfreeze('1000')).json).toMatchObject({ status: 404, code: 'account_not_found' })
  })
})
