/** The measured values by name, one for each round. */
export interface Figures {
  add(name: string, value: number): void
  last(name: string): number | undefined
  median(name: string): number | undefined
  /** One name over another, taken round by round, so that a machine that slows down slows both. */
  ratio(name: string, over: string): Ratio | undefined
}

export interface Ratio {
  median: number
  least: number
  most: number
}

export function openFigures(): Figures {
  const values = new Map<string, number[]>()
  const of = (name: string) => values.get(name) ?? []
  return {
    add: (name, value) => void values.set(name, [...of(name), value]),
    last: (name) => of(name).at(-1),
    median: (name) => medianOf(of(name)),
    ratio(name, over) {
      const ratios = of(name).map((value, round) => value / (of(over)[round] ?? Number.NaN))
      const median = medianOf(ratios)
      return median === undefined ? undefined : { median, least: Math.min(...ratios), most: Math.max(...ratios) }
    },
  }
}

export function meanOf(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

export function medianOf(values: number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const [low, high] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]]
  return low === undefined || high === undefined ? undefined : (low + high) / 2
}
