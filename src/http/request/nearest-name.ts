import { shortName } from './faults.ts'

/** The message for a name that an operation does not take. A typo in a money filter must not return everything. */
export function unknownMessage(name: string, names: string[]): string {
  const shown = shortName(name)
  const nearest = nearestName(name, names)
  if (nearest !== undefined) return `${shown} is not known; did you mean ${nearest}?`
  return names.length > 0
    ? `${shown} is not known; known names: ${names.join(', ')}`
    : `${shown} is not known; nothing is accepted here`
}

/** The name that differs by the fewest characters, at most one in three of the shorter of both. */
export function nearestName(name: string, names: string[]): string | undefined {
  let nearest: { name: string; distance: number } | undefined
  for (const candidate of names) {
    const max = Math.max(1, Math.floor(Math.min(name.length, candidate.length) / 3))
    // The difference of lengths is the least distance there can be. It also bounds the work for a very long name.
    if (Math.abs(name.length - candidate.length) > max) continue
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase())
    if (distance <= max && distance < (nearest?.distance ?? Number.POSITIVE_INFINITY)) {
      nearest = { name: candidate, distance }
    }
  }
  return nearest?.name
}

/** Levenshtein distance: the fewest characters to change, add or drop. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const change = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[to.length] ?? 0
}
