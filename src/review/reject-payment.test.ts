import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type CallOptions, openTestBank, type TestBank } from '../../test/support/harness.ts'
import { accountOf, expectSoundLedger, pay, transactionsOf } from '../../test/support/ledger.ts'
import { testAch } from '../../test/support/rails/ach.ts'
import { decide, eventsOf, makeReviewed, paymentOf } from '../../test/support/review/payments.ts'
import { auditOf } from '../../test/support/review/reviewer.ts'

let instant: TestBank
let rail: TestBank
beforeAll(async () => {
  instant = await openTestBank()
  rail = await openTestBank({ ach: testAch() })
  // A Monday, 08:00 in New York.
  await rail.database.query(`update organisation set clock_offset = '2030-02-04T13:00:00Z' - clock_timestamp()`)
})
afterEach(async () => {
  for (const bank of [instant, rail]) await expectSoundLedger(bank)
})
afterAll(async () => {
  for (const bank of [instant, rail]) await bank.close()
})

describe('reject payment', () => {
  test('gives the money back, also to a frozen account, and shows the reason', async () => {
    const payer = await makeReviewed(rail)
    const { json } = await pay(rail, payer, { amount: 40_00 })
    await rail.call('POST', `/v0/banking/accounts/${payer.accountId}/freeze`)
    const reason = 'x'.repeat(255)
    const rejected = await decide(rail, json.data.id, 'reject', { body: { reason } })
    const shown = { ...json.data, status: 'Rejected', reason }
    expect([rejected.status, rejected.json]).toEqual([200, { data: shown }])
    expect(await eventsOf(rail, json.data.id)).toEqual([
      ['payment.created', json.data],
      ['payment.rejected', shown],
    ])
    expect((await auditOf(rail, 'payment.rejected', json.data.id)).reason).toBe(reason)
    expect((await accountOf(rail, payer.accountId)).balance).toBe(100_00)
    expect((await transactionsOf(rail, payer.accountId)).at(-1)).toMatchObject({
      direction: 'Credit',
      summary: 'Grace Sample  |  Rejected',
    })
  })

  test.each(['approve', 'reject'] as const)('%s refuses other states, ids, organisations and keys', async (move) => {
    const payer = await makeReviewed(rail)
    const { id } = (await pay(rail, payer, { amount: 11_00 })).json.data
    const refusal = async (of: string, options: CallOptions = {}) => {
      const { status, json } = await decide(rail, of, move, options)
      return [status, json.code]
    }
    expect(await refusal(id, { key: rail.otherKey })).toEqual([404, 'payment_not_found'])
    expect(await refusal('999999999')).toEqual([404, 'payment_not_found'])
    const key = await rail.makeKey('first', ['banking:write', 'sandbox:write'])
    expect(await refusal(id, { key })).toEqual([403, 'forbidden'])
    for (const body of [{}, { reason: '' }, { reason: 'x'.repeat(256) }, { reason: 1 }, { reason: 'a', more: 1 }]) {
      expect(await refusal(id, { body })).toEqual([400, 'invalid_request'])
    }
    expect((await decide(rail, id, 'approve')).status).toBe(200)
    expect(await refusal(id)).toEqual([409, 'payment_not_in_review'])
    const { id: plain } = (await pay(rail, payer, { amount: 10_00 })).json.data
    expect(await refusal(plain)).toEqual([409, 'payment_not_in_review'])
  })

  test('of many decisions at once one takes effect', async () => {
    const payer = await makeReviewed(instant)
    const { id } = (await pay(instant, payer, { amount: 50_00 })).json.data
    const cancel = () => instant.call('POST', `/v0/banking/payments/${id}/cancel`)
    const replies = await Promise.all([
      ...(['approve', 'reject', 'approve', 'reject'] as const).map((move) => decide(instant, id, move)),
      cancel(),
    ])
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    const { status } = await paymentOf(instant, id)
    expect((await accountOf(instant, payer.accountId)).balance).toBe(status === 'Sent' ? 50_00 : 100_00)
  })
})
