import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Consumer,
  deliveriesOf,
  type Endpoint,
  makeEndpoint,
  openConsumer,
  verify,
} from '../../../test/support/consumer.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makePayer, pay } from '../../../test/support/ledger.ts'
import { until } from '../../../test/support/service.ts'

let bank: TestBank
let consumer: Consumer
let endpoint: Endpoint
let id: string

beforeAll(async () => {
  bank = await openTestBank({ webhooks: {} })
  consumer = await openConsumer()
  endpoint = await makeEndpoint(bank, consumer.url)
  await pay(bank, await makePayer(bank, 1_000_00), { amount: 1_00 })
  await until('a success', async () => (await deliveriesOf(bank, endpoint.id))[0]?.status === 'Succeeded')
  id = (await deliveriesOf(bank, endpoint.id))[0].id
})
afterAll(async () => {
  await bank.close()
  await consumer.close()
})

const get = (deliveryId: string, key = bank.key) => bank.call('GET', `/v0/deliveries/${deliveryId}`, { key })

describe('get delivery', () => {
  test('shows the headers and the body that were sent, and the signature verifies', async () => {
    const { status, json, text } = await get(id)
    const [received] = consumer.received
    const { request, ...delivery } = json.data
    expect([status, delivery]).toEqual([200, (await deliveriesOf(bank, endpoint.id))[0]])
    expect(received).toMatchObject({ headers: request.headers, body: request.body })
    expect(Object.keys(request.headers).sort()).toEqual(
      ['content-type', 'user-agent', 'webhook-id', 'webhook-key-id', 'webhook-signature', 'webhook-timestamp'].sort(),
    )
    verify(endpoint.secret, request)
    expect(text).not.toContain('whsec_')
    expect(text).not.toContain(endpoint.secret.slice('whsec_'.length))
  })

  test('shows them also after two rotations, by which the secret is lost', async () => {
    const before = (await get(id)).json.data
    for (let time = 0; time < 2; time++) {
      await bank.call('POST', `/v0/webhook-endpoints/${endpoint.id}/rotate-secret`)
    }
    expect((await get(id)).json.data).toEqual(before)
  })

  test('shows no body to a key without events:read', async () => {
    const { status, json, text } = await get(id, await bank.makeKey('first', ['webhooks:write']))
    expect([status, json.data.request.body]).toEqual([200, null])
    expect(json.data.request.headers['webhook-id']).toBe(json.data.eventId)
    expect(text).not.toContain(consumer.received[0]?.event.entity.id)
    const both = await get(id, await bank.makeKey('first', ['webhooks:write', 'events:read']))
    expect(both.json.data.request.body).toBe(consumer.received[0]?.body)
  })

  test('shows a test with the body that was sent', async () => {
    const place = consumer.received.length
    await bank.call('POST', `/v0/webhook-endpoints/${endpoint.id}/test`)
    await until('the test', async () => (await deliveriesOf(bank, endpoint.id))[0]?.status === 'Succeeded')
    const [newest] = await deliveriesOf(bank, endpoint.id)
    const { json } = await get(newest.id)
    expect(json.data).toMatchObject({
      eventType: 'webhookEndpoint.test',
      request: { body: consumer.received[place]?.body },
    })
  })

  test('has no request before the first attempt, and no signature where none was stored', async () => {
    const paused = await makeEndpoint(bank, consumer.url)
    await bank.call('PATCH', `/v0/webhook-endpoints/${paused.id}`, { body: { status: 'Disabled' } })
    const { eventId } = (await get(id)).json.data
    await bank.call('POST', `/v0/events/${eventId}/redeliver`)
    const [waiting] = await deliveriesOf(bank, paused.id)
    expect((await get(waiting.id)).json.data).toMatchObject({ status: 'Pending', attempts: [], request: null })

    const attempt = { at: '2026-01-31T12:00:00.999Z', status: 'Succeeded', responseStatus: 204, durationMs: 1 }
    await bank.database.query(`update webhook_delivery set log = $2::jsonb where endpoint_id = $1::bigint`, [
      paused.id,
      JSON.stringify([{ ...attempt, error: null, response: null }]),
    ])
    const { headers } = (await get(waiting.id)).json.data.request
    expect(headers).toEqual({
      'content-type': 'application/json; charset=utf-8',
      'webhook-id': eventId,
      'webhook-timestamp': '1769860800',
    })
    await bank.call('DELETE', `/v0/webhook-endpoints/${paused.id}`)
    expect((await get(waiting.id)).status).toBe(404)
  })

  test("answers 404 for another organisation's delivery and for ids of no delivery", async () => {
    const [, endpointId, number] = id.split('_')
    const unknown = [
      `dlv_${endpointId}_${Number(number) + 1000}`,
      `dlv_1_${number}`,
      'dlv_',
      number,
      `${id}0000000000000`,
    ]
    const replies = [await get(id, bank.otherKey), ...(await Promise.all(unknown.map((one) => get(String(one)))))]
    for (const { status, json } of replies) expect([status, json.code]).toEqual([404, 'delivery_not_found'])
    expect((await get(id, await bank.makeKey('first', ['events:read']))).status).toBe(403)
  })
})
