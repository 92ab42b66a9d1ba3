import type { Answer } from '../../base/operation.ts'
import type { Command, Group } from '../books.ts'
import { type Elsewhere, openGroupedJobs } from './grouped-jobs.ts'

/** A command and its caller. */
export interface Job {
  command: Command<never>
  resolve(answer: Answer): void
  reject(error: unknown): void
  /** When the caller asked. */
  sinceMs: number
  /** Counts the commands in the order in which they were asked for. */
  place: number
  /** How often the command was supplied with locks or ids that its decision lacked. */
  supplies: number
}

/** The commands that wait for a batch, and the number of all that wait. */
export interface Queue {
  /** Adds a command, unless too many wait. */
  add(job: Job): boolean
  /** The number of commands that came alone, and of those of groups that a batch may take now. */
  ready(busy: Set<Group>): { alone: number; grouped: number }
  /** The number of all that wait, those outside of the queue included. */
  total(): number
  /**
   * Takes the oldest commands of both kinds, which then no longer count as waiting: up to so many of each, and none after those whose
   * characters exceed the number.
   */
  take(most: { alone: number; grouped: number; characters: number }, busy: Set<Group>): Job[]
  /** Takes the commands that were asked for before a time. */
  takeOlder(thanMs: number): Job[]
  /** Takes the commands that a condition is true for, and that overtake none of their group; they wait outside from then on. */
  setAside(condition: (command: Command<never>) => boolean, busy: Set<Group>): Job[]
  /** Notes that commands wait outside of the queue. Those that are held still count as waiting. */
  leave(jobs: Job[], to: Elsewhere): void
  /** Notes that they no longer do. */
  comeBack(jobs: Job[], from: Elsewhere): void
}

/**
 * One organisation can fill half of a queue, so that the others still find room. Commands of groups wait apart: a batch of a
 * thousand payments is not in front of the payment that comes next.
 */
export function openQueue(maxWaiting: number): Queue {
  const alone: Job[] = []
  const grouped = openGroupedJobs()
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
      if (job.command.group) grouped.add(job)
      else alone.push(job)
      return true
    },
    ready: (busy) => ({ alone: alone.length, grouped: grouped.ready(busy) }),
    total: () => total,
    take({ alone: most, grouped: mostGrouped, characters }, busy) {
      const hasRoom = roomFor(most, characters)
      const end = alone.findIndex((job) => !hasRoom(job))
      const taken = alone.splice(0, end === -1 ? alone.length : end)
      return counted([...taken, ...grouped.take(roomFor(mostGrouped, characters), busy)])
    },
    takeOlder(thanMs) {
      const isOlder = ({ sinceMs }: Job) => sinceMs < thanMs
      return counted([...takeFrom(alone, isOlder), ...grouped.takeAll(isOlder)])
    },
    setAside(condition, busy) {
      const isConcerned = ({ command }: Job) => condition(command)
      const ofGroups = grouped.takeHeld(isConcerned, busy)
      for (const job of ofGroups) grouped.leave(job, 'held')
      return [...takeFrom(alone, isConcerned), ...ofGroups]
    },
    leave(jobs, to) {
      for (const job of jobs) {
        if (to === 'held') count(job, 1)
        grouped.leave(job, to)
      }
    },
    comeBack(jobs, from) {
      for (const job of jobs) {
        if (from === 'held') count(job, -1)
        grouped.comeBack(job, from)
      }
    },
  }
}

/** Whether there is room for a job, asked for one after the other. */
function roomFor(most: number, characters: number): (job: Job) => boolean {
  let [left, charactersLeft] = [most, characters]
  return ({ command }) => {
    if (left === 0 || charactersLeft <= 0) return false
    left--
    charactersLeft -= command.characters ?? 0
    return true
  }
}

/** Takes the jobs that a condition is true for. */
function takeFrom(jobs: Job[], condition: (job: Job) => boolean): Job[] {
  if (jobs.length === 0) return []
  const taken: Job[] = []
  const kept: Job[] = []
  for (const job of jobs) (condition(job) ? taken : kept).push(job)
  if (taken.length > 0) jobs.splice(0, jobs.length, ...kept)
  return taken
}
