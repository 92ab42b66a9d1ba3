import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { makeExternalAccount } from '../../test/support/ledger.ts'
import { auditOf, decide, refusalOf } from '../../test/support/review/reviewer.ts'
import { makeCustomer } from '../../test/support/world.ts'

let bank: TestBank

beforeAll(async () => {
  bank = await openTestBank({ screening: 'http://127.0.0.1:9/' })
})
afterAll(() => bank.close())

describe('reject external account', () => {
  test('deletes an account that waits, with a reason', async () => {
    const id = await makeExternalAccount(bank, await makeCustomer(bank))
    for (const body of [{}, { reason: '' }, { reason: 'x'.repeat(256) }]) {
      expect(refusalOf(await decide(bank, `external-accounts/${id}/reject`, body))).toEqual([400, 'invalid_request'])
    }
    const reply = await decide(bank, `external-accounts/${id}/reject`, { reason: 'Unknown holder' })
    expect([reply.status, reply.json.data.review]).toEqual([200, 'Rejected'])
    expect((await auditOf(bank, 'externalAccount.rejected', id)).reason).toBe('Unknown holder')
    expect(refusalOf(await decide(bank, `external-accounts/${id}/reject`, { reason: 'x' }))).toEqual([
      404,
      'external_account_not_found',
    ])
  })

  test('needs the scope and an account of the organisation', async () => {
    const id = await makeExternalAccount(bank, await makeCustomer(bank))
    const reject = (key: string) => decide(bank, `external-accounts/${id}/reject`, { reason: 'x' }, { key })
    expect(refusalOf(await reject(bank.otherKey))).toEqual([404, 'external_account_not_found'])
    expect(refusalOf(await reject(await bank.makeKey('first', null)))).toEqual([403, 'forbidden'])
  })
})
