import { clock } from '../../base/clock.ts'
import { envelope, eventId, type StoredEvent } from '../../events/event.ts'
import { dataOf, type FirstStates } from '../../events/stored/complete-events.ts'
import type { Seal } from '../../secrets/seal.ts'
import { secretColumn } from '../endpoints/endpoint-view.ts'
import type { Claimed } from './claim.sql.ts'
import type { Outcome } from './outcomes.sql.ts'
import { delayAfter } from './retry.ts'
import { isSuccess, type Post, type Sender, type Sent } from './send.ts'
import { signedHeaders } from './signature.ts'

/** A request, and when its attempt began: the headers name the same second, so that they can be computed again. */
interface TimedPost extends Post {
  at: string
}

/** The event of a delivery as it is stored, or the body of a test, which is no event. */
type BodyParts = Omit<StoredEvent, 'sequence'> & Pick<Claimed, 'sequence' | 'body'>

/** The body of a delivery: the event as the feed shows it, or that of a test. */
export function bodyOf(delivery: BodyParts, found: FirstStates | undefined): string {
  const { body, sequence } = delivery
  return body ?? envelope({ ...delivery, sequence: sequence ?? 0, data: dataOf(delivery, found) })
}

/** The request of a delivery, signed now. */
export function postOf(delivery: Claimed, body: string, seal: Seal): TimedPost {
  const { endpointId, url, sealedSecret, sealedPreviousSecret, sequence, testId } = delivery
  const secrets = [seal.unseal(sealedSecret, secretColumn(endpointId, 'sealed_secret')).toString()]
  if (sealedPreviousSecret) {
    secrets.push(seal.unseal(sealedPreviousSecret, secretColumn(endpointId, 'sealed_previous_secret')).toString())
  }
  const id = testId ?? eventId({ ...delivery, sequence: sequence ?? 0 })
  const at = clock.now()
  const headers = signedHeaders({ id, timestampSeconds: unixSeconds(at), body }, secrets)
  return { at: at.toISOString(), url, headers, body, secrets }
}

/** The time in `webhook-timestamp`. */
export function unixSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1_000)
}

/** The result of an attempt, with its time and the headers that were signed. */
type SentPost = Sent & Pick<TimedPost, 'at' | 'headers'>

export async function sendPost(sender: Sender, post: TimedPost): Promise<SentPost> {
  const { at, headers } = post
  return { ...(await sender.send(post)), at, headers }
}

/** The outcome of an attempt: a success, a retry after a delay, or the end. A test is attempted once. */
export function outcomeOf(delivery: Claimed, sent: SentPost, delaysMs: number[]): Outcome {
  const { endpointId, id, lease, sequence, attempts } = delivery
  const { at, headers, responseStatus, durationMs, error, response, retryAfterMs, userAgent } = sent
  const succeeded = isSuccess(responseStatus)
  const delayMs = succeeded || sequence === null ? undefined : delayAfter(attempts + 1, { delaysMs, retryAfterMs })
  return {
    endpointId,
    id,
    lease,
    status: succeeded ? 'Succeeded' : delayMs === undefined ? 'Failed' : 'Pending',
    delayMs: delayMs ?? 0,
    attempt: {
      at,
      status: succeeded ? 'Succeeded' : 'Failed',
      responseStatus,
      durationMs,
      error,
      response,
      signature: headers['webhook-signature'] ?? '',
      keyId: headers['webhook-key-id'] ?? '',
      userAgent,
    },
  }
}
