import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import { expectSoundLedger, pay } from '../../test/support/ledger.ts'
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
    const first = await instant.call('GET', `/v0/review/payments?${filter}&limit=2`)
    expect(first.json.data).toEqual(all.slice(0, 2))
    const [, next = ''] = /<([^>]+)>; rel="next"/.exec(String(first.headers.link)) ?? []
    expect((await instant.call('GET', next)).json.data).toEqual(all.slice(2))
    expect(await queueOf(instant, `${filter}&sort=-createdAt`)).toEqual([...all].reverse())
    expect((await instant.call('GET', '/v0/review/payments', { key: instant.otherKey })).json.data).toEqual([])
    await decide(instant, made[1] as string, 'reject')
    expect((await queueOf(instant, filter)).map(({ id }: { id: string }) => id)).toEqual([made[0], made[2]])
  })
})
