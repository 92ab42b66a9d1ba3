import { PurserWebhookError } from './errors.ts'
import type { Event } from './generated/types.ts'

/** Headers of a request as servers give them: a `Headers` object, or an object by name. */
export type HeadersLike = Headers | Record<string, string | string[] | undefined>

export interface UnwrapOptions {
  /** Seconds that the timestamp may lie before or after now. */
  toleranceSeconds?: number
  /** The present time, for tests. */
  now?: Date
}

type Key = Awaited<ReturnType<typeof crypto.subtle.importKey>>

const PREFIX = 'whsec_'
const TOLERANCE_SECONDS = 300

/**
 * Verifies a webhook request and returns its event. Give the body exactly as it was received, before anything parsed it.
 * Throws a `PurserWebhookError` with a `reason`; an event that is returned is genuine.
 *
 * @example
 * const event = await unwrap(await request.text(), request.headers, secret)
 * if (event.type === 'payment.returned') console.log(event.data.id)
 */
export async function unwrap(
  body: string | Uint8Array | ArrayBuffer,
  headers: HeadersLike,
  secret: string | string[],
  { toleranceSeconds = TOLERANCE_SECONDS, now = new Date() }: UnwrapOptions = {},
): Promise<Event> {
  const secrets = [secret].flat()
  if (!secrets.length || secrets.includes(undefined as never)) {
    throw new TypeError('a secret is needed to verify a webhook: is it set in the environment?')
  }
  const bytes = bytesOf(body)
  const id = required(headers, 'webhook-id')
  const timestamp = required(headers, 'webhook-timestamp')
  const signatures = required(headers, 'webhook-signature')
  requireRecent(timestamp, toleranceSeconds, now)
  const message = joined(encoded(`${id}.${timestamp}.`), bytes)
  const known = await Promise.all(secrets.map((each) => isSigned(message, signatures, each)))
  if (!known.includes(true)) throw await mismatch(headers, secrets)
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    throw new PurserWebhookError('malformed_body', 'The body is signed but is not JSON.')
  }
}

/**
 * The headers of a webhook request with this event, as the service would sign it: to test a receiver.
 *
 * @example
 * const headers = await sign(event, secret)
 * const request = new Request('https://app.test/webhooks', { method: 'POST', headers, body: JSON.stringify(event) })
 */
export async function sign(
  event: { id: string } | string,
  secret: string,
  { now = new Date(), id }: { now?: Date; id?: string } = {},
): Promise<Record<string, string>> {
  const text = typeof event === 'string' ? event : JSON.stringify(event)
  const name = id ?? (typeof event === 'string' ? (JSON.parse(event) as { id: string }).id : event.id)
  const timestamp = Math.floor(now.getTime() / 1000)
  const signature = await hmac(await keyOf(secret), encoded(`${name}.${timestamp}.${text}`))
  return {
    'content-type': 'application/json',
    'webhook-id': name,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${toBase64(signature)}`,
    'webhook-key-id': await keyId(secret),
  }
}

/** The bytes that were signed. A body that a framework has parsed cannot be written as it was. */
function bytesOf(body: string | Uint8Array | ArrayBuffer): Uint8Array<ArrayBuffer> {
  if (typeof body === 'string') return encoded(body)
  // A test runner may give each file an ArrayBuffer of its own, which instanceof does not know.
  const isBuffer = Object.prototype.toString.call(body) === '[object ArrayBuffer]'
  if (isBuffer || ArrayBuffer.isView(body)) return new Uint8Array(body)
  throw new TypeError('the body of a webhook is a string or bytes: pass the raw body, before anything parses it')
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length)
  all.set(first)
  all.set(second, first.length)
  return all
}

function required(headers: HeadersLike, name: string): string {
  const value = header(headers, name)
  if (!value) throw new PurserWebhookError('missing_header', `The header ${name} is missing.`)
  return value
}

function header(headers: HeadersLike, name: string): string | undefined {
  if (typeof (headers as Headers).get === 'function') return (headers as Headers).get(name) ?? undefined
  const entries = Object.entries(headers as Record<string, string | string[] | undefined>)
  const value = entries.find(([key]) => key.toLowerCase() === name)?.[1]
  return Array.isArray(value) ? value.join(' ') : value
}

function requireRecent(timestamp: string, toleranceSeconds: number, now: Date): void {
  if (!/^\d{1,15}$/.test(timestamp)) {
    throw new PurserWebhookError('malformed_header', 'The header webhook-timestamp is not a number of seconds.')
  }
  const age = now.getTime() / 1000 - Number(timestamp)
  if (age > toleranceSeconds) {
    const detail = `The request was signed ${Math.floor(age)} seconds ago; ${toleranceSeconds} are allowed.`
    throw new PurserWebhookError('old_timestamp', detail)
  }
  if (age < -toleranceSeconds) {
    throw new PurserWebhookError('future_timestamp', 'The request was signed in the future: compare the clocks.')
  }
  if (Number.isNaN(age - toleranceSeconds)) throw new TypeError('toleranceSeconds or now is not a number')
}

/** The body is hashed once, however many signatures a request offers. */
async function isSigned(message: Uint8Array<ArrayBuffer>, signatures: string, secret: string): Promise<boolean> {
  const expected = await hmac(await keyOf(secret), message)
  const offered = signatures.split(' ').filter((each) => each.startsWith('v1,'))
  return offered.some((each) => isSame(fromBase64(each.slice(3)), expected))
}

/** Takes the same time for every signature of this length. */
function isSame(offered: Uint8Array | undefined, expected: Uint8Array): boolean {
  if (offered?.length !== expected.length) return false
  return expected.reduce((difference, byte, at) => difference | (byte ^ (offered[at] ?? 0)), 0) === 0
}

/** The reason why no signature fits. The key id only helps to name it; nothing is accepted because of it. */
async function mismatch(headers: HeadersLike, secrets: string[]): Promise<PurserWebhookError> {
  const signedWith = header(headers, 'webhook-key-id')?.split(' ')
  if (!signedWith) {
    return new PurserWebhookError('wrong_signature', 'The signature does not match: another secret or a changed body.')
  }
  const ours = await Promise.all(secrets.map(keyId))
  if (ours.some((id) => signedWith.includes(id))) {
    const detail = 'The body is not the one that was signed. Pass the raw body, before anything parses it.'
    return new PurserWebhookError('changed_body', detail)
  }
  return new PurserWebhookError('other_secret', "The request was signed with another secret than this endpoint's.")
}

/** Names a secret without giving it away. */
async function keyId(secret: string): Promise<string> {
  const digest = await hmac(await keyOf(secret), encoded('webhook-key-id'))
  return [...digest.subarray(0, 8)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

function keyOf(secret: string): Promise<Key> {
  const bytes = fromBase64(secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret)
  if (!bytes || bytes.length === 0) throw new TypeError('the secret of a webhook endpoint begins with whsec_')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
}

async function hmac(key: Key, message: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, message))
}

function encoded(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    return undefined
  }
}
