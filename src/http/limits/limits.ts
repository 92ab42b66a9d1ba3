import type { FastifyReply } from 'fastify'
import { clock } from '../../base/clock.ts'
import { Problem } from '../../base/problem.ts'
import { Recent } from '../../base/recent.ts'
import { retryAfter } from '../../base/retry-after.ts'
import { type Bucket, fullBucket, type Rate, secondsUntil, takeToken } from './token-bucket.ts'

/** Requests a second that one key may make. */
export interface Rates {
  reads: number
  writes: number
}

/** The limits of live mode: requests of a key, and failed authentications of an address. */
export interface Limits {
  /**
   * Counts a request of a key and writes the rate limit headers; throws the refusal of a request past the limit, or rejects
   * with it if the parent process has to be asked.
   */
  spend(keyId: number, kind: keyof Rates, reply: FastifyReply): void | Promise<void>
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
export const MAX_REMEMBERED = 10_000
const MAX_FAILURES = 10
const FAILURES_MS = 60_000

/** The limits of a service of one process. `nowMs` is a monotonic clock. */
export function openLimits(rates: Rates, nowMs: () => number = clock.elapsedMs): Limits {
  const buckets = openBuckets(rates)
  return {
    ...openFailures(nowMs),
    spend(keyId, kind, reply) {
      const now = nowMs()
      const bucket = buckets.of(keyId, kind, now)
      const rate = rateOf(rates, kind)
      const allowed = takeToken(bucket, rate, now)
      writeHeaders(reply, kind, rate, bucket)
      if (!allowed) throw rateLimited(secondsUntil(1, bucket, rate))
    },
  }
}

/** A burst in two seconds. */
export function rateOf(rates: Rates, kind: keyof Rates): Rate {
  return { perSecond: rates[kind], burst: 2 * rates[kind] }
}

/** The buckets of all keys. */
export function openBuckets(rates: Rates): { of(keyId: number, kind: keyof Rates, nowMs: number): Bucket } {
  const kinds = {
    reads: new Recent<number, Bucket>(MAX_REMEMBERED),
    writes: new Recent<number, Bucket>(MAX_REMEMBERED),
  }
  return {
    of(keyId, kind, nowMs) {
      const known = kinds[kind].get(keyId)
      if (known) return known
      const bucket = fullBucket(rateOf(rates, kind), nowMs)
      kinds[kind].set(keyId, bucket)
      return bucket
    },
  }
}

/** Writes the headers of the IETF draft on rate limits. */
export function writeHeaders(reply: FastifyReply, kind: keyof Rates, rate: Rate, bucket: Bucket): void {
  reply.raw.setHeader('ratelimit-policy', `"${kind}";q=${rate.burst};w=2`)
  reply.raw.setHeader(
    'ratelimit',
    `"${kind}";r=${Math.floor(bucket.tokens)};t=${secondsUntil(rate.burst, bucket, rate)}`,
  )
}

/** Counts failed authentications. `locked` gets an address that has failed too often, and for how long it is refused. */
export function openFailures(
  nowMs: () => number,
  locked: (network: string, ms: number) => void = () => undefined,
): Omit<Limits, 'spend'> {
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
    return lockedOut(recent.endsMs - nowMs())
  }

  function failed(address: string): void {
    const network = networkOf(address)
    const recent = failuresOf(network)
    if (!recent) failures.set(network, { count: 1, endsMs: nowMs() + FAILURES_MS })
    else if (++recent.count === MAX_FAILURES) locked(network, recent.endsMs - nowMs())
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

export function lockedOut(ms: number): Problem {
  return rateLimited(ms / 1_000, 'Too many requests from this address had an unknown API key.')
}

export function rateLimited(seconds: number, detail?: string): Problem {
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
