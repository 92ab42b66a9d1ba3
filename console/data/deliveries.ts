import type { Delivery } from '../../client/src/index.ts'
import { bankTime } from './bank-time.ts'
import { useCall } from './purser.tsx'

/** The outcome of an attempt is known after this time. */
const ATTEMPT_MS = 2_000
/** An attempt that is overdue longer waits for something else. */
const OVERDUE_MS = 60_000
const DAY_MS = 86_400_000

type Waiting = Pick<Delivery, 'nextAttemptAt'>

/** The milliseconds until the outcome of the next attempt is known; false if none is due within a day. */
export function untilOutcome(deliveries: readonly Waiting[], nowMs: number): number | false {
  const waits = deliveries
    .flatMap(({ nextAttemptAt }) => (nextAttemptAt === null ? [] : [Date.parse(nextAttemptAt) - nowMs]))
    .filter((wait) => wait > -OVERDUE_MS && wait < DAY_MS)
  return waits.length > 0 && Math.max(0, Math.min(...waits)) + ATTEMPT_MS
}

/** When deliveries on screen are read again. No event says how an attempt ended, but its time is known. */
export function useNextOutcome(): (deliveries: readonly Waiting[]) => number | false {
  const { data: clock, dataUpdatedAt } = useCall('getClock', {})
  return (deliveries) => {
    const now = bankTime(clock, Date.now() - dataUpdatedAt)
    return !clock?.frozen && untilOutcome(deliveries, now ? Date.parse(now) : Date.now())
  }
}
