/**
 * Runs heavy pieces of work one in each turn of the event loop, in order, so that other requests are served between
 * them. Twenty uploads that arrive together would otherwise keep the process busy for seconds.
 */
export interface Turns {
  run(work: () => void): void
  /** Resolves when the caller's turn has come. */
  next(): Promise<void>
}

export function openTurns(): Turns {
  const waiting: (() => void)[] = []
  let scheduled = false

  function schedule(): void {
    if (scheduled || waiting.length === 0) return
    scheduled = true
    setImmediate(() => {
      scheduled = false
      const work = waiting.shift()
      // First, so that work that throws does not hold up the rest.
      schedule()
      work?.()
    })
  }

  function run(work: () => void): void {
    waiting.push(work)
    schedule()
  }

  return { run, next: () => new Promise((resolve) => run(resolve)) }
}
