import { Problem } from './problem.ts'
import { retryAfter } from './retry-after.ts'

/** Runs a task of an organisation as soon as the limit allows it. A task counts as one, unless a weight is given. */
export type ConcurrencyLimit = <T>(organisationId: number, task: () => Promise<T>, weight?: number) => Promise<T>

export interface ConcurrencyLimitOptions {
  /** Tasks that run at a time, of all organisations together; or the sum of their weights. */
  total: number
  /** Tasks of one organisation that run at a time, so that one cannot occupy the whole limit. No task weighs more. */
  perOrganisation: number
  /** How long a task may wait for its turn before it is refused with 503; without it a task waits as long as it takes. */
  waitMs?: number
}

interface Waiting {
  organisationId: number
  weight: number
  start(): void
}

/**
 * Limits how many tasks run at a time. The others wait; the one that came first starts first, unless its organisation
 * has reached its own limit. A heavy task is not overtaken by light ones of its organisation, which could go on for ever.
 */
export function concurrencyLimit({ total, perOrganisation, waitMs }: ConcurrencyLimitOptions): ConcurrencyLimit {
  const queue: Waiting[] = []
  const runningOf = new Map<number, number>()
  let running = 0

  function startWaiting(): void {
    const full = new Set<number>()
    for (let index = 0; index < queue.length; ) {
      const next = queue[index] as Waiting
      const { organisationId, weight } = next
      if (full.has(organisationId) || (runningOf.get(organisationId) ?? 0) + weight > perOrganisation) {
        full.add(organisationId)
        index++
      } else if (running + weight > total) return
      else {
        queue.splice(index, 1)
        change(organisationId, weight)
        next.start()
      }
    }
  }

  function change(organisationId: number, weight: number): void {
    running += weight
    const left = (runningOf.get(organisationId) ?? 0) + weight
    if (left > 0) runningOf.set(organisationId, left)
    else runningOf.delete(organisationId)
  }

  async function run<T>(organisationId: number, task: () => Promise<T>, weight: number): Promise<T> {
    try {
      return await task()
    } finally {
      change(organisationId, -weight)
      startWaiting()
    }
  }

  return (organisationId, task, weight = 1) =>
    new Promise((resolve, reject) => {
      const timer = waitMs === undefined ? undefined : setTimeout(giveUp, waitMs)
      const waiting: Waiting = {
        organisationId,
        weight,
        start: () => {
          clearTimeout(timer)
          resolve(run(organisationId, task, weight))
        },
      }
      queue.push(waiting)
      startWaiting()

      function giveUp(): void {
        queue.splice(queue.indexOf(waiting), 1)
        reject(new Problem('unavailable', { headers: retryAfter(1), reason: 'others of its kind took too long' }))
        // A task after it may have waited only for this one.
        startWaiting()
      }
    })
}
