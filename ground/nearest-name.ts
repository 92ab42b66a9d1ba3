/** The name that was probably meant: it differs by the fewest letters, at most one in three of the shorter of both. */
export function nearestName(name: string, names: Iterable<string>): string | undefined {
  let nearest: { name: string; distance: number } | undefined
  for (const candidate of names) {
    const max = Math.max(1, Math.floor(Math.min(name.length, candidate.length) / 3))
    // The difference of lengths is the least distance there can be. It also bounds the work for a very long name.
    if (Math.abs(name.length - candidate.length) > max) continue
    const distance = distanceBetween(name.toLowerCase(), candidate.toLowerCase())
    if (distance <= max && distance < (nearest?.distance ?? Number.POSITIVE_INFINITY)) {
      nearest = { name: candidate, distance }
    }
  }
  return nearest?.name
}

/** The number of letters to insert, delete, replace or swap. */
function distanceBetween(from: string, to: string): number {
  let earlier: number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      const isSwapped = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      const swapped = isSwapped ? (earlier[j - 2] ?? 0) + 1 : replaced
      next.push(Math.min(replaced, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    earlier = row
    row = next
  }
  return row[to.length] ?? 0
}

/** ` (did you mean x?)`, or nothing. */
export function suggestion(name: string, names: Iterable<string>): string {
  const meant = nearestName(name, names)
  return meant ? ` (did you mean ${meant}?)` : ''
}
