import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Consumer,
  deliveriesOf,
  type Endpoint,
  makeEndpoint,
  openConsumer,
  type Received,
} from '../../../test/support/consumer.ts'
import { openTestBank, type TestBank } from '../../../test/support/harness.ts'
import { makePayer, pay } from '../../../test/support/ledger.ts'
import { until } from '../../../test/support/service.ts'
import { makeSecret } from '../delivery/signature.ts'

const SIGNED = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const
type Headers = Record<string, string>

let bank: TestBank
let consumer: Consumer
let endpoint: Endpoint
let headers: Headers
let body: string

beforeAll(async () => {
  bank = await openTestBank({ webhooks: {} })
  consumer = await openConsumer()
  endpoint = await makeEndpoint(bank, consumer.url)
  await pay(bank, await makePayer(bank, 1_000_00), { amount: 1_00 })
  const received = await receivedAt(0)
  // An attempt is recorded after the consumer has answered.
  await until('a success', async () => (await deliveriesOf(bank, endpoint.id))[0]?.status === 'Succeeded')
  headers = headersOf(received)
  body = received.body
})
afterAll(async () => {
  await bank.close()
  await consumer.close()
})

/** A request that the consumer got. */
async function receivedAt(place: number): Promise<Received> {
  await until('a request', async () => consumer.received.length > place)
  return consumer.received[place] as Received
}

function headersOf({ headers: all }: Received): Headers {
  return Object.fromEntries(SIGNED.map((name) => [name, String(all[name])]))
}

const post = (sent: unknown, { id = endpoint.id, key = bank.key } = {}) =>
  bank.call('POST', `/v0/webhook-endpoints/${id}/verify`, { key, body: sent })

async function verified(changes: { headers?: Headers; body?: string; receivedAt?: string }, id = endpoint.id) {
  const { status, text, json } = await post({ headers, body, ...changes }, { id })
  expect(status, text).toBe(200)
  expect(json.data.message).toMatch(/^[A-Z].*\.$/)
  return json.data
}

/** A time so many seconds after the timestamp that was sent. */
const secondsAfter = (seconds: number) =>
  new Date((Number(headers['webhook-timestamp']) + seconds) * 1_000).toISOString()

