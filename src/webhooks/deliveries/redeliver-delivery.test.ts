import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Consumer, deliveriesOf, makeEndpoint, openConsumer, watchWorker } from '../../../test/support/consumer.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makePayer, type Payer, pay } from '../../../test/support/ledger.ts'

let bank: TestBank
let consumer: Consumer
let payer: Payer
const { turns, workedOff } = watchWorker()

beforeAll(async () => {
  bank = await openTestBank({ webhooks: { delaysMs: [], timeoutMs: 20_000, turns } })
  payer = await makePayer(bank, 1_000_00)
})
afterAll(() => bank.close())
beforeEach(async () => {
  consumer = await openConsumer()
  return async () => {
    for (const { id } of (await bank.call('GET', '/v0/webhook-endpoints')).json.data)
      await bank.call('DELETE', `/v0/webhook-endpoints/${id}`)
    await consumer.close()
  }
})

const redeliver = (id: string, options = {}) => bank.call('POST', `/v0/deliveries/${id}/redeliver`, options)

/** A delivery of a payment to an endpoint, after its only attempt. */
async function delivered(endpointId: string, status: 'Failed' | 'Succeeded') {
  await pay(bank, payer, { amount: 1_00 })
  await expect.poll(async () => (await deliveriesOf(bank, endpointId))[0]?.status).toBe(status)
  return (await deliveriesOf(bank, endpointId))[0]
}

test('sends a failed delivery again to its endpoint alone, under the same id', async () => {
  const bad = await makeEndpoint(bank, consumer.url, ['payment.created'])
  const good = await makeEndpoint(bank, consumer.url.replace('hooks', 'other'), ['payment.created'])
  consumer.answer = () => ({ status: 500 })
  const failed = await delivered(bad.id, 'Failed')
  await expect.poll(() => deliveriesOf(bank, good.id)).toMatchObject([{ status: 'Failed' }])
  consumer.received.length = 0
  consumer.answer = () => ({})
  const { status, json } = await redeliver(failed.id)
  expect([status, json.data]).toMatchObject([200, { id: failed.id, endpointId: bad.id, status: 'Pending' }])
  await expect.poll(() => deliveriesOf(bank, bad.id)).toMatchObject([{ status: 'Succeeded' }])
  await workedOff(bank)
  expect(consumer.received.map(({ headers }) => headers['webhook-id'])).toEqual([failed.eventId])
  expect(await deliveriesOf(bank, good.id)).toMatchObject([{ status: 'Failed' }])
})

test('sends one that was accepted again, and once for a request that is repeated', async () => {
  const { id } = await makeEndpoint(bank, consumer.url, ['payment.created'])
  const accepted = await delivered(id, 'Succeeded')
  for (let time = 0; time < 3; time++) await redeliver(accepted.id, { headers: { 'idempotency-key': 'delivery-once' } })
  await expect.poll(() => consumer.received.length).toBe(2)
  await workedOff(bank)
  expect(consumer.received).toHaveLength(2)
})

test('needs the scope events:read, too, because it sends a past event', async () => {
  const { id } = await makeEndpoint(bank, consumer.url, ['payment.created'])
  const accepted = await delivered(id, 'Succeeded')
  const manager = await bank.makeKey('first', ['webhooks:write'])
  const { status, json } = await redeliver(accepted.id, { key: manager })
  expect([status, json.code, json.detail]).toEqual([403, 'forbidden', 'The API key lacks the scope events:read.'])
})

test('refuses a test, an unknown id, a deleted endpoint and a delivery of another organisation', async () => {
  const { id } = await makeEndpoint(bank, consumer.url, ['payment.created'])
  await bank.call('POST', `/v0/webhook-endpoints/${id}/test`)
  const [tested] = await deliveriesOf(bank, id)
  expect((await redeliver(tested.id)).json.code).toBe('event_not_found')
  const looked = await bank.call('GET', `/v0/lookup/delivery/${tested.id}`)
  expect(looked.json.data.actions).toEqual([
    { operation: 'redeliverDelivery', allowed: false, problem: 'event_not_found' },
  ])
  const replies = [
    await redeliver(tested.id, { key: bank.otherKey }),
    await redeliver('dlv_1_1'),
    await redeliver(`${tested.id}9999`),
  ]
  await bank.call('DELETE', `/v0/webhook-endpoints/${id}`)
  for (const { status, json } of [...replies, await redeliver(tested.id)])
    expect([status, json.code]).toEqual([404, 'delivery_not_found'])
})
