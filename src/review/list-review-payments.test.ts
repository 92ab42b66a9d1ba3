import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { collect, makeDebtor } from '../../test/support/bank/debits.ts'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { accountOf, expectSoundLedger, pay } from '../../test/support/ledger.ts'
import { decide, makeReviewed, paymentOf, queueOf } from '../../test/support/review/payments.ts'

let instant: TestBank
beforeAll(async () => {
  instant = await openTestBank()
})
afterAll(async () => {
  await expectSoundLedger(instant)
  await instant.close()
})

describe('list review payments', () => {
  test('is in the queue, oldest first, with the reason and the account', async () => {
    const payer = await makeReviewed(instant)
    const made: string[] = []
    for (let count = 0; count < 3; count++) made.push((await pay(instant, payer, { amount: 11_00 })).json.data.id)
    const filter = `accountId=${payer.accountId}`
    const all = await queueOf(instant, filter)
    expect(all.map(({ id }: { id: string }) => id)).toEqual(made)
    expect(all[0]).toEqual({
      ...(await paymentOf(instant, made[0] as string)),
      accountId: payer.accountId,
      customerId: payer.customerId,
      reviewReason: 'accountLimit',
    })
    // A key without the right to decide sees the reason, too.
    const key = await instant.makeKey('first', ['banking:read'])
    const { json: listed } = await instant.call('GET', `/v0/banking/payments?${filter}&status=PendingReview`, { key })
    expect(listed.data.map((each: { reviewReason: string }) => each.reviewReason)).toEqual(
      all.map(() => 'accountLimit'),
    )
    const first = await instant.call('GET', `/v0/review/payments?${filter}&limit=2`)
    expect(first.json.data).toEqual(all.slice(0, 2))
    const [, next = ''] = /<([^>]+)>; rel="next"/.exec(String(first.headers.link)) ?? []
    expect((await instant.call('GET', next)).json.data).toEqual(all.slice(2))
    expect(await queueOf(instant, `${filter}&sort=-createdAt`)).toEqual([...all].reverse())
    expect((await instant.call('GET', '/v0/review/payments', { key: instant.otherKey })).json.data).toEqual([])
    await decide(instant, made[1] as string, 'reject')
    expect((await queueOf(instant, filter)).map(({ id }: { id: string }) => id)).toEqual([made[0], made[2]])
    const { json: one } = await instant.call('GET', `/v0/banking/payments?paymentId=${made[1]}`, { key })
    expect([one.data[0].status, one.data[0].reviewReason]).toEqual(['Rejected', undefined])
  })

  test('shows the mandate with which a debit was made', async () => {
    const debtor = await makeDebtor(instant)
    const body = { debits: { payment: { soft: 10_00 } } }
    await instant.call('PUT', `/v0/banking/accounts/${debtor.accountId}/limits`, { body })
    const { id } = (await collect(instant, debtor, { amount: 10_01 })).json.data
    const reviewer = await instant.makeKey('first', ['review:write'])
    const path = `/v0/review/payments?accountId=${debtor.accountId}`
    expect((await instant.call('GET', path, { key: reviewer })).json.data).toMatchObject([
      { id, direction: 'Debit', mandate: { authorization: 'Online', textVersion: '2026-01', address: '203.0.113.7' } },
    ])
    await decide(instant, id, 'approve')
    expect((await accountOf(instant, debtor.accountId)).balance).toBe(10_01)
  })
})
