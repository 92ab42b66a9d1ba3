/** At most this many steps are marked. */
const MAX_STEPS = 5

/** Round marks of a scale that reach from the lowest to the highest value. */
export function ticksOf(low: number, high: number): number[] {
  const rough = Math.max(100, high - low) / MAX_STEPS
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? rough
  const first = Math.floor(low / step)
  const last = Math.max(first + 1, Math.ceil(high / step))
  return Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step)
}
