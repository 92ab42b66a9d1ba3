/** Ten minutes of looks. The age of a standby that is further behind is unknown. */
const MAX_SAMPLES = 2_400

/**
 * Measures how old the state of a standby is, by the clock of this process alone: the primary is asked for its position in the log
 * at known moments, and a standby that has replayed the log up to there has everything that could be seen at that moment.
 */
export interface Lag {
  /** Takes the position of the primary, for which it was asked at this moment or later. */
  sampled(position: number, atMs: number): void
  /** The latest moment whose state a standby has; undefined where it is unknown. */
  asOfMs(replayed: number | null): number | undefined
  /** Forgets all positions: those of another history do not compare. */
  clear(): void
}

export function openLag(): Lag {
  let samples: { position: number; atMs: number }[] = []
  return {
    sampled(position, atMs) {
      samples.push({ position, atMs })
      if (samples.length > MAX_SAMPLES) samples.shift()
    },

    asOfMs(replayed) {
      const reached = replayed === null ? -1 : samples.findLastIndex(({ position }) => position <= replayed)
      // The positions before it say no more than it does.
      if (reached > 0) samples = samples.slice(reached)
      return reached < 0 ? undefined : samples[0]?.atMs
    },

    clear() {
      samples = []
    },
  }
}
