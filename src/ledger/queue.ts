import type { Answer } from '../base/operation.ts'
import type { Command } from './books.ts'

/** A command and its caller. */
export interface Job {
  command: Command<never>
  resolve(answer: Answer): void
  reject(error: unknown): void
  /** When the caller asked. */
  sinceMs: number
  /** How often the command was supplied with locks or ids that its decision lacked. */
  supplies: number
}

/** The commands that wait for a batch, and the number of all that wait. */
export interface Queue {
  /** Adds a command, unless too many wait. */
  add(job: Job): boolean
  length(): number
  /** The number of all that wait, those outside of the queue included. */
  total(): number
  /** Takes the oldest commands, which then no longer count as waiting. */
  take(most: number): Job[]
  /** Takes the commands that were asked for before a time. */
  takeOlder(thanMs: number): Job[]
  /** Takes the commands that a condition is true for; they still count as waiting. */
  setAside(condition: (command: Command<never>) => boolean): Job[]
  /** Counts commands that wait outside of the queue. */
  countAside(jobs: Job[], change: 1 | -1): void
}

/** One organisation can fill half of a queue, so that the others still find room. */
export function openQueue(maxWaiting: number): Queue {
  const jobs: Job[] = []
  let total = 0
  const totals = new Map<number, number>()

  function count({ command }: Job, change: 1 | -1): void {
    const { organisationId } = command.write.caller
    const number = (totals.get(organisationId) ?? 0) + change
    if (number > 0) totals.set(organisationId, number)
    else totals.delete(organisationId)
    total += change
  }

  function take(number: number): Job[] {
    const taken = jobs.splice(0, number)
    for (const job of taken) count(job, -1)
    return taken
  }

  return {
    add(job) {
      const ofOrganisation = totals.get(job.command.write.caller.organisationId) ?? 0
      if (total >= maxWaiting || ofOrganisation + 1 > maxWaiting / 2) return false
      count(job, 1)
      jobs.push(job)
      return true
    },
    length: () => jobs.length,
    total: () => total,
    take,
    takeOlder(thanMs) {
      const younger = jobs.findIndex(({ sinceMs }) => sinceMs >= thanMs)
      return take(younger === -1 ? jobs.length : younger)
    },
    setAside(condition) {
      const aside = jobs.filter(({ command }) => condition(command))
      if (aside.length === 0) return []
      const set = new Set(aside)
      jobs.splice(0, jobs.length, ...jobs.filter((job) => !set.has(job)))
      return aside
    },
    countAside: (aside, change) => {
      for (const job of aside) count(job, change)
    },
  }
}