describe('verify delivery answers', () => {
  test('right for the request as it was received, in any letter case and with other headers', async () => {
    const [{ id: deliveryId }] = await deliveriesOf(bank, endpoint.id)
    const data = await verified({ receivedAt: secondsAfter(2) })
    const message = 'The signature and the time are right.'
    expect(data).toEqual({ result: 'right', message, deliveryId, skewSeconds: 2 })
    const capitals = Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value])
    const { result } = await verified({ headers: { ...Object.fromEntries(capitals), Cookie: 'a=b' } })
    expect(result).toBe('right')
  })

  test('clock_skew beyond five minutes, either way', async () => {
    for (const [seconds, result] of [
      [300, 'right'],
      [301, 'clock_skew'],
      [-300, 'right'],
      [-301, 'clock_skew'],
    ] as const) {
      const data = await verified({ receivedAt: secondsAfter(seconds) })
      expect(data).toMatchObject({ result, skewSeconds: seconds })
    }
  })

  test('body_changed for one that was formatted, cut or extended on its way', async () => {
    const formatted = JSON.stringify(JSON.parse(body), null, 2)
    for (const changed of [formatted, `${body}\n`, body.slice(1), '', '\ud800\u0000']) {
      expect(await verified({ body: changed })).toMatchObject({ result: 'body_changed' })
    }
  })

  test('header_changed for a signature that was sent with another time', async () => {
    const timestamp = String(Number(headers['webhook-timestamp']) + 1)
    const data = await verified({ headers: { ...headers, 'webhook-timestamp': timestamp } })
    expect(data.result).toBe('header_changed')
    expect(data.message).toContain(headers['webhook-timestamp'])
  })

  test('other_secret for a signature by a foreign secret, and for that of another endpoint, which it names', async () => {
    const at = new Date(Number(headers['webhook-timestamp']) * 1_000)
    const signature = new Webhook(makeSecret()).sign(headers['webhook-id'] ?? '', at, body)
    const foreign = { ...headers, 'webhook-signature': signature }
    expect(await verified({ headers: foreign })).toMatchObject({ result: 'other_secret' })
    expect((await verified({ headers: foreign, body: '{}' })).message).toContain('The body differs')

    const other = await makeEndpoint(bank, consumer.url)
    const data = await verified({}, other.id)
    expect(data).toMatchObject({ result: 'other_secret', deliveryId: null })
    expect(data.message).toContain(endpoint.id)
    await bank.call('DELETE', `/v0/webhook-endpoints/${other.id}`)
  })

  test('unknown_delivery for an id that this endpoint was never sent', async () => {
    const organisationId = headers['webhook-id']?.split('_')[1]
    for (const id of ['evt_1_1', `evt_${organisationId}_99999`, `evt_${organisationId}_test_1`, 'x', '%00']) {
      const data = await verified({ headers: { ...headers, 'webhook-id': id } })
      expect(data).toMatchObject({ result: 'unknown_delivery', deliveryId: null })
    }
  })

  test('header_missing and header_malformed, with the name of the header', async () => {
    for (const name of SIGNED) {
      const { [name]: _absent, ...others } = headers
      for (const sent of [others, { ...others, [name]: ' ' }]) {
        const data = await verified({ headers: sent as Headers })
        expect(data).toMatchObject({ result: 'header_missing', skewSeconds: null })
        expect(data.message).toContain(name)
      }
    }
    for (const [name, value] of [
      ['webhook-timestamp', 'yesterday'],
      ['webhook-timestamp', '-1'],
      ['webhook-timestamp', '9'.repeat(12)],
      ['webhook-signature', 'v1,short'],
      ['webhook-signature', 'v1a,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4='],
    ] as const) {
      const data = await verified({ headers: { ...headers, [name]: value } })
      expect(data.result, value).toBe('header_malformed')
      expect(data.message).toContain(name)
    }
  })

  test('the same for a test', async () => {
    const place = consumer.received.length
    await bank.call('POST', `/v0/webhook-endpoints/${endpoint.id}/test`)
    const received = await receivedAt(place)
    const sent = { headers: headersOf(received), body: received.body }
    expect(await verified(sent)).toMatchObject({ result: 'right', deliveryId: expect.stringMatching(/^dlv_/) })
    expect(await verified({ ...sent, body: '{}' })).toMatchObject({ result: 'body_changed' })
  })

  test('right for both secrets during a rotation, and other_secret for one that signs no longer', async () => {
    const rotate = () => bank.call('POST', `/v0/webhook-endpoints/${endpoint.id}/rotate-secret`)
    await rotate()
    expect(await verified({})).toMatchObject({ result: 'right' })
    await bank.database.query(`update webhook_endpoint set previous_secret_until = now() where id = $1::bigint`, [
      endpoint.id,
    ])
    expect((await verified({})).message).toContain('before the latest rotation')
    await rotate()
    // No secret is left that made the signature; the attempt shows that it was sent.
    expect(await verified({})).toMatchObject({ result: 'other_secret', deliveryId: expect.stringMatching(/^dlv_/) })
    expect(await verified({ body: '{}' })).toMatchObject({ result: 'body_changed' })
  })
})

describe('verify delivery refuses', () => {
  test('input that is not a request, with 400', async () => {
    const refusals: [object, string, string][] = [
      [{ body }, '/headers', 'required'],
      [{ headers }, '/body', 'required'],
      [{ headers: { ...headers, 'webhook-id': 7 }, body }, '/headers/webhook-id', 'wrong_type'],
      [{ headers: { a: 'x'.repeat(8_193) }, body }, '/headers/a', 'too_long'],
      [{ headers: { 'a\n': 'x' }, body }, '/headers/a\n', 'control_character'],
      [{ headers, body: {} }, '/body', 'wrong_type'],
      [{ headers, body: 'x'.repeat(200_001) }, '/body', 'too_long'],
      [{ headers, body, receivedAt: 'yesterday' }, '/receivedAt', 'bad_format'],
    ]
    for (const [sent, pointer, code] of refusals) {
      const { status, json } = await post(sent)
      expect([status, json.errors[0]]).toEqual([400, expect.objectContaining({ pointer, code })])
    }
  })

  test("another organisation's endpoint, and a key without the scope", async () => {
    const sent = { headers, body }
    const foreign = await post(sent, { key: bank.otherKey })
    expect([foreign.status, foreign.json.code]).toEqual([404, 'webhook_endpoint_not_found'])
    const weak = await post(sent, { key: await bank.makeKey('first', ['events:read']) })
    expect([weak.status, weak.json.code]).toEqual([403, 'forbidden'])
  })
})
