import type { FastifyReply } from 'fastify'
import { clock } from '../base/clock.ts'
import { Problem } from '../base/problem.ts'
import { Recent } from '../base/recent.ts'
import { retryAfter } from '../base/retry-after.ts'
import { type Bucket, fullBucket, type Rate, secondsUntil, takeToken } from './token-bucket.ts'

/** Requests a second that one key may make. */
export interface Rates {
  reads: number
  writes: number
}

/** The limits of live mode: requests of a key, and failed authentications of an address. */
export interface Limits {
  /** Counts a request of a key and writes the rate limit headers; throws the refusal of a request past the limit. */
  spend(keyId: number, kind: keyof Rates, reply: FastifyReply): void
  /** Counts a failed authentication. */
  failed(address: string): void
  /** The refusal of an address that has failed too often of late, if it has. */
  lockout(address: string): Problem | undefined
  /**
   * Looks an unknown key up for an address. Look-ups in progress count as failures until they end, and those past the
   * limit wait: of hundreds of guesses that arrive together, ten are looked up.
   */
  lookUp<Found>(address: string, find: () => Found | Promise<Found>): Promise<Found>
}

/** The most keys and addresses that are remembered; past it the oldest is forgotten. */
const MAX_REMEMBERED = 10_000
const MAX_FAILURES = 10
const FAILURES_MS = 60_000

/** Each process counts for itself. `nowMs` is a monotonic clock. */
export function openLimits(rates: Rates, nowMs: () => number = clock.elapsedMs): Limits {
  const kinds = { reads: allowance('reads', rates.reads), writes: allowance('writes', rates.writes) }
  const failures = openFailures(nowMs)

  return {
    ...failures,
    spend(keyId, kind, reply) {
      const { rate, policy, buckets } = kinds[kind]
      const now = nowMs()
      let bucket = buckets.get(keyId)
      if (!bucket) {
        bucket = fullBucket(rate, now)
        buckets.set(keyId, bucket)
      }
      const allowed = takeToken(bucket, rate, now)
      const left = `"${kind}";r=${Math.floor(bucket.tokens)};t=${secondsUntil(rate.burst, bucket, rate)}`
      reply.raw.setHeader('ratelimit-policy', policy)
      reply.raw.setHeader('ratelimit', left)
      if (!allowed) throw rateLimited(secondsUntil(1, bucket, rate))
    },
  }
}

/** One kind of request, with the policy as the IETF draft on RateLimit headers writes it: a burst in two seconds. */
function allowance(kind: keyof Rates, perSecond: number) {
  const rate: Rate = { perSecond, burst: 2 * perSecond }
  return { rate, policy: `"${kind}";q=${rate.burst};w=2`, buckets: new Recent<number, Bucket>(MAX_REMEMBERED) }
}

function openFailures(nowMs: () => number): Omit<Limits, 'spend'> {
  const failures = new Recent<string, { count: number; endsMs: number }>(MAX_REMEMBERED)
  /** The look-ups in progress of an address, and the callers that wait for one of them to end. */
  const lookUps = new Map<string, { callers: number; running: number; waiting: (() => void)[] }>()

  function failuresOf(network: string): { count: number; endsMs: number } | undefined {
    const recent = failures.get(network)
    return recent && recent.endsMs > nowMs() ? recent : undefined
  }

  function lockoutOf(network: string): Problem | undefined {
    const recent = failuresOf(network)
    if (!recent || recent.count < MAX_FAILURES) return undefined
    const detail = 'Too many requests from this address had an unknown API key.'
    return rateLimited((recent.endsMs - nowMs()) / 1_000, detail)
  }

  function failed(address: string): void {
    const network = networkOf(address)
    const recent = failuresOf(network)
    if (recent) recent.count++
    else failures.set(network, { count: 1, endsMs: nowMs() + FAILURES_MS })
  }

  return {
    failed,
    lockout: (address) => (failures.size === 0 ? undefined : lockoutOf(networkOf(address))),

    async lookUp(address, find) {
      const network = networkOf(address)
      const here = lookUps.get(network) ?? { callers: 0, running: 0, waiting: [] }
      lookUps.set(network, here)
      here.callers++
      try {
        while (here.running + (failuresOf(network)?.count ?? 0) >= MAX_FAILURES) {
          const refusal = lockoutOf(network)
          if (refusal) throw refusal
          await new Promise<void>((resume) => here.waiting.push(resume))
        }
        here.running++
        try {
          const found = await find()
          if (found === undefined) failed(address)
          return found
        } finally {
          here.running--
          for (const resume of here.waiting.splice(0)) resume()
        }
      } finally {
        if (--here.callers === 0) lookUps.delete(network)
      }
    },
  }
}

function rateLimited(seconds: number, detail?: string): Problem {
  return new Problem('rate_limited', { headers: retryAfter(seconds), ...(detail && { detail }) })
}

/** The key that failures are counted under: an address, of IPv6 the 64 bits that one subscriber chooses from. */
export function networkOf(address: string): string {
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? []
  if (mapped !== undefined || !address.includes(':')) return mapped ?? address
  const [left = '', right] = (address.split('%')[0] ?? '').split('::')
  const [before, after] = [left, right ?? ''].map((part) => (part === '' ? [] : part.split(':'))) as [
    string[],
    string[],
  ]
  const zeros = right === undefined ? [] : Array.from({ length: 8 - before.length - after.length }, () => '0')
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
}
