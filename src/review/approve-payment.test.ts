import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../test/support/harness.ts'
import {
  accountOf,
  expectSoundLedger,
  makeOwnBankAccount,
  pay,
  returnPayment,
  transactionsOf,
} from '../../test/support/ledger.ts'
import { testAch } from '../../test/support/rails/ach.ts'
import { decide, eventsOf, makeReviewed, paymentOf, queueOf } from '../../test/support/review/payments.ts'
import { makeAccount, makeCustomer } from '../../test/support/world.ts'

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

const advance = (bank: TestBank, by: string) => bank.call('POST', '/v0/sandbox/clock/advance', { body: { by } })

describe('a payment that waits for a review', () => {
  test('takes the money from the account, and has neither a cut-off nor a file', async () => {
    const payer = await makeReviewed(rail)
    const { status, json } = await pay(rail, payer, { amount: 10_01 })
    expect([status, json.data.status]).toEqual([201, 'PendingReview'])
    expect(json.data).not.toHaveProperty('expectedCompletionDate')
    expect(await accountOf(rail, payer.accountId)).toMatchObject({ balance: 89_99, available: 89_99 })
    expect(await eventsOf(rail, json.data.id)).toEqual([['payment.created', json.data]])
    await advance(rail, 'P2D')
    expect(await paymentOf(rail, json.data.id)).toEqual(json.data)
    expect(await rail.database.query(`select id from ach_file where direction = 'out'`)).toEqual([])
    const canceled = await rail.call('POST', `/v0/banking/payments/${json.data.id}/cancel`)
    expect([canceled.status, canceled.json.data]).toEqual([200, { ...json.data, status: 'Canceled' }])
    expect((await accountOf(rail, payer.accountId)).balance).toBe(100_00)
    expect(await queueOf(rail, `accountId=${payer.accountId}`)).toEqual([])
  })

  test('can be canceled where payments are sent at once', async () => {
    const payer = await makeReviewed(instant)
    const { id } = (await pay(instant, payer, { amount: 10_01 })).json.data
    const canceled = await instant.call('POST', `/v0/banking/payments/${id}/cancel`)
    expect([canceled.status, canceled.json.data.status]).toEqual([200, 'Canceled'])
    expect((await decide(instant, id, 'approve')).json.code).toBe('payment_not_in_review')
  })
})

describe('approve payment', () => {
  test('sends the payment at once, and shows the reason', async () => {
    const payer = await makeReviewed(instant)
    const { json } = await pay(instant, payer, { amount: 40_00 })
    const approved = await decide(instant, json.data.id, 'approve')
    const shown = { ...json.data, status: 'Sent', reason: 'Checked' }
    expect([approved.status, approved.json]).toEqual([200, { data: shown }])
    expect(await paymentOf(instant, json.data.id)).toEqual(shown)
    expect(await eventsOf(instant, json.data.id)).toEqual([
      ['payment.created', json.data],
      ['payment.sent', shown],
    ])
    expect((await accountOf(instant, payer.accountId)).balance).toBe(60_00)
    const { json: log } = await instant.call('GET', '/v0/audit-log?limit=1')
    expect(log.data[0]).toMatchObject({
      outcome: 'Done',
      action: 'payment.sent',
      actor: { type: 'apiKey' },
      record: { type: 'payment', id: json.data.id },
      reason: 'Checked',
    })
  })

  test('lets the payment leave with the next cut-off after the approval', async () => {
    const payer = await makeReviewed(rail)
    const { json } = await pay(rail, payer, { amount: 40_00, sameDay: true, secCode: 'WEB' })
    await advance(rail, 'P7D')
    const approved = await decide(rail, json.data.id, 'approve')
    expect(approved.json.data).toMatchObject({ status: 'Pending', sameDay: true, secCode: 'WEB', reason: 'Checked' })
    const now = (await rail.call('GET', '/v0/sandbox/clock')).json.data.now
    expect(approved.json.data.expectedCompletionDate >= now.slice(0, 10)).toBe(true)
    await advance(rail, 'P5D')
    const sent = await paymentOf(rail, json.data.id)
    expect(sent).toMatchObject({ status: 'Sent', reason: 'Checked' })
    const types = (await eventsOf(rail, json.data.id)).map(([type]) => type)
    expect(types).toEqual(['payment.created', 'payment.pending', 'payment.clearing', 'payment.sent'])
    expect((await eventsOf(rail, json.data.id))[0]).toEqual(['payment.created', json.data])
  })

  test.each([
    ['instant', () => instant],
    ['rail', () => rail],
  ])('credits an account of this organisation that the payment names: %s', async (_name, on) => {
    const bank = on()
    const payer = await makeReviewed(bank)
    const target = await makeAccount(bank, { customerId: await makeCustomer(bank) })
    const externalAccountId = await makeOwnBankAccount(bank, payer.customerId, target)
    const { json } = await pay(bank, { ...payer, externalAccountId }, { amount: 25_00 })
    expect((await accountOf(bank, target)).balance).toBe(0)
    const approved = await decide(bank, json.data.id, 'approve')
    expect(approved.json.data.status).toBe('Sent')
    expect((await accountOf(bank, target)).balance).toBe(25_00)
    expect(await transactionsOf(bank, target)).toMatchObject([{ amount: 25_00, direction: 'Credit' }])
    expect((await returnPayment(bank, json.data.id)).json.code).toBe('payment_not_returnable')
  })

  test('treats an account here that was closed since like one at another bank', async () => {
    const payer = await makeReviewed(instant)
    const target = await makeAccount(instant, { customerId: payer.customerId })
    const externalAccountId = await makeOwnBankAccount(instant, payer.customerId, target)
    const { json } = await pay(instant, { ...payer, externalAccountId }, { amount: 25_00 })
    await instant.call('POST', `/v0/banking/accounts/${target}/close`, { body: { reason: 'ByCustomer' } })
    expect((await decide(instant, json.data.id, 'approve')).json.data.status).toBe('Sent')
    expect((await accountOf(instant, target)).balance).toBe(0)
  })

  test('takes effect once with an idempotency key, and repeats its answer', async () => {
    const payer = await makeReviewed(rail)
    for (const move of ['approve', 'reject'] as const) {
      const { id } = (await pay(rail, payer, { amount: 11_00 })).json.data
      const headers = { 'idempotency-key': `review-${move}` }
      const [first, second] = [await decide(rail, id, move, { headers }), await decide(rail, id, move, { headers })]
      expect([first.status, second.status, second.text]).toEqual([200, 200, first.text])
      expect(second.headers['idempotent-replayed']).toBe('true')
    }
    const stored = await rail.database.query(`select body from answer where body like '%9876543210%'`)
    expect(stored).toEqual([])
  })
})
