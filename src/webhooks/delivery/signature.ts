import { createHmac, createSecretKey, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

export function makeSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

interface Message {
  id: string
  timestampSeconds: number
  body: string
}

export function signatureOf({ id, timestampSeconds, body }: Message, secret: string): Buffer {
  return hmac(secret, `${id}.${timestampSeconds}.${body}`)
}

/**
 * The headers of Standard Webhooks that authenticate a delivery: one signature for each secret in use. Beside them, the
 * ids of the secrets help a receiver to distinguish another secret from a changed body.
 */
export function signedHeaders(message: Message, secrets: string[]): Record<string, string> {
  const { id, timestampSeconds } = message
  const signatures = secrets.map((secret) => `v1,${signatureOf(message, secret).toString('base64')}`)
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestampSeconds),
    'webhook-signature': signatures.join(' '),
    'webhook-key-id': secrets.map(keyId).join(' '),
  }
}

/** Names a secret without giving it away. */
function keyId(secret: string): string {
  return hmac(secret, 'webhook-key-id').toString('hex', 0, 8)
}

function hmac(secret: string, message: string): Buffer {
  // An object, because Node 24 takes 22 µs longer for a key in a buffer. To make one takes 2 µs.
  const key = createSecretKey(secret.slice(PREFIX.length), 'base64')
  return createHmac('sha256', key).update(message).digest()
}
