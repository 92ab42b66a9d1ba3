import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeFunded } from '../../../test/support/cards.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'

let bank: TestBank
let accountId: string

beforeAll(async () => {
  bank = await openTestBank()
  accountId = await makeFunded(bank, 100_00)
})
afterAll(() => bank.close())

const get = (holdId: string, { of = accountId, key = bank.key } = {}) =>
  bank.call('GET', `/v0/banking/accounts/${of}/holds/${holdId}`, { key })

describe('get account hold', () => {
  test('answers a hold, and refuses unknown ids, another account and another organisation', async () => {
    const body = { amount: 1_00, reason: 'LegalOrder', description: 'Levy 7' }
    const made = (await bank.call('POST', `/v0/banking/accounts/${accountId}/holds`, { body })).json.data
    const reply = await get(made.id)
    expect([reply.status, reply.json]).toEqual([200, { data: made }])
    const other = await makeFunded(bank, 1_00)
    for (const [holdId, options, code] of [
      ['1000', {}, 'account_hold_not_found'],
      [accountId, {}, 'account_hold_not_found'],
      [made.id, { of: other }, 'account_hold_not_found'],
      [made.id, { of: '1000' }, 'account_not_found'],
      [made.id, { key: bank.otherKey }, 'account_not_found'],
    ] as const) {
      const { status, json } = await get(holdId, options)
      expect([status, json.code]).toEqual([404, code])
    }
  })

  test('is found by look-up and search, with its account, its events and its release', async () => {
    const body = { amount: 1_00, reason: 'Other', description: 'Case 9' }
    const made = (await bank.call('POST', `/v0/banking/accounts/${accountId}/holds`, { body })).json.data
    const { json } = await bank.call('GET', `/v0/lookup/accountHold/${made.id}`)
    const event = { relation: 'event', type: 'event', id: expect.stringMatching(/^evt_/) }
    expect(json.data).toEqual({
      type: 'accountHold',
      id: made.id,
      label: 'Hold of $1.00, Case 9',
      record: made,
      related: [
        { relation: 'account', type: 'account', id: accountId },
        { relation: 'customer', type: 'customer', id: made.customerId },
        event,
      ],
      actions: [{ operation: 'releaseAccountHold', allowed: true, problem: null }],
    })
    const found = (await bank.call('GET', `/v0/search?q=${made.id}`)).json.data
    expect(found).toContainEqual({ type: 'accountHold', id: made.id, label: 'Hold of $1.00, Case 9' })
    const account = (await bank.call('GET', `/v0/lookup/account/${accountId}`)).json.data
    expect(account.related).toContainEqual({ relation: 'accountHold', type: 'accountHold', id: made.id })
    await bank.call('POST', `/v0/banking/accounts/${accountId}/holds/${made.id}/release`)
    const ended = (await bank.call('GET', `/v0/lookup/accountHold/${made.id}`)).json.data
    expect(ended.actions).toEqual([
      { operation: 'releaseAccountHold', allowed: false, problem: 'account_hold_not_active' },
    ])
  })
})
