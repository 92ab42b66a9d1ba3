import type { PrimaryPlace } from './standby.sql.ts'

/** Ten minutes of looks. The age of a standby that is further behind is unknown. */
const MAX_SAMPLES = 2_400

/**
 * Measures how old the state of a standby is, by the clock of this process alone: the primary is asked for its position in the log
 * at known moments, and a standby that has replayed the log up to there has everything that could be seen at that moment.
 */
export interface Lag {
  /**
   * Takes the position of the primary, for which it was asked at this moment or later. In another history it forgets those
   * before, which do not compare.
   */
  sampled(place: Pick<PrimaryPlace, 'history' | 'written'>, atMs: number): void
  /** The latest moment whose state a standby has; undefined if it is unknown. */
  asOfMs(replayed: number | null): number | undefined
}

export function openLag(): Lag {
  let samples: { position: number; atMs: number }[] = []
  let latest: string | null = null
  return {
    sampled({ history, written }, atMs) {
      if (history !== latest) samples = []
      latest = history
      samples.push({ position: written, atMs })
      if (samples.length > MAX_SAMPLES) samples.shift()
    },

    asOfMs(replayed) {
      const reached = replayed === null ? -1 : samples.findLastIndex(({ position }) => position <= replayed)
      // The positions before it say no more than it does.
      if (reached > 0) samples = samples.slice(reached)
      return reached < 0 ? undefined : samples[0]?.atMs
    },
  }
}
