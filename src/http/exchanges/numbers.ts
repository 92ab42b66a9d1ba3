/** The numbers of the exchanges of one of several processes. */
export interface SharedNumbers {
  next(): number
  /** A number that is as high as all that processes have given until now. */
  now(): number
  /** From now on this process gives higher numbers only. */
  passed(number: number): void
}

/**
 * Numbers that no other process gives, in the order of time. Each process gives its own residue. Before a process reads
 * the exchanges of all up to a number, it makes the others pass that number: none appears below it later, and a caller that
 * goes on after it misses nothing.
 */
export function openSharedNumbers(nowMs: () => number, process: number, processes: number): SharedNumbers {
  let last = 0

  function at(least: number): number {
    return least + ((((process - least) % processes) + processes) % processes)
  }

  return {
    next() {
      last = at(Math.max(last + 1, nowMs() * 1_000))
      return last
    },
    now: () => Math.max(last, (nowMs() + 1) * 1_000),
    passed(number) {
      last = Math.max(last, number)
    },
  }
}
