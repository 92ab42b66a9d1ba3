import type { Answer } from '../base/operation.ts'
import type { Command } from './books.ts'

/** The commands of one request that are decided in their order, such as the payments of a batch. */
export type Group = symbol

/** A command and its caller. */
export interface Job {
  command: Command<never>
  resolve(answer: Answer): void
  reject(error: unknown): void
  /** When the caller asked. */
  sinceMs: number
  /** How often the command was supplied with locks or ids that its decision lacked. */
  supplies: number
  /** Absent for a command that came alone. */
  group?: Group | undefined
}

/** The commands that wait for a batch, and the number of all that wait. */
export interface Queue {
  /** Adds a command, unless too many wait. */
  add(job: Job): boolean
  /** The number of commands that came alone, and of those of groups that are not busy. */
  ready(busy: Set<Group>): { alone: number; grouped: number }
  /** The number of all that wait, those outside of the queue included. */
  total(): number
  /** Takes the oldest commands of both kinds, which then no longer count as waiting. */
  take(most: { alone: number; grouped: number }, busy: Set<Group>): Job[]
  /** Takes the commands that were asked for before a time. */
  takeOlder(thanMs: number): Job[]
  /** Takes the commands that a condition is true for; they still count as waiting. */
  setAside(condition: (command: Command<never>) => boolean): Job[]
  /** Counts commands that wait outside of the queue. */
  countAside(jobs: Job[], change: 1 | -1): void
}

/**
 * One organisation can fill half of a queue, so that the others still find room. Commands of groups wait apart: a batch of a
 * thousand payments is not in front of the payment that comes next.
 */
export function openQueue(maxWaiting: number): Queue {
  const alone: Job[] = []
  const grouped: Job[] = []
  let total = 0
  const totals = new Map<number, number>()

  function count({ command }: Job, change: 1 | -1): void {
    const { organisationId } = command.write.caller
    const number = (totals.get(organisationId) ?? 0) + change
    if (number > 0) totals.set(organisationId, number)
    else totals.delete(organisationId)
    total += change
  }

  function counted(taken: Job[]): Job[] {
    for (const job of taken) count(job, -1)
    return taken
  }

  return {
    add(job) {
      const ofOrganisation = totals.get(job.command.write.caller.organisationId) ?? 0
      if (total >= maxWaiting || ofOrganisation + 1 > maxWaiting / 2) return false
      count(job, 1)
      if (job.group) grouped.push(job)
      else alone.push(job)
      return true
    },
    ready: (busy) => ({
      alone: alone.length,
      grouped: busy.size === 0 ? grouped.length : grouped.filter((job) => isFree(job, busy)).length,
    }),
    total: () => total,
    take(most, busy) {
      const taken = alone.splice(0, most.alone)
      if (grouped.length > 0) {
        taken.push(...takeFrom(grouped, (job, before) => before < most.grouped && isFree(job, busy)))
      }
      return counted(taken)
    },
    takeOlder: (thanMs) =>
      counted([alone, grouped].flatMap((jobs) => takeFrom(jobs, ({ sinceMs }) => sinceMs < thanMs))),
    setAside: (condition) => [alone, grouped].flatMap((jobs) => takeFrom(jobs, ({ command }) => condition(command))),
    countAside: (aside, change) => {
      for (const job of aside) count(job, change)
    },
  }
}

function isFree({ group }: Job, busy: Set<Group>): boolean {
  return group === undefined || !busy.has(group)
}

/** Takes the jobs that a condition is true for; it also gets the number of those taken before. */
function takeFrom(jobs: Job[], condition: (job: Job, taken: number) => boolean): Job[] {
  if (jobs.length === 0) return []
  const taken: Job[] = []
  const kept: Job[] = []
  for (const job of jobs) (condition(job, taken.length) ? taken : kept).push(job)
  if (taken.length > 0) jobs.splice(0, jobs.length, ...kept)
  return taken
}
