import { timingSafeEqual } from 'node:crypto'
import { signatureOf } from '../delivery/signature.ts'
import { deliveryId, type LoggedAttempt } from './delivery.ts'
import type { DeliveryVerdict } from './verify-delivery.ts'

/** The tolerance of Standard Webhooks. */
const MAX_SKEW_SECONDS = 300
const SIGNATURE_BYTES = 32

/** The headers of the signature, as a receiver got them. */
export interface Signed {
  id: string
  timestampSeconds: number
  signatures: Buffer[]
}

/** A request as a receiver got it. */
export interface ReceivedRequest extends Signed {
  body: string
  skewSeconds: number
}

/** The secrets of an endpoint; the previous one may sign no longer. */
export interface Secrets {
  current: string
  previous: string | undefined
  previousSigns: boolean
}

/** A delivery of the same event, to this endpoint or to another one of the organisation. */
export interface SentDelivery {
  endpointId: number
  id: number
  body: string
  log: LoggedAttempt[]
}

/** Reads the headers of the signature, or says which one is missing or malformed. */
export function readSigned(headers: Record<string, string>): Signed | DeliveryVerdict {
  const lower = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value.trim()]))
  const [id = '', timestamp = '', signature = ''] = NAMES.map((name) => lower.get(name))
  const missing = NAMES.find((name) => !lower.get(name))
  if (missing) return verdict('header_missing', `The header ${missing} is missing or empty.`)
  if (!/^\d{1,11}$/.test(timestamp)) {
    return verdict('header_malformed', 'The header webhook-timestamp is not a number of Unix seconds.')
  }
  const signatures = signaturesIn(signature)
  if (signatures.length > 0) return { id, timestampSeconds: Number(timestamp), signatures }
  return verdict(
    'header_malformed',
    'The header webhook-signature holds no signature of the form v1,<base64 of 32 bytes>.',
  )
}

const NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature']

/** The signatures of the version that Purser makes; others are ignored, as the specification wants it. */
function signaturesIn(header: string): Buffer[] {
  return header
    .split(' ')
    .filter((part) => part.startsWith('v1,'))
    .map((part) => Buffer.from(part.slice('v1,'.length), 'base64'))
    .filter(({ length }) => length === SIGNATURE_BYTES)
}

/** Judges the signature by the secrets alone; undefined if none of those that sign made it. */
export function judgeBySecrets(received: ReceivedRequest, secrets: Secrets): DeliveryVerdict | undefined {
  const { current, previous, previousSigns } = secrets
  if (isSignedBy(received, current) || (previous && previousSigns && isSignedBy(received, previous))) {
    return judgeTime(received)
  }
  if (!previous || !isSignedBy(received, previous)) return undefined
  const reason = 'The secret before the latest rotation signed it. It signs no longer: use the current secret.'
  return verdict('other_secret', reason, received)
}

function judgeTime(received: ReceivedRequest): DeliveryVerdict {
  const { skewSeconds } = received
  if (Math.abs(skewSeconds) <= MAX_SKEW_SECONDS) {
    return verdict('right', 'The signature and the time are right.', received)
  }
  const distance = `${Math.abs(skewSeconds)} s ${skewSeconds > 0 ? 'before' : 'after'} the receipt`
  const advice = 'set the clock of the receiver, or send receivedAt if you verify later than you received'
  const message = `The signature is right, but webhook-timestamp is ${distance}, and receivers allow ${MAX_SKEW_SECONDS} s: ${advice}.`
  return verdict('clock_skew', message, received)
}

/** Judges a signature that no secret made for this body, by the deliveries of the event that the headers name. */
export function judgeByDeliveries(
  received: ReceivedRequest,
  { endpointId, secrets }: { endpointId: number; secrets: Secrets },
  sent: SentDelivery[],
): DeliveryVerdict {
  const own = sent.find((delivery) => delivery.endpointId === endpointId)
  const other = sent.find((delivery) => delivery.endpointId !== endpointId && madeAt(received, delivery))
  if (own) return { ...judgeByDelivery(received, secrets, own, other), deliveryId: deliveryId(own.endpointId, own.id) }
  if (other) return verdict('other_secret', signedElsewhere(other), received)
  return verdict('unknown_delivery', 'No delivery with this webhook-id was made to this endpoint.', received)
}

function judgeByDelivery(
  received: ReceivedRequest,
  { current, previous }: Secrets,
  own: SentDelivery,
  other: SentDelivery | undefined,
): DeliveryVerdict {
  const isWhole = received.body === own.body
  const secrets = [current, ...(previous ? [previous] : [])]
  const attempt = madeAt(received, own)
  const isOurs = secrets.some((secret) => isSignedBy({ ...received, body: own.body }, secret))
  const isSentThen = attempt !== undefined && attemptSeconds(attempt) === received.timestampSeconds
  if (!isWhole && (isOurs || isSentThen)) {
    return verdict(
      'body_changed',
      'The signature belongs to the body that was sent, and the received body differs.',
      received,
    )
  }
  if (attempt && !isSentThen) {
    const sentAt = `webhook-timestamp ${attemptSeconds(attempt)}`
    return verdict('header_changed', `The signature was sent with ${sentAt}, and the received one differs.`, received)
  }
  if (attempt)
    return verdict('other_secret', 'A secret signed it that was replaced since. Use the current one.', received)
  if (other) return verdict('other_secret', signedElsewhere(other), received)
  const also = isWhole ? '' : ' The body differs from the one that was sent, too.'
  return verdict('other_secret', `No secret of this endpoint made the signature.${also}`, received)
}

function signedElsewhere({ endpointId }: SentDelivery): string {
  return `The secret of the endpoint ${endpointId} signed it: it was sent there, not to this endpoint.`
}

/** The attempt that sent one of the received signatures. */
function madeAt({ signatures }: Signed, { log }: SentDelivery): LoggedAttempt | undefined {
  return log.find(({ signature = '' }) => signaturesIn(signature).some((one) => isAmong(one, signatures)))
}

function attemptSeconds({ at }: LoggedAttempt): number {
  return Math.floor(Date.parse(at) / 1_000)
}

function isSignedBy({ id, timestampSeconds, body, signatures }: ReceivedRequest, secret: string): boolean {
  return isAmong(signatureOf({ id, timestampSeconds, body }, secret), signatures)
}

/** Compares with all of them in constant time, so that the time says nothing about a signature. */
function isAmong(expected: Buffer, signatures: Buffer[]): boolean {
  return signatures.filter((signature) => timingSafeEqual(signature, expected)).length > 0
}

function verdict(
  result: DeliveryVerdict['result'],
  message: string,
  received?: Pick<ReceivedRequest, 'skewSeconds'>,
): DeliveryVerdict {
  return { result, message, deliveryId: null, skewSeconds: received?.skewSeconds ?? null }
}
