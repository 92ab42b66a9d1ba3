import { clock } from '../base/clock.ts'
import type { Problem } from '../base/problem.ts'
import { Recent } from '../base/recent.ts'
import { MAX_REMEMBERED, openBuckets, openFailures, type Rates, rateOf } from '../http/limits/limits.ts'
import type { Granted, Lockout, Permission, Wanted } from '../http/limits/shared-limits.ts'
import { fillBucket } from '../http/limits/token-bucket.ts'
import type { Parent } from './parent.ts'

/** The look-ups of unknown keys that processes have begun. */
interface LookUp {
  from: number
  end(found: true | undefined): void
}

/** Counts requests and failed authentications of all processes together, in the parent process. */
export function countTogether(parent: Parent, rates: Rates, nowMs: () => number = clock.elapsedMs): void {
  const buckets = openBuckets(rates)
  parent.answer('limits.take', ({ keyId, kind, tokens }: Wanted): Granted => {
    const bucket = buckets.of(keyId, kind, nowMs())
    fillBucket(bucket, rateOf(rates, kind), nowMs())
    const granted = Math.min(tokens, Math.floor(bucket.tokens))
    bucket.tokens -= granted
    return { tokens: granted, left: bucket.tokens }
  })
  parent.answer('limits.give', ({ keyId, kind, tokens }: Wanted) => {
    const rate = rateOf(rates, kind)
    const bucket = buckets.of(keyId, kind, nowMs())
    fillBucket(bucket, rate, nowMs())
    bucket.tokens = Math.min(rate.burst, bucket.tokens + tokens)
  })
  countFailures(parent, nowMs)
}

function countFailures(parent: Parent, nowMs: () => number): void {
  /** The addresses that are refused, and until when. */
  const locked = new Recent<string, number>(MAX_REMEMBERED)
  const failures = openFailures(nowMs, (network, ms) => {
    locked.set(network, nowMs() + ms)
    parent.tellAll('limits.locked', { network, ms } satisfies Lockout)
  })
  const lookUps = new Map<number, LookUp>()
  let last = 0

  function begin(address: string, from: number): Promise<Permission> {
    return new Promise((resolve) => {
      const running = () =>
        new Promise<true | undefined>((end) => {
          const id = ++last
          lookUps.set(id, { from, end })
          resolve({ id })
        })
      failures
        .lookUp(address, running)
        .catch(({ headers }: Problem) => resolve({ lockedMs: Number(headers?.['Retry-After']) * 1_000 }))
    })
  }

  function end(id: number, found: true | undefined): void {
    lookUps.get(id)?.end(found)
    lookUps.delete(id)
  }

  parent.answer('limits.lockouts', (): Lockout[] => {
    const all = [...locked].map(([network, untilMs]) => ({ network, ms: untilMs - nowMs() }))
    return all.filter(({ ms }) => ms > 0)
  })
  parent.answer('limits.failed', failures.failed)
  parent.answer('limits.lookUp', begin)
  parent.answer('limits.lookedUp', ({ id, unknown }: { id: number; unknown: boolean }) =>
    end(id, unknown ? undefined : true),
  )
  // A process that has ended counts nothing any more.
  parent.onEnd((number) => {
    for (const [id, { from }] of lookUps) if (from === number) end(id, true)
  })
}
