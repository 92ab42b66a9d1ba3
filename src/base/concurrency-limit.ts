import { Problem } from './problem.ts'
import { retryAfter } from './retry-after.ts'

/** Runs a task of an organisation as soon as the limit allows it. */
export type ConcurrencyLimit = <T>(organisationId: number, task: () => Promise<T>) => Promise<T>

export interface ConcurrencyLimitOptions {
  /** Tasks that run at a time, of all organisations together. */
  total: number
  /** Tasks of one organisation that run at a time, so that one cannot occupy the whole limit. */
  perOrganisation: number
  /** How long a task may wait for its turn before it is refused with 503; without it a task waits as long as it takes. */
  waitMs?: number
}

interface Waiting {
  organisationId: number
  start(): void
}

/** Limits how many tasks run at a time. The others wait; the one that came first starts first. */
export function concurrencyLimit({ total, perOrganisation, waitMs }: ConcurrencyLimitOptions): ConcurrencyLimit {
  const queue: Waiting[] = []
  const runningOf = new Map<number, number>()
  let running = 0

  function mayStart(organisationId: number): boolean {
    return running < total && (runningOf.get(organisationId) ?? 0) < perOrganisation
  }

  function acquire(organisationId: number): void {
    running++
    runningOf.set(organisationId, (runningOf.get(organisationId) ?? 0) + 1)
  }

  function release(organisationId: number): void {
    running--
    const left = (runningOf.get(organisationId) ?? 0) - 1
    if (left > 0) runningOf.set(organisationId, left)
    else runningOf.delete(organisationId)
    for (let index = 0; index < queue.length && running < total; ) {
      const next = queue[index]
      if (next && mayStart(next.organisationId)) {
        queue.splice(index, 1)
        acquire(next.organisationId)
        next.start()
      } else index++
    }
  }

  function turn(organisationId: number): Promise<void> {
    return new Promise((resolve, reject) => {
      const waiting = {
        organisationId,
        start: () => {
          clearTimeout(timer)
          resolve()
        },
      }
      const timer = waitMs === undefined ? undefined : setTimeout(giveUp, waitMs)
      queue.push(waiting)

      function giveUp(): void {
        queue.splice(queue.indexOf(waiting), 1)
        reject(new Problem('unavailable', { headers: retryAfter(1) }))
      }
    })
  }

  return async (organisationId, task) => {
    if (mayStart(organisationId)) acquire(organisationId)
    else await turn(organisationId)
    try {
      return await task()
    } finally {
      release(organisationId)
    }
  }
}
