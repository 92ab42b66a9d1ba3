import type { Group } from '../books.ts'
import { type Fronts, openFronts } from './fronts.ts'
import type { Job } from './queue.ts'

/** The place of a command that left the queue before its end: with a hook that is asked about it, or with those that are held. */
export type Elsewhere = 'asked' | 'held'

/** The commands of groups that wait for a batch. Those of a group that share an account keep their order. */
export interface GroupedJobs {
  /** Adds a command after those of its group that were asked for before it. */
  add(job: Job): void
  /** The number of commands that a batch may take. */
  ready(busy: Set<Group>): number
  /** Takes those that there is room for, the oldest group first. */
  take(hasRoom: (job: Job) => boolean, busy: Set<Group>): Job[]
  /** Takes the commands that a condition is true for, whatever their order. */
  takeAll(condition: (job: Job) => boolean): Job[]
  /** Takes the commands that a condition is true for and that follow none that stays or is asked about. */
  takeHeld(condition: (job: Job) => boolean, busy: Set<Group>): Job[]
  /** Notes that a command waits elsewhere: those after it on its accounts wait for it here. */
  leave(job: Job, to: Elsewhere): void
  /** Notes that it no longer does. */
  comeBack(job: Job, from: Elsewhere): void
}

interface Waiting {
  jobs: Job[]
  /** How many commands that are elsewhere use each account. */
  elsewhere: Record<Elsewhere, Map<number, number>>
  /** The commands that may be taken; undefined if they have to be looked for. */
  free: Set<Job> | undefined
}

export function openGroupedJobs(): GroupedJobs {
  const groups = new Map<Group, Waiting>()

  function waitingOf(group: Group): Waiting {
    const known = groups.get(group)
    if (known) return known
    const made: Waiting = { jobs: [], elsewhere: { asked: new Map(), held: new Map() }, free: undefined }
    groups.set(group, made)
    return made
  }

  function keep(group: Group, waiting: Waiting, jobs: Job[]): void {
    waiting.jobs = jobs
    waiting.free = undefined
    const { asked, held } = waiting.elsewhere
    if (jobs.length === 0 && asked.size === 0 && held.size === 0) groups.delete(group)
  }

  /** Takes commands of every group by a choice that is made anew for each. */
  function takeBy(chooserOf: (waiting: Waiting, group: Group) => ((job: Job) => boolean) | undefined): Job[] {
    const taken: Job[] = []
    for (const [group, waiting] of groups) {
      const isChosen = chooserOf(waiting, group)
      if (!isChosen) continue
      const kept: Job[] = []
      for (const job of waiting.jobs) (isChosen(job) ? taken : kept).push(job)
      if (kept.length < waiting.jobs.length) keep(group, waiting, kept)
    }
    return taken
  }

  function move(job: Job, where: Elsewhere, change: 1 | -1): void {
    const { group, accountIds } = job.command
    if (group === undefined) return
    const waiting = waitingOf(group)
    for (const id of accountIds) count(waiting.elsewhere[where], id, change)
    keep(group, waiting, waiting.jobs)
  }

  return {
    add(job) {
      const waiting = waitingOf(job.command.group as Group)
      const { jobs } = waiting
      const behind = jobs.findLastIndex(({ place }) => place < job.place) + 1
      if (behind === jobs.length) jobs.push(job)
      else jobs.splice(behind, 0, job)
      waiting.free = undefined
    },
    ready(busy) {
      let ready = 0
      for (const [group, waiting] of groups) if (!busy.has(group)) ready += freeIn(waiting).size
      return ready
    },
    take(hasRoom, busy) {
      let isFull = false
      return takeBy((waiting, group) => {
        if (isFull || busy.has(group)) return undefined
        const free = freeIn(waiting)
        return (job) => {
          if (isFull || !free.has(job)) return false
          isFull = !hasRoom(job)
          return !isFull
        }
      })
    },
    takeAll: (condition) => takeBy(() => condition),
    takeHeld: (condition, busy) =>
      takeBy((waiting, group) => {
        if (busy.has(group)) return undefined
        const stay = openFronts()
        return (job) => {
          if (!isOn(job, waiting.elsewhere.asked) && !stay.isBefore(job.command) && condition(job)) return true
          stay.add(job.command)
          return false
        }
      }),
    leave: (job, to) => move(job, to, 1),
    comeBack: (job, from) => move(job, from, -1),
  }
}

/** The commands that follow no other of their group on their accounts, except those that are taken with them. */
function freeIn(waiting: Waiting): Set<Job> {
  const { jobs, elsewhere } = waiting
  waiting.free ??= new Set(
    elsewhere.asked.size + elsewhere.held.size === 0 ? jobs : jobs.filter(isFree(elsewhere, openFronts())),
  )
  return waiting.free
}

function isFree({ asked, held }: Waiting['elsewhere'], stay: Fronts): (job: Job) => boolean {
  return (job) => {
    if (!isOn(job, asked) && !isOn(job, held) && !stay.isBefore(job.command)) return true
    stay.add(job.command)
    return false
  }
}

function isOn({ command }: Job, accounts: Map<number, number>): boolean {
  return accounts.size > 0 && command.accountIds.some((id) => accounts.has(id))
}

function count(accounts: Map<number, number>, id: number, change: 1 | -1): void {
  const number = (accounts.get(id) ?? 0) + change
  if (number > 0) accounts.set(id, number)
  else accounts.delete(id)
}
