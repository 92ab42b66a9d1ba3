import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import {
  accountOf,
  expectSoundLedger,
  makePayer,
  type Payer,
  pay,
  returnPayment,
  transactionsOf,
} from '../../../test/support/ledger.ts'
import { testAch } from '../../../test/support/rails/ach.ts'

let bank: TestBank
let payer: Payer

beforeAll(async () => {
  bank = await openTestBank({ ach: testAch() })
  // A Monday, 08:00 in New York.
  await bank.database.query(`update organisation set clock_offset = '2030-02-04T13:00:00Z' - clock_timestamp()`)
  payer = await makePayer(bank, 500_00)
})
afterEach(() => expectSoundLedger(bank))
afterAll(() => bank.close())

const cancel = (id: string, options: { key?: string; headers?: Record<string, string> } = {}) =>
  bank.call('POST', `/v0/banking/payments/${id}/cancel`, options)
const paymentOf = async (id: string) => (await bank.call('GET', `/v0/banking/payments/${id}`)).json.data
const balance = async () => (await accountOf(bank, payer.accountId)).balance
async function advance(body: Record<string, unknown>): Promise<void> {
  const { status, text } = await bank.call('POST', '/v0/sandbox/clock/advance', { body })
  expect(status, text).toBe(200)
}

describe('cancel payment', () => {
  test('gives the money of a pending payment back, and the payment is in no file', async () => {
    const before = await balance()
    const { json } = await pay(bank, payer, { amount: 30_00 })
    const canceled = await cancel(json.data.id)
    expect([canceled.status, canceled.json]).toEqual([200, { data: { ...json.data, status: 'Canceled' } }])
    expect(await balance()).toBe(before)
    expect((await transactionsOf(bank, payer.accountId)).at(-1)).toMatchObject({
      amount: 30_00,
      direction: 'Credit',
      summary: 'Grace Sample  |  Canceled',
    })
    const { json: events } = await bank.call('GET', `/v0/events?entityType=payment&entityId=${json.data.id}`)
    expect(events.data.map(({ type, data }: { type: string; data: unknown }) => [type, data])).toEqual([
      ['payment.created', json.data],
      ['payment.canceled', canceled.json.data],
    ])
    await advance({ by: 'P1D' })
    expect(await bank.database.query(`select id from ach_file where direction = 'out'`)).toEqual([])
    expect((await paymentOf(json.data.id)).status).toBe('Canceled')
  })

  test('gives money back to an account that was frozen since', async () => {
    const other = await makePayer(bank, 10_00)
    const { json } = await pay(bank, other, { amount: 4_00 })
    await bank.call('POST', `/v0/banking/accounts/${other.accountId}/freeze`, { body: { reason: 'Fraud' } })
    expect((await cancel(json.data.id)).status).toBe(200)
    expect((await accountOf(bank, other.accountId)).balance).toBe(10_00)
  })

  test('refuses a payment that was canceled, is in a file, was sent or returned', async () => {
    const refusal = async (id: string) => {
      const { status, json } = await cancel(id)
      return [status, json.code]
    }
    const refused = [409, 'payment_not_cancelable']
    const { json } = await pay(bank, payer, { amount: 1_00 })
    const { id } = json.data
    const { json: canceled } = await pay(bank, payer, { amount: 1_00 })
    await cancel(canceled.data.id)
    expect(await refusal(canceled.data.id)).toEqual(refused)
    await advance({ by: 'PT12H' })
    expect((await paymentOf(id)).status).toBe('Clearing')
    expect(await refusal(id)).toEqual(refused)
    await advance({ by: 'P3D' })
    expect((await paymentOf(id)).status).toBe('Sent')
    expect(await refusal(id)).toEqual(refused)
    await returnPayment(bank, id)
    expect(await refusal(id)).toEqual(refused)
  })

  test('answers 404 for a payment that does not exist, and for one of another organisation', async () => {
    const { json } = await pay(bank, payer, { amount: 1_00 })
    const missing = await cancel('999999999')
    const foreign = await cancel(json.data.id, { key: bank.otherKey })
    expect([missing, foreign].map((reply) => [reply.status, reply.json.code])).toEqual([
      [404, 'payment_not_found'],
      [404, 'payment_not_found'],
    ])
    expect((await paymentOf(json.data.id)).status).toBe('Pending')
  })

  test('takes effect once with an idempotency key, and repeats its answer', async () => {
    const before = await balance()
    const { json } = await pay(bank, payer, { amount: 5_00 })
    const headers = { 'idempotency-key': 'cancel-once' }
    const [first, second] = [await cancel(json.data.id, { headers }), await cancel(json.data.id, { headers })]
    expect([first.status, second.status, second.text]).toEqual([200, 200, first.text])
    expect(second.headers['idempotent-replayed']).toBe('true')
    expect(await balance()).toBe(before)
  })

  test('of many payments beside the build of a file loses nothing: each is canceled or in the file', async () => {
    const many = await makePayer(bank, 1_000_00)
    const made = await Promise.all(Array.from({ length: 40 }, () => pay(bank, many, { amount: 1_00 })))
    const ids: string[] = made.map(({ json }) => json.data.id)
    const [, ...replies] = await Promise.all([advance({ by: 'P1D' }), ...ids.map((id) => cancel(id))])
    const states = await Promise.all(ids.map(async (id) => (await paymentOf(id)).status))
    expect(replies.map(({ status }) => status === 200)).toEqual(states.map((state) => state === 'Canceled'))
    const canceled = states.filter((state) => state === 'Canceled').length
    expect((await accountOf(bank, many.accountId)).balance).toBe(1_000_00 - (40 - canceled) * 1_00)
  })
})
