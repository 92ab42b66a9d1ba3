/** The result of a run after which a series has nothing left to do. */
export const ENDED = Symbol('ended')

/**
 * Runs a task every `ms` milliseconds, counted from the end of one run to the start of the next. A run that fails is
 * reported to `failed` and does not end the series; one that returns ENDED does. The returned function ends it and waits
 * for a run in progress.
 */
export function repeat(task: () => Promise<unknown>, ms: number, failed: (error: Error) => void): () => Promise<void> {
  let stopped = false
  let timer: NodeJS.Timeout
  let running: Promise<void> = Promise.resolve()
  const run = () => {
    running = task()
      .catch(failed)
      .then((result) => {
        if (!stopped && result !== ENDED) timer = setTimeout(run, ms)
      })
  }
  timer = setTimeout(run, ms)
  return async () => {
    stopped = true
    clearTimeout(timer)
    await running
  }
}
