/**
 * Picks numbers below `count`: number k as often as 1 / (k + 1) ** exponent says, or all of them equally often without an exponent.
 * With 2.0, three fifths of the picks are 0.
 */
export function openPicker(count: number, exponent?: number): () => number {
  if (exponent === undefined) return () => Math.floor(Math.random() * count)
  const sums = new Float64Array(count)
  let total = 0
  for (let number = 0; number < count; number++) sums[number] = total += (number + 1) ** -exponent
  return () => {
    const wanted = Math.random() * total
    let [low, high] = [0, count - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sums[middle] as number) < wanted) low = middle + 1
      else high = middle
    }
    return low
  }
}
