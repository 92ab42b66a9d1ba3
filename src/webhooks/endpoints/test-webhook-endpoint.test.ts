import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { advance } from '../../../test/support/cards.ts'
import {
  type Consumer,
  deliveriesOf,
  makeEndpoint,
  openConsumer,
  verify,
  watchWorker,
} from '../../../test/support/consumer.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'

let bank: TestBank
let consumer: Consumer
const { turns, workedOff } = watchWorker()
beforeAll(async () => {
  bank = await openTestBank({ webhooks: { delaysMs: [0, 0], turns } })
  consumer = await openConsumer()
})
afterAll(async () => {
  await bank.close()
  await consumer.close()
})
beforeEach(() => {
  consumer.received.length = 0
  consumer.answer = () => ({})
})

const send = (id: string, options = {}) => bank.call('POST', `/v0/webhook-endpoints/${id}/test`, options)

describe('test webhook endpoint', () => {
  test('sends an event that is not in the feed, whatever types the endpoint subscribes to', async () => {
    const { secret, ...endpoint } = await makeEndpoint(bank, consumer.url, ['statement.*'])
    const before = (await bank.call('GET', '/v0/events?limit=1000')).json.data
    const { status, json } = await send(endpoint.id, { headers: { 'x-request-id': 'a-test' } })
    expect([status, json.data]).toEqual([200, endpoint])
    await expect.poll(() => consumer.received.length).toBe(1)
    const [received] = consumer.received
    verify(secret, received as never)
    expect(received?.event).toEqual({
      id: expect.stringMatching(/^evt_\d+_test_\d+$/),
      type: 'webhookEndpoint.test',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      apiVersion: 'v0',
      sequence: 0,
      entity: { type: 'webhookEndpoint', id: endpoint.id, version: 1 },
      data: endpoint,
      request: { id: 'a-test', idempotencyKey: null },
    })
    await expect
      .poll(() => deliveriesOf(bank, endpoint.id))
      .toMatchObject([{ eventId: received?.event.id, eventType: 'webhookEndpoint.test', status: 'Succeeded' }])
    expect((await bank.call('GET', '/v0/events?limit=1000')).json.data).toEqual(before)
  })

  test('has a timestamp in bank time', async () => {
    const { id } = await makeEndpoint(bank, consumer.url, ['statement.*'], bank.otherKey)
    await advance(bank, { by: 'P30D' }, bank.otherKey)
    const { now } = (await bank.call('GET', '/v0/sandbox/clock', { key: bank.otherKey })).json.data
    await send(id, { key: bank.otherKey })
    await expect.poll(() => consumer.received.length).toBe(1)
    expect(Date.parse(consumer.received[0]?.event.timestamp) - Date.parse(now)).toBeGreaterThanOrEqual(0)
  })

  test('is attempted once, and neither 410 nor a failure disables the endpoint', async () => {
    const { id } = await makeEndpoint(bank, consumer.url, ['statement.*'])
    consumer.answer = () => ({ status: 410 })
    await send(id)
    await expect
      .poll(() => deliveriesOf(bank, id))
      .toMatchObject([{ status: 'Failed', attempts: [{ responseStatus: 410 }] }])
    await workedOff(bank)
    expect(consumer.received).toHaveLength(1)
    expect((await bank.call('GET', `/v0/webhook-endpoints/${id}`)).json.data.status).toBe('Enabled')
    expect(await bank.database.query(`select from webhook_endpoint where failing_since is not null`)).toEqual([])
  })

  test('sends one test for a request that is repeated with its idempotency key', async () => {
    const { id } = await makeEndpoint(bank, consumer.url, ['statement.*'])
    const options = { headers: { 'idempotency-key': 'test-once' } }
    await send(id, options)
    await send(id, options)
    await expect.poll(() => deliveriesOf(bank, id)).toHaveLength(1)
  })

  test('refuses a disabled endpoint and an unknown one', async () => {
    const { id } = await makeEndpoint(bank, consumer.url, ['statement.*'])
    const foreign = await send(id, { key: bank.otherKey })
    expect([foreign.status, foreign.json.code]).toEqual([404, 'webhook_endpoint_not_found'])
    await bank.call('PATCH', `/v0/webhook-endpoints/${id}`, { body: { status: 'Disabled' } })
    const refused = await send(id)
    expect([refused.status, refused.json.code]).toEqual([409, 'webhook_endpoint_disabled'])
  })
})
