/** The start of this run's random choices. `SEED=…` repeats those of another run. */
export const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)

/** A whole number from 0 and below an end. */
export type Below = (end: number) => number

/** The same choices for the same seed. */
export function random(start: number): Below {
  let state = start
  return (end) => {
    // mulberry32
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) % end
  }
}
