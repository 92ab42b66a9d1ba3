import { clock } from '../../base/clock.ts'
import { Recent } from '../../base/recent.ts'
import { MAX_REMEMBERED, networkOf, rateLimited } from './limits.ts'
import { type Bucket, fullBucket, type Rate, secondsUntil, takeToken } from './token-bucket.ts'

/** An office behind one address begins its day together. Few addresses cannot push the sign-ins of others out of the database. */
const RATE: Rate = { perSecond: 1, burst: 60 }

/** Counts the sign-ins that an address begins, which anybody can do; throws the refusal of one past the limit. */
export function openSignInStarts(nowMs: () => number = clock.elapsedMs): (address: string) => void {
  const buckets = new Recent<string, Bucket>(MAX_REMEMBERED)
  return (address) => {
    const network = networkOf(address)
    const now = nowMs()
    const bucket = buckets.get(network) ?? fullBucket(RATE, now)
    buckets.set(network, bucket)
    if (takeToken(bucket, RATE, now)) return
    throw rateLimited(secondsUntil(1, bucket, RATE), 'Too many sign-ins were begun from this address. Wait a moment.')
  }
}
