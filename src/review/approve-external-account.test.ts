import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { makeExternalAccount } from '../../test/support/ledger.ts'
import { auditOf, decide, refusalOf } from '../../test/support/review/reviewer.ts'
import { makeCustomer } from '../../test/support/world.ts'

let bank: TestBank

beforeAll(async () => {
  // Nobody answers there, so that every external account needs a review.
  bank = await openTestBank({ screening: 'http://127.0.0.1:9/' })
})
afterAll(() => bank.close())

const add = async () => makeExternalAccount(bank, await makeCustomer(bank))

describe('approve external account', () => {
  test('approves an account that waits, once', async () => {
    const id = await add()
    const reply = await decide(bank, `external-accounts/${id}/approve`)
    expect([reply.status, reply.json.data.review]).toEqual([200, 'Approved'])
    expect(refusalOf(await decide(bank, `external-accounts/${id}/approve`))).toEqual([
      409,
      'external_account_not_in_review',
    ])
    expect((await auditOf(bank, 'externalAccount.approved', id)).reason).toBeNull()
  })

  test('lets one of many decisions win that are made at the same time', async () => {
    const id = await add()
    const replies = await Promise.all(
      Array.from({ length: 6 }, (_, place) =>
        decide(bank, `external-accounts/${id}/${place % 2 ? 'approve' : 'reject'}`, { reason: 'x' }),
      ),
    )
    expect(replies.filter(({ status }) => status === 200).length).toBe(1)
    expect(replies.filter(({ status }) => status === 409 || status === 404).length).toBe(5)
  })

  test('needs the scope and an account of the organisation', async () => {
    const id = await add()
    const unknown = [404, 'external_account_not_found']
    expect(refusalOf(await decide(bank, `external-accounts/${id}/approve`, {}, { key: bank.otherKey }))).toEqual(
      unknown,
    )
    expect(refusalOf(await decide(bank, 'external-accounts/x/approve'))).toEqual(unknown)
    const key = await bank.makeKey('first', null)
    expect(refusalOf(await decide(bank, `external-accounts/${id}/approve`, {}, { key }))).toEqual([403, 'forbidden'])
    expect((await bank.call('DELETE', `/v0/banking/external-accounts/${id}`)).status).toBe(204)
    expect(refusalOf(await decide(bank, `external-accounts/${id}/approve`))).toEqual(unknown)
  })
})
