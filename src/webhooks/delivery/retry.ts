const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** The delay after each failed attempt; there is no attempt after the last delay. */
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

/**
 * The delay after so many attempts; undefined if there is no further one. It is a tenth more or less by chance, so that
 * deliveries that failed together are not repeated together.
 */
export function delayAfter(
  attempts: number,
  { delaysMs, retryAfterMs, random = Math.random }: { delaysMs: number[]; retryAfterMs: number; random?: () => number },
): number | undefined {
  const delayMs = delaysMs[attempts - 1]
  return delayMs === undefined ? undefined : Math.max(delayMs * (1 - SPREAD + 2 * SPREAD * random()), retryAfterMs)
}
