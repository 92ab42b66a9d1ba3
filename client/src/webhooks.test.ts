import { Webhook } from 'standardwebhooks'
import { describe, expect, test } from 'vitest'
import { makeSecret, signedHeaders } from '../../src/webhooks/delivery/signature.ts'
import { fastestMs } from '../../test/support/run/fastest.ts'
import { isWebhookError } from './errors.ts'
import { sign, unwrap } from './webhooks.ts'

const secret = makeSecret()
const event = { id: 'evt_1_1', type: 'payment.created', data: { description: 'Zürich €' } }
const body = JSON.stringify(event)

/** The headers that the service sends with the event. */
function delivered(secrets = [secret], at = new Date()): Record<string, string> {
  return signedHeaders({ id: event.id, timestampSeconds: Math.floor(at.getTime() / 1000), body }, secrets)
}

async function reasonOf(attempt: Promise<unknown>): Promise<string | undefined> {
  const error = await attempt.then(
    () => undefined,
    (caught) => caught,
  )
  return isWebhookError(error) ? error.reason : error
}

describe('unwrap', () => {
  test.each([
    ['headers of Node', delivered()],
    ['a Headers object', new Headers(delivered())],
    [
      'headers in capitals',
      Object.fromEntries(Object.entries(delivered()).map(([name, value]) => [name.toUpperCase(), value])),
    ],
  ])('a delivery of the service is accepted with %s', async (_name, headers) => {
    expect(await unwrap(body, headers, secret)).toEqual(event)
    expect(await unwrap(Buffer.from(body), headers, secret)).toEqual(event)
  })

  test('either secret is accepted during a rotation, on both sides', async () => {
    const next = makeSecret()
    expect(await unwrap(body, delivered([next, secret]), secret)).toEqual(event)
    expect(await unwrap(body, delivered([next]), [secret, next])).toEqual(event)
  })

  test('a missing header is named', async () => {
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      const attempt = unwrap(body, { ...delivered(), [name]: undefined }, secret)
      expect(await reasonOf(attempt)).toBe('missing_header')
      await expect(attempt).rejects.toThrow(name)
    }
  })

  test('another secret, a changed body and a changed id are refused and distinguished', async () => {
    expect(await reasonOf(unwrap(body, delivered([makeSecret()]), secret))).toBe('other_secret')
    expect(await reasonOf(unwrap(`${body} `, delivered(), secret))).toBe('changed_body')
    expect(await reasonOf(unwrap(body, { ...delivered(), 'webhook-id': 'evt_1_2' }, secret))).toBe('changed_body')
  })

  test('a sender without key ids is refused without a guess', async () => {
    const { 'webhook-key-id': _left, ...headers } = delivered([makeSecret()])
    expect(await reasonOf(unwrap(body, headers, secret))).toBe('wrong_signature')
  })

  test('the key id alone lets nothing in', async () => {
    const headers = { ...delivered([makeSecret()]), 'webhook-key-id': delivered()['webhook-key-id'] }
    expect(await reasonOf(unwrap(body, headers, secret))).toBe('changed_body')
  })

  test('an old timestamp and one of the future are refused just past the tolerance', async () => {
    const now = new Date('2026-01-31T12:00:00Z')
    const at = (seconds: number) => delivered([secret], new Date(now.getTime() + seconds * 1000))
    expect(await reasonOf(unwrap(body, at(-301), secret, { now }))).toBe('old_timestamp')
    expect(await reasonOf(unwrap(body, at(301), secret, { now }))).toBe('future_timestamp')
    expect(await unwrap(body, at(-300), secret, { now })).toEqual(event)
    expect(await unwrap(body, at(300), secret, { now })).toEqual(event)
    expect(await unwrap(body, at(-301), secret, { now, toleranceSeconds: 301 })).toEqual(event)
  })

  test.each(['', 'x', '-1', '1e9', '9'.repeat(16)])('the timestamp %j is refused', async (timestamp) => {
    const headers = { ...delivered(), 'webhook-timestamp': timestamp }
    expect(await reasonOf(unwrap(body, headers, secret))).toMatch(/missing_header|malformed_header/)
  })

  test.each(['v1', 'v1,', 'v1,%%%', 'v2,abc', ',', 'v1,AAAA v1,'])('the signature %j is refused', async (signature) => {
    const headers = { ...delivered(), 'webhook-signature': signature }
    expect(await reasonOf(unwrap(body, headers, secret))).toBe('changed_body')
  })

  test('a body that is signed and not JSON is refused', async () => {
    const headers = await sign('not JSON', secret, { id: 'evt_1_1' })
    expect(await reasonOf(unwrap('not JSON', headers, secret))).toBe('malformed_body')
  })

  test('a missing secret, one in another form and a parsed body are errors of the program, in words', async () => {
    await expect(unwrap(body, delivered(), '')).rejects.toThrow(/begins with whsec_/)
    for (const none of [[], undefined, [undefined]] as unknown as string[]) {
      await expect(unwrap(body, delivered(), none)).rejects.toThrow(/a secret is needed/)
    }
    for (const parsed of [event, undefined, null] as unknown as string[]) {
      await expect(unwrap(parsed, delivered(), secret)).rejects.toThrow(/pass the raw body/)
    }
  })

  test('a tolerance or a time that is not a number does not let an old request in', async () => {
    const old = delivered([secret], new Date(0))
    await expect(unwrap(body, old, secret, { toleranceSeconds: Number.NaN })).rejects.toThrow(TypeError)
    await expect(unwrap(body, old, secret, { now: new Date('never') })).rejects.toThrow(TypeError)
  })

  test('bytes are verified as they are: nothing before or in the body may change', async () => {
    const bytes = Buffer.from(body)
    expect(await reasonOf(unwrap(Buffer.from(`\ufeff${body}`), delivered(), secret))).toBe('changed_body')
    expect(await reasonOf(unwrap(Buffer.concat([bytes, Buffer.from([0xff])]), delivered(), secret))).toBe(
      'changed_body',
    )
    const view = new Uint8Array(Buffer.from(`xx${body}xx`)).subarray(2, -2)
    expect(await unwrap(view, delivered(), secret)).toEqual(event)
    expect(await unwrap(await new Response(body).arrayBuffer(), delivered(), secret)).toEqual(event)
  })

  test('thousands of signatures cost no more than one', async () => {
    const large = 'x'.repeat(1_000_000)
    const headers = {
      ...delivered(),
      'webhook-signature': Array(2_000)
        .fill(`v1,${btoa('y'.repeat(32))}`)
        .join(' '),
    }
    const ms = await fastestMs(async () => {
      expect(await reasonOf(unwrap(large, headers, secret))).toBe('changed_body')
    })
    expect(ms).toBeLessThan(1_000)
  })
})

describe('sign', () => {
  test('an event is signed as the service signs it', async () => {
    const now = new Date('2026-01-31T12:00:00.900Z')
    expect(await sign(event, secret, { now })).toEqual({
      'content-type': 'application/json',
      ...delivered([secret], now),
    })
  })

  test('a library for Standard Webhooks accepts it', async () => {
    const headers = await sign(body, secret)
    expect(new Webhook(secret).verify(body, headers)).toEqual(event)
    expect(await unwrap(body, headers, secret)).toEqual(event)
  })
})
