const WINDOW_MS = 60_000

export interface RateLimit {
  /** When the next request may go, if that is by `latestMs`; undefined, and nothing taken, where it is not. */
  reserve(nowMs: number, latestMs: number): number | undefined
}

/** At most so many requests in any minute, the first come first; 0 is no limit. */
export function openRateLimit(perMinute: number): RateLimit {
  // The last `perMinute` times that were given out, in a ring: a new one comes a minute after the oldest.
  const given: number[] = []
  let oldest = 0
  return {
    reserve(nowMs, latestMs) {
      if (perMinute === 0) return nowMs
      const full = given.length === perMinute
      const atMs = full ? Math.max(nowMs, (given[oldest] ?? 0) + WINDOW_MS) : nowMs
      if (atMs > latestMs) return undefined
      given[full ? oldest : given.length] = atMs
      if (full) oldest = (oldest + 1) % perMinute
      return atMs
    },
  }
}
