/** The word that was probably meant; undefined where none is near. */
function nearest(word: string, words: Iterable<string>): string | undefined {
  const limit = Math.max(1, Math.floor(word.length * 0.4))
  let best: { word: string; distance: number } | undefined
  for (const each of words) {
    const distance = distanceOf(word.toLowerCase(), each.toLowerCase())
    if (distance <= limit && distance < (best?.distance ?? Number.POSITIVE_INFINITY)) best = { word: each, distance }
  }
  return best?.word
}

/** The number of letters to insert, delete, replace or swap. */
function distanceOf(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 20) return Number.POSITIVE_INFINITY
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(rows, i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(rows, i - 2, j - 2) + 1 : replaced
      row.push(Math.min(at(rows, i - 1, j) + 1, (row[j - 1] ?? 0) + 1, replaced, swapped))
    }
    rows.push(row)
  }
  return at(rows, a.length, b.length)
}

function at(rows: number[][], row: number, column: number): number {
  return rows[row]?.[column] ?? Number.POSITIVE_INFINITY
}

/** ` (did you mean x?)`, or nothing. */
export function suggestion(word: string, words: Iterable<string>): string {
  const meant = nearest(word, words)
  return meant ? ` (did you mean ${meant}?)` : ''
}
