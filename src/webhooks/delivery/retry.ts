const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** How long to wait after each attempt that failed; after the last one there is none. */
export const retryDelaysMs = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
]

const SPREAD = 0.1

/** How long to wait after so many attempts, or undefined when they were enough. Not all who failed at once come back at once. */
export function delayAfter(
  attempts: number,
  { delaysMs, retryAfterMs, random = Math.random }: { delaysMs: number[]; retryAfterMs: number; random?: () => number },
): number | undefined {
  const delayMs = delaysMs[attempts - 1]
  return delayMs === undefined ? undefined : Math.max(delayMs * (1 - SPREAD + 2 * SPREAD * random()), retryAfterMs)
}
