import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type Consumer,
  deliveriesOf,
  makeEndpoint,
  openConsumer,
  verify,
  watchWorker,
} from '../../../test/support/consumer.ts'
import { deferred } from '../../../test/support/deferred.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makePayer, type Payer, pay, returnPayment } from '../../../test/support/ledger.ts'

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
    for (const { id } of (await bank.call('GET', '/v0/webhook-endpoints')).json.data) {
      await bank.call('DELETE', `/v0/webhook-endpoints/${id}`)
    }
    await consumer.close()
  }
})

const redeliver = (id: string, options = {}) => bank.call('POST', `/v0/events/${id}/redeliver`, options)

async function payment() {
  await pay(bank, payer, { amount: 1_00 })
  return (await bank.call('GET', '/v0/events?type=payment.created&limit=1000')).json.data.at(-1)
}

describe('redeliver event', () => {
  test('sends the event again under the same id to endpoints that received it or failed to', async () => {
    const good = await makeEndpoint(bank, consumer.url)
    const bad = await makeEndpoint(bank, consumer.url.replace('hooks', 'bad'))
    let refuse = true
    consumer.answer = () => (refuse ? { status: 500 } : {})
    const event = await payment()
    await expect.poll(() => consumer.received.length).toBe(2)
    await expect.poll(() => deliveriesOf(bank, bad.id)).toMatchObject([{ status: 'Failed' }])
    refuse = false
    const { status, json } = await redeliver(event.id)
    expect([status, json.data]).toEqual([200, event])
    await expect.poll(() => consumer.received.length).toBe(4)
    await expect.poll(() => deliveriesOf(bank, good.id)).toMatchObject([{ status: 'Succeeded' }])
    await redeliver(event.id)
    await expect.poll(() => consumer.received.length).toBe(6)
    expect(new Set(consumer.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([event.id]))
    expect(consumer.received.some((received) => verifies(good.secret, received))).toBe(true)
    expect(await deliveriesOf(bank, bad.id)).toHaveLength(1)
  })

  test('reaches endpoints that were created or subscribed after the event, and no others', async () => {
    const event = await payment()
    const late = await makeEndpoint(bank, consumer.url)
    const other = await makeEndpoint(bank, consumer.url, ['statement.*'])
    const foreign = await makeEndpoint(bank, consumer.url, ['payment.*'], bank.otherKey)
    await redeliver(event.id)
    await expect.poll(() => deliveriesOf(bank, late.id)).toMatchObject([{ eventId: event.id, status: 'Succeeded' }])
    await workedOff(bank)
    expect(consumer.received).toHaveLength(1)
    expect(await deliveriesOf(bank, other.id)).toEqual([])
    await bank.call('DELETE', `/v0/webhook-endpoints/${foreign.id}`, { key: bank.otherKey })
  })

  test('sends the event again during an attempt, whatever the outcome of that attempt', async () => {
    for (const [status, ended] of [
      [500, 'Failed'],
      [204, 'Succeeded'],
    ] as const) {
      consumer.received.length = 0
      const { id } = await makeEndpoint(bank, consumer.url)
      const asked = deferred()
      consumer.answer = () => asked.promise.then(() => ({ status }))
      const event = await payment()
      await expect.poll(() => consumer.received.length).toBe(1)
      await redeliver(event.id)
      asked.resolve()
      await expect.poll(() => consumer.received.length).toBe(2)
      await expect.poll(() => deliveriesOf(bank, id)).toMatchObject([{ status: ended }])
      await bank.call('DELETE', `/v0/webhook-endpoints/${id}`)
    }
  })

  test('does not overtake earlier events at an endpoint that has not followed so far', async () => {
    const { id } = await makeEndpoint(bank, consumer.url)
    await bank.call('PATCH', `/v0/webhook-endpoints/${id}`, { body: { status: 'Disabled' } })
    await returnPayment(bank, (await payment()).entity.id)
    const [returned] = (await bank.call('GET', '/v0/events?type=payment.returned&limit=1000')).json.data.slice(-1)
    expect((await redeliver(returned.id)).status).toBe(200)
    await bank.call('PATCH', `/v0/webhook-endpoints/${id}`, { body: { status: 'Enabled' } })
    await expect.poll(() => deliveriesOf(bank, id)).toMatchObject([{ status: 'Succeeded' }, { status: 'Succeeded' }])
    expect(consumer.received.map(({ event }) => event.type)).toEqual(['payment.created', 'payment.returned'])
  })

  test('redelivers once for a request that is repeated with its idempotency key', async () => {
    const { id } = await makeEndpoint(bank, consumer.url)
    const event = await payment()
    await expect.poll(() => deliveriesOf(bank, id)).toMatchObject([{ status: 'Succeeded' }])
    for (let time = 0; time < 3; time++) await redeliver(event.id, { headers: { 'idempotency-key': 'again-once' } })
    await expect.poll(() => consumer.received.length).toBe(2)
    await workedOff(bank)
    expect(consumer.received).toHaveLength(2)
  })

  test('also needs the scope events:read, because it shows the event and sends past events', async () => {
    const event = await payment()
    const manager = await bank.makeKey('first', ['webhooks:write'])
    await makeEndpoint(bank, consumer.url, ['*'], manager)
    const { status, json, text } = await redeliver(event.id, { key: manager })
    expect([status, json.code, json.detail]).toEqual([403, 'forbidden', 'The API key lacks the scope events:read.'])
    expect(text).not.toContain(event.entity.id)
    await workedOff(bank)
    expect(consumer.received.map(({ headers }) => headers['webhook-id'])).not.toContain(event.id)

    const both = await bank.makeKey('first', ['webhooks:write', 'events:read'])
    expect((await redeliver(event.id, { key: both })).json.data).toEqual(event)
    await expect.poll(() => consumer.received.map(({ headers }) => headers['webhook-id'])).toContain(event.id)
  })

  test("answers 404 for another organisation's event and for an id that is malformed", async () => {
    const { id } = await payment()
    const replies = [
      await redeliver(id, { key: bank.otherKey }),
      await redeliver('evt_1_1'),
      await redeliver(`${id}9999`),
    ]
    for (const { status, json } of replies) expect([status, json.code]).toEqual([404, 'event_not_found'])
  })
})

function verifies(secret: string, received: Consumer['received'][number]): boolean {
  try {
    verify(secret, received)
    return true
  } catch {
    return false
  }
}
