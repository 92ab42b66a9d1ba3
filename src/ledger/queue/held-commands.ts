import { clock } from '../../base/clock.ts'
import { type ConnectionCounts, LockTimeout } from '../../database/database.ts'
import type { Lock, Locking } from '../attempts.ts'
import type { BatchRunner, Ended } from '../batch.ts'
import { locksOf } from '../batch-transaction.ts'
import type { Command } from '../books.ts'
import type { Job } from './queue.ts'

/**
 * The commands whose locks another transaction holds. They wait here, on a connection of their own, so that a lock that
 * is held for long does not delay the commands of other accounts.
 */
export interface HeldCommands {
  add(job: Job, locks: Lock[]): void
  /** Whether a command takes a lock that commands already wait for here. */
  concerns(command: Command<never>): boolean
  size(): number
  /** The connection of its own, once it has one. */
  connections(): ConnectionCounts | undefined
  close(): Promise<void>
}

interface HeldOptions {
  /** Opens the connection, at the first command. */
  openRunner: () => BatchRunner
  /** The longest wait of a command. */
  waitMs: number
  maxInBatch: number
  /** Takes the results of commands that no longer wait here. */
  finish: (jobs: Job[], ended: Ended) => void
}

interface Held {
  job: Job
  /** Counts the commands as they come. */
  number: number
  locks: Lock[]
  deadlineMs: number
}

export function openHeldCommands({ openRunner, waitMs, maxInBatch, finish }: HeldOptions): HeldCommands {
  const waiting: Held[] = []
  /** How many commands wait for each lock. */
  const waitingFor = new Map<Lock, number>()
  let numbers = 0
  let runner: BatchRunner | undefined
  let isRunning = false

  function leave(ended: Held[], { results, hasEvents }: Ended): void {
    for (const { locks } of ended) count(waitingFor, locks, -1)
    finish(
      ended.map(({ job }) => job),
      { results, hasEvents },
    )
  }

  function refuseOverdue(): void {
    const nowMs = clock.elapsedMs()
    const overdue = waiting.filter(({ deadlineMs }) => deadlineMs <= nowMs)
    if (overdue.length === 0) return
    waiting.splice(0, waiting.length, ...waiting.filter(({ deadlineMs }) => deadlineMs > nowMs))
    const refused = { refused: new LockTimeout('another transaction holds an account of the command') }
    leave(overdue, { results: overdue.map(() => refused), hasEvents: false })
  }

  /** Runs commands and returns whether any ended. Those that are still held go to the end of the list. */
  async function run(batch: Held[], locking: Locking): Promise<boolean> {
    runner ??= openRunner()
    const ended = await runner.run(
      batch.map(({ job }) => job.command),
      locking,
    )
    const done: Held[] = []
    const results: Ended['results'] = []
    const still: Held[] = []
    for (const [position, held] of batch.entries()) {
      const result = ended.results[position]
      if (result && !('held' in result)) results[done.push(held) - 1] = result
      else {
        count(waitingFor, held.locks, -1)
        if (result) held.locks = result.held
        count(waitingFor, held.locks, 1)
        still.push(held)
      }
    }
    if (still.length > 0) putLast(waiting, still)
    leave(done, { results, hasEvents: ended.hasEvents })
    return done.length > 0
  }

  /** Runs the commands whose locks are free. If none is, one command queues for its locks, so that it gets a turn. */
  async function runAll(): Promise<void> {
    isRunning = true
    for (refuseOverdue(); waiting.length > 0; refuseOverdue()) {
      const isProgress = await run(waiting.splice(0, maxInBatch), 'skip')
      if (!isProgress) await run(waiting.splice(0, 1), 'wait')
    }
    isRunning = false
  }

  return {
    add(job, locks) {
      count(waitingFor, locks, 1)
      waiting.push({ job, number: numbers++, locks, deadlineMs: clock.elapsedMs() + waitMs })
      if (!isRunning) void runAll()
    },
    concerns: (command) =>
      waitingFor.has(`organisation ${command.write.caller.organisationId}`) ||
      locksOf(command).some((lock) => waitingFor.has(lock)),
    size: () => waitingFor.size,
    connections: () => runner?.connections(),
    close: async () => runner?.close(),
  }
}

/** Puts commands at the end of the list, with those of their groups and those that wait for the same locks: they keep their order. */
function putLast(waiting: Held[], held: Held[]): void {
  const locks = new Set(held.flatMap((each) => each.locks))
  const groups = new Set(held.flatMap(({ job }) => job.command.group ?? []))
  const isWith = ({ job, locks: own }: Held) =>
    own.some((lock) => locks.has(lock)) || (job.command.group !== undefined && groups.has(job.command.group))
  const others = waiting.filter((each) => !isWith(each))
  const together = [...held, ...waiting.filter(isWith)].sort((one, other) => one.number - other.number)
  waiting.splice(0, waiting.length, ...others, ...together)
}

/** Counts commands that begin or end to wait for locks. */
function count(waitingFor: Map<Lock, number>, locks: Lock[], change: number): void {
  for (const lock of locks) {
    const number = (waitingFor.get(lock) ?? 0) + change
    if (number > 0) waitingFor.set(lock, number)
    else waitingFor.delete(lock)
  }
}
