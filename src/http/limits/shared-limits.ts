import { clock } from '../../base/clock.ts'
import type { Peers } from '../../base/peers/peers.ts'
import { Recent } from '../../base/recent.ts'
import {
  type Limits,
  lockedOut,
  MAX_REMEMBERED,
  networkOf,
  type Rates,
  rateLimited,
  rateOf,
  writeHeaders,
} from './limits.ts'
import { fillBucket, type Rate, secondsUntil } from './token-bucket.ts'

/** A key asks the parent process for requests. */
export interface Wanted {
  keyId: number
  kind: keyof Rates
  tokens: number
}

/** The answer: the requests it may make, and those that the key has left. */
export interface Granted {
  tokens: number
  left: number
}

/** The permission to look an unknown key up, by its number; or for how long the address is refused. */
export type Permission = { id: number } | { lockedMs: number }

/** An address that is refused, and for how long. */
export interface Lockout {
  network: string
  ms: number
}

/** Requests of a key that were granted and not made are given back after this time. */
const GIVE_BACK_MS = 250

interface Holding {
  keyId: number
  kind: keyof Rates
  rate: Rate
  /** Requests that this process may let through without asking. */
  tokens: number
  /** The requests left at the parent process, as of the last answer. */
  shared: { tokens: number; atMs: number }
  usedMs: number
  /** Requests that wait for the answer of the parent process. */
  waiting: number
  asking: Promise<void> | undefined
}

/**
 * The limits of one of several processes. The parent process counts for all of them. It hands out requests in portions, so
 * that a request rarely has to ask; unknown keys are looked up one permission each.
 */
export function openSharedLimits(rates: Rates, peers: Peers, nowMs: () => number = clock.elapsedMs): Limits {
  const kinds = {
    reads: new Recent<number, Holding>(MAX_REMEMBERED),
    writes: new Recent<number, Holding>(MAX_REMEMBERED),
  }
  const holding = new Set<Holding>()
  const giveBack = setInterval(() => returnUnused(holding, peers, nowMs()), GIVE_BACK_MS)
  giveBack.unref()

  function holdingOf(keyId: number, kind: keyof Rates): Holding {
    const known = kinds[kind].get(keyId)
    if (known) return known
    const rate = rateOf(rates, kind)
    const shared = { tokens: rate.burst, atMs: nowMs() }
    const made = { keyId, kind, rate, tokens: 0, shared, usedMs: 0, waiting: 0, asking: undefined }
    kinds[kind].set(keyId, made)
    return made
  }

  async function ask(one: Holding): Promise<void> {
    const { keyId, kind, rate, waiting } = one
    const wanted: Wanted = { keyId, kind, tokens: Math.max(waiting, portionOf(rate, peers.count)) }
    const { tokens, left } = await peers.askParent<Granted>('limits.take', wanted)
    one.tokens += tokens
    one.shared = { tokens: left, atMs: nowMs() }
    if (one.tokens > 0) holding.add(one)
  }

  /** Asks once for all requests of the key that wait. */
  async function askTogether(one: Holding): Promise<void> {
    one.waiting++
    try {
      one.asking ??= ask(one).finally(() => {
        one.asking = undefined
      })
      await one.asking
    } finally {
      one.waiting--
    }
  }

  const spend: Limits['spend'] = (keyId, kind, reply) => {
    const one = holdingOf(keyId, kind)
    const { rate } = one
    const now = nowMs()
    const allowed = one.tokens >= 1
    if (allowed) {
      one.tokens--
      one.usedMs = now
    }
    fillBucket(one.shared, rate, now)
    const bucket = { tokens: one.tokens + one.shared.tokens, atMs: now }
    // As long as the parent process has none either, there is no use in asking it.
    if (!allowed && one.shared.tokens >= 1) return askTogether(one).then(() => spend(keyId, kind, reply))
    writeHeaders(reply, kind, rate, bucket)
    if (!allowed) throw rateLimited(secondsUntil(1, bucket, rate))
  }

  return { ...sharedFailures(peers, nowMs), spend }
}

/** An eighth of a burst for all processes together, so that few requests are refused because another process holds them. */
function portionOf({ burst }: Rate, processes: number): number {
  return Math.max(1, Math.floor(burst / (8 * processes)))
}

function returnUnused(holding: Set<Holding>, peers: Peers, nowMs: number): void {
  for (const one of holding) {
    const { keyId, kind, tokens, usedMs } = one
    if (tokens > 0 && nowMs - usedMs < GIVE_BACK_MS) continue
    holding.delete(one)
    one.tokens = 0
    if (tokens > 0) peers.tellParent('limits.give', { keyId, kind, tokens } satisfies Wanted)
  }
}

function sharedFailures(peers: Peers, nowMs: () => number): Omit<Limits, 'spend'> {
  /** The addresses that the parent process refuses, and until when. */
  const locked = new Recent<string, number>(MAX_REMEMBERED)
  const lock = ({ network, ms }: Lockout) => void locked.set(network, nowMs() + ms)
  peers.answer('limits.locked', lock)
  // Those from before this process began.
  peers.askParent<Lockout[]>('limits.lockouts', null).then(
    (earlier) => earlier.forEach(lock),
    // The parent process is gone, and this one ends.
    () => undefined,
  )
  return {
    failed: (address) => peers.tellParent('limits.failed', address),

    lockout(address) {
      if (locked.size === 0) return undefined
      const leftMs = (locked.get(networkOf(address)) ?? 0) - nowMs()
      return leftMs > 0 ? lockedOut(leftMs) : undefined
    },

    async lookUp(address, find) {
      const permission = await peers.askParent<Permission>('limits.lookUp', address)
      if ('lockedMs' in permission) throw lockedOut(permission.lockedMs)
      // A look-up that fails, for example because the database is away, is no guess.
      let counts = false
      try {
        const found = await find()
        counts = found === undefined
        return found
      } finally {
        peers.tellParent('limits.lookedUp', { id: permission.id, unknown: counts })
      }
    },
  }
}
