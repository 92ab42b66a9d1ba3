import { Webhook } from 'standardwebhooks'
import { Webhook as SvixWebhook } from 'svix'
import { expect, test } from 'vitest'
import { makeSecret, signedHeaders } from './signature.ts'

const now = () => Math.floor(Date.now() / 1_000)

test('a secret has 32 random bytes', () => {
  const [one, other] = [makeSecret(), makeSecret()]
  expect(Buffer.from(one.slice('whsec_'.length), 'base64')).toHaveLength(32)
  expect(one).not.toBe(other)
})

test('a signature is the one that both libraries make, whatever the text', () => {
  for (const body of ['{}', '{"name":"Ада 😀"}', '', 'a.b.c\n']) {
    const secret = makeSecret()
    const timestampSeconds = now()
    const { 'webhook-signature': signature } = signedHeaders({ id: 'evt_1_2', timestampSeconds, body }, [secret])
    expect(signature).toBe(new Webhook(secret).sign('evt_1_2', new Date(timestampSeconds * 1_000), body))
    expect(signature).toBe(new SvixWebhook(secret).sign('evt_1_2', new Date(timestampSeconds * 1_000), body))
  }
})

test('each secret signs, and each alone verifies; another secret, text, time or id does not', () => {
  const secrets = [makeSecret(), makeSecret()]
  const body = '{"a":1}'
  const headers = signedHeaders({ id: 'evt_1_2', timestampSeconds: now(), body }, secrets)
  for (const secret of secrets) {
    for (const library of [new Webhook(secret), new SvixWebhook(secret)]) {
      expect(library.verify(body, headers)).toEqual({ a: 1 })
      expect(() => library.verify('{"a":2}', headers)).toThrow()
      expect(() => library.verify(body, { ...headers, 'webhook-id': 'evt_1_3' })).toThrow()
      expect(() => library.verify(body, { ...headers, 'webhook-timestamp': String(now() - 60) })).toThrow()
    }
  }
  for (const library of [new Webhook(makeSecret()), new SvixWebhook(makeSecret())]) {
    expect(() => library.verify(body, headers)).toThrow()
  }
})
