import type { FastifyReply } from 'fastify'
import { clock } from '../base/clock.ts'
import { Problem } from '../base/problem.ts'
import { type Bucket, fullBucket, type Rate, secondsUntil, takeToken } from './token-bucket.ts'

/** Requests a second that one key may make. */
export interface Rates {
  reads: number
  writes: number
}

/** What a service in the open allows: requests of a key, and failed authentications of an address. */
export interface Limits {
  /** Counts a request of a key, and says in the headers what is left; refuses what is beyond. */
  spend(keyId: number, kind: keyof Rates, reply: FastifyReply): void
  /** Counts a failed authentication. */
  failed(address: string): void
  /** The refusal of an address that has failed too often of late, if it has. */
  refusalOf(address: string): Problem | undefined
}

/** The most keys and addresses that are remembered; beyond them the oldest is forgotten. */
const MOST = 10_000
const MAX_FAILURES = 10
const FAILURES_MS = 60_000

/** Each process counts for itself. `nowMs` is a monotonic clock. */
export function openLimits(rates: Rates, nowMs: () => number = clock.elapsedMs): Limits {
  const failures = new Map<string, { count: number; endsMs: number }>()
  const kinds = { reads: allowance('reads', rates.reads), writes: allowance('writes', rates.writes) }

  return {
    spend(keyId, kind, reply) {
      const { rate, policy, buckets } = kinds[kind]
      const now = nowMs()
      let bucket = buckets.get(keyId)
      if (!bucket) {
        bucket = fullBucket(rate, now)
        remember(buckets, keyId, bucket)
      }
      const given = takeToken(bucket, rate, now)
      reply.raw.setHeader('ratelimit-policy', policy)
      reply.raw.setHeader(
        'ratelimit',
        `"${kind}";r=${Math.floor(bucket.tokens)};t=${secondsUntil(rate.burst, bucket, rate)}`,
      )
      if (!given) throw rateLimited(secondsUntil(1, bucket, rate))
    },

    failed(address) {
      const network = networkOf(address)
      const known = failures.get(network)
      if (known && known.endsMs > nowMs()) known.count++
      else {
        failures.delete(network)
        remember(failures, network, { count: 1, endsMs: nowMs() + FAILURES_MS })
      }
    },

    refusalOf(address) {
      if (failures.size === 0) return undefined
      const known = failures.get(networkOf(address))
      if (!known || known.count < MAX_FAILURES) return undefined
      const leftMs = known.endsMs - nowMs()
      if (leftMs <= 0) return undefined
      return rateLimited(Math.ceil(leftMs / 1_000), 'Too many requests from this address had no valid API key.')
    },
  }
}

/** The draft of the IETF on rate limits: a burst is a quota over the seconds in which it fills up again. */
function allowance(kind: keyof Rates, perSecond: number) {
  const rate: Rate = { perSecond, burst: 2 * perSecond }
  return { rate, policy: `"${kind}";q=${rate.burst};w=2`, buckets: new Map<number, Bucket>() }
}

function rateLimited(seconds: number, detail?: string): Problem {
  return new Problem('rate_limited', { headers: { 'Retry-After': String(seconds) }, ...(detail && { detail }) })
}

function remember<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  if (map.size >= MOST) for (const oldest of map.keys()) if (map.delete(oldest)) break
  map.set(key, value)
}

/** What stands for one caller: an address, of IPv6 the 64 bits that one subscriber has to choose from. */
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
