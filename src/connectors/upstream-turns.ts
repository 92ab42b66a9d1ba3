import { clock } from '../base/clock.ts'

/** The order in which requests are sent. */
export interface Turns {
  /** How long to wait for a turn, if at all. One that would not come in time is left to the next request. */
  next(maxMs: number): { inTime: boolean; waitMs: number }
  /** Lets no request be sent for a while. */
  pause(ms: number): void
  /** How long the pause still lasts. */
  pausedMs(): number
}

/** Limits the requests of a minute, of which a tenth may be sent at once; 0 for no limit. After a pause none are sent at once. */
export function turnsOf(perMinute: number): Turns {
  const spacingMs = perMinute === 0 ? 0 : 60_000 / perMinute
  const burstMs = Math.max(0, 6_000 - spacingMs)
  let nextMs = Number.NEGATIVE_INFINITY
  let pausedUntilMs = Number.NEGATIVE_INFINITY
  const pausedMs = () => Math.max(0, pausedUntilMs - clock.elapsedMs())
  return {
    next(maxMs) {
      const nowMs = clock.elapsedMs()
      const turnMs = perMinute === 0 ? pausedUntilMs : Math.max(nextMs, nowMs - burstMs, pausedUntilMs)
      const waitMs = Math.max(0, turnMs - nowMs)
      const inTime = waitMs === 0 || waitMs <= maxMs
      if (inTime) nextMs = turnMs + spacingMs
      return { inTime, waitMs }
    },
    pause(ms) {
      pausedUntilMs = Math.max(pausedUntilMs, clock.elapsedMs() + ms)
    },
    pausedMs,
  }
}
