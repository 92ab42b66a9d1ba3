import { clock } from '../../base/clock.ts'
import { envelope, eventId } from '../../events/event.ts'
import type { Seal } from '../../secrets/seal.ts'
import { secretColumn } from '../endpoints/endpoint-view.ts'
import type { Claimed } from './claim.sql.ts'
import type { Outcome } from './outcomes.sql.ts'
import { delayAfter } from './retry.ts'
import { isSuccess, type Post, type Sent } from './send.ts'
import { signedHeaders } from './signature.ts'

/** The request of a delivery: the event as the feed shows it, signed now. */
export function postOf(delivery: Claimed, seal: Seal): Post {
  const { endpointId, organisationId, url, sealedSecret, sealedPreviousSecret, sequence, testId } = delivery
  const secrets = [seal.unseal(sealedSecret, secretColumn(endpointId, 'sealed_secret')).toString()]
  if (sealedPreviousSecret) {
    secrets.push(seal.unseal(sealedPreviousSecret, secretColumn(endpointId, 'sealed_previous_secret')).toString())
  }
  const body = delivery.body ?? envelope({ ...delivery, sequence: sequence ?? 0 })
  const id = testId ?? eventId(organisationId, sequence ?? 0)
  const timestampSeconds = Math.floor(clock.nowMs() / 1_000)
  return { url, headers: signedHeaders({ id, timestampSeconds, body }, secrets), body, secrets }
}

/** The outcome of an attempt: a success, a retry after a delay, or the end. A test is attempted once. */
export function outcomeOf(delivery: Claimed, sent: Sent, delaysMs: number[]): Outcome {
  const { endpointId, id, lease, sequence, attempts } = delivery
  const { at, responseStatus, durationMs, error, response, retryAfterMs } = sent
  const succeeded = isSuccess(responseStatus)
  const delayMs = succeeded || sequence === null ? undefined : delayAfter(attempts + 1, { delaysMs, retryAfterMs })
  return {
    endpointId,
    id,
    lease,
    status: succeeded ? 'Succeeded' : delayMs === undefined ? 'Failed' : 'Pending',
    delayMs: delayMs ?? 0,
    attempt: { at, status: succeeded ? 'Succeeded' : 'Failed', responseStatus, durationMs, error, response },
  }
}
