import { clock } from '../base/clock.ts'
import type { Answer } from '../base/operation.ts'
import { Problem } from '../base/problem.ts'
import { retryAfter } from '../base/retry-after.ts'
import type { ConnectionCounts, Timeouts } from '../database/database.ts'
import { type BatchOptions, type BatchRunner, type Ended, openBatchRunner, type Result } from './batch.ts'
import { locksOf } from './batch-transaction.ts'
import type { Command, Group } from './books.ts'
import { openHeldCommands } from './queue/held-commands.ts'
import { type Job, openQueue, type Queue } from './queue/queue.ts'
import type { InternalKind } from './records.ts'

/** The one way to move money: commands that arrive while a batch runs are decided and committed together in the next. */
export interface Lane {
  /** Runs one attempt at a command, for `runOnce.attempt`. Those of a group on one account are decided in the order of the calls. */
  run<Data, Lack = unknown>(command: Command<Data, Lack>): Promise<Answer>
  /** The internal account that the first connection posts to. */
  internalAccount(organisationId: number, kind: InternalKind): Promise<number>
  load(): LaneLoad
  close(): Promise<void>
}

/** The work of the lane at this moment. */
export interface LaneLoad {
  /** The commands that wait for a batch or for a lock. */
  waiting: number
  /** The age of the oldest batch that runs; 0 if none does. */
  batchMs: number
  connections: ConnectionCounts[]
}

export interface LaneOptions extends Omit<BatchOptions, 'timeouts'> {
  /** The timeouts of the connections that run batches. */
  timeouts?: Timeouts
  /** The longest wait of a command whose account another transaction holds. */
  heldMs?: number
  /** Batches that run at once: while one is written to disk, another is decided. */
  batches?: number
  /** The largest number of commands in one transaction. */
  maxInBatch?: number
  /** The same for commands of groups. */
  maxGrouped?: number
  /** The largest number of commands that wait; one organisation can have half of them. */
  maxWaiting?: number
  /** The longest wait of a command for its batch. */
  queueMs?: number
  /** The same while no connection of the lane reaches a server. */
  queueWhileDownMs?: number
  /** Called when events have been committed. */
  committed?: () => void
  /** Called for every batch with its number of commands and the longest wait among them. */
  observe?: (commands: number, waitMs: number) => void
}

/** The number of batches that the service runs at once: one is with the database, one is being decided. */
export const BATCHES = 2

/**
 * A lock timeout delays the whole batch, so it is short; commands that still lack an account then wait on a connection
 * of their own. There they queue for longer: under contention a short wait never reaches the head of the queue.
 */
const batchTimeouts: Timeouts = { lockMs: 100, statementMs: 10_000, idleMs: 5_000 }
const HELD_LOCK_MS = 500
const HELD_MS = 2_000
const QUEUE_MS = 10_000
/** Single commands that share a batch with these wait for them, too: so many take some 30 ms. */
const MAX_GROUPED = 250
/**
 * The characters of long texts in a batch, alone and grouped ones each. A batch is decided and encoded in one turn of the event loop:
 * 250 payments with the longest tags, 1.9 million characters, took it 70 to 140 ms.
 */
const MAX_CHARACTERS = 512 * 1_024
const QUEUE_WHILE_DOWN_MS = 500
const OVERDUE_CHECK_MS = 250
/** The number of times that one command can be supplied. Most need one; more, if others change the same record. */
const MAX_SUPPLIES = 10
const FULL = 'the queue of changes is full'

export function openLane(options: LaneOptions): Lane {
  const { maxInBatch = 500, maxGrouped = MAX_GROUPED, maxWaiting = 5_000, observe } = options
  const { queueMs = QUEUE_MS, queueWhileDownMs = QUEUE_WHILE_DOWN_MS } = options
  const runners = openRunners(options)
  /** The batch of each busy connection: the number of its commands that came alone, and its start. */
  const running = new Map<BatchRunner, { commands: number; sinceMs: number }>()
  const queue = openQueue(maxWaiting)
  /** The groups with commands in a batch that runs. No second one has any of them, so that they keep their order. */
  const busy = new Set<Group>()
  const { held, finish } = openResults(options, queue, startSoon)
  const overdue = setInterval(() => {
    const down = runners.filter((runner) => runner.isDown())
    for (const runner of down) if (!running.has(runner)) runner.reconnect()
    refuseOlder(queue, down.length === runners.length ? Math.min(queueMs, queueWhileDownMs) : queueMs)
  }, OVERDUE_CHECK_MS).unref()
  let isStarting = false
  let places = 0

  /** Waits for the end of this turn of the event loop, so that commands that arrive together share a batch. */
  function startSoon(): void {
    if (isStarting) return
    isStarting = true
    setImmediate(() => {
      isStarting = false
      start()
    })
  }

  /** Starts a batch with its share of all commands that wait or run, and leaves the rest to the next connection. */
  function start(): void {
    // A connection that reaches no server takes no commands from those that do.
    const up = runners.filter((runner) => !runner.isDown())
    const usable = up.length > 0 ? up : runners
    const idle = usable.find((runner) => !running.has(runner))
    if (!idle) return
    if (held.size() > 0) for (const job of queue.setAside(held.concerns, busy)) held.add(job, locksOf(job.command))
    const { alone, grouped } = queue.ready(busy)
    if (alone + grouped === 0) return
    const batches = usable.flatMap((runner) => running.get(runner) ?? [])
    const share = Math.min(maxInBatch, shareOf(alone, batches, usable.length))
    if (share + grouped === 0) return
    const jobs = queue.take({ alone: share, grouped: maxGrouped, characters: MAX_CHARACTERS }, busy)
    const sinceMs = clock.elapsedMs()
    const groups = grouped === 0 ? [] : jobs.flatMap(({ command }) => command.group ?? [])
    for (const group of groups) busy.add(group)
    observe?.(jobs.length, sinceMs - (jobs[0]?.sinceMs ?? 0))
    running.set(idle, { commands: jobs.length - groups.length, sinceMs })
    void idle.run(jobs.map(({ command }) => command)).then((ended) => {
      running.delete(idle)
      // The next batch goes out first: PostgreSQL works on it while the callers of this one are answered.
      start()
      setImmediate(() => {
        finish(jobs, ended)
        // Only now: a command of the group that waits elsewhere must be waited for by those after it.
        for (const group of groups) busy.delete(group)
        if (groups.length > 0) start()
      })
    })
    start()
  }

  return {
    run: (command) =>
      new Promise((resolve, reject) => {
        const sinceMs = clock.elapsedMs()
        const job = { command: command as Command<never>, resolve, reject, sinceMs, place: places++, supplies: 0 }
        if (queue.add(job)) startSoon()
        else reject(unavailable(FULL))
      }),
    load() {
      const connections = [...runners, held].flatMap((each) => each.connections() ?? [])
      return { waiting: queue.total(), batchMs: oldestOf(running.values()), connections }
    },
    internalAccount: (organisationId, kind) => (runners[0] as BatchRunner).internalAccount(organisationId, kind),
    close: async () => {
      clearInterval(overdue)
      await Promise.all([...runners, held].map((connection) => connection.close()))
    },
  }
}

/** The age of the oldest batch; 0 if none runs. */
function oldestOf(batches: Iterable<{ sinceMs: number }>): number {
  const nowMs = clock.elapsedMs()
  return Math.max(0, ...[...batches].map(({ sinceMs }) => nowMs - sinceMs))
}

/** Refuses the commands that have waited longer than a time. */
function refuseOlder(queue: Queue, waitMs: number): void {
  for (const { reject } of queue.takeOlder(clock.elapsedMs() - waitMs))
    reject(unavailable('a change waited too long for its batch'))
}

/** The number of waiting commands that a batch takes: its share of all that wait or run; 0 if it waits for more. */
function shareOf(waiting: number, batches: { commands: number }[], connections: number): number {
  const share = batches.reduce((total, { commands }) => total + commands, waiting) / connections
  // With an odd number the first batch takes one more.
  return batches.length > 0 && waiting < Math.floor(share) ? 0 : Math.ceil(share)
}

function openRunners({ batches = 1, timeouts = batchTimeouts, ...options }: LaneOptions): BatchRunner[] {
  return Array.from({ length: batches }, () => openBatchRunner({ ...options, timeouts }))
}

/** Hands results to callers. Commands that are held wait on; commands that lack something are supplied and queued again. */
function openResults(options: LaneOptions, queue: Queue, startSoon: () => void) {
  const { maxInBatch = 500, heldMs = HELD_MS, queueMs = QUEUE_MS, timeouts = batchTimeouts, committed } = options
  const heldTimeouts = { ...timeouts, lockMs: HELD_LOCK_MS }
  const held = openHeldCommands({
    openRunner: () => openBatchRunner({ ...options, timeouts: heldTimeouts }),
    waitMs: heldMs,
    maxInBatch,
    finish(jobs, ended) {
      queue.comeBack(jobs, 'held')
      finish(jobs, ended)
      // The commands after them may be decided now.
      startSoon()
    },
  })

  function finish(jobs: Job[], { results, hasEvents }: Ended): void {
    for (const [position, job] of jobs.entries()) settle(job, results[position] as Result)
    if (hasEvents) committed?.()
  }

  function settle(job: Job, result: Result): void {
    if ('answer' in result) job.resolve(result.answer)
    else if ('refused' in result) job.reject(result.refused)
    else if ('lack' in result) supply(job, result.lack).catch(job.reject)
    else if ('behind' in result) queueAgain(job)
    else {
      queue.leave([job], 'held')
      held.add(job, result.held)
    }
  }

  function queueAgain(job: Job): void {
    if (!queue.add(job)) job.reject(unavailable(FULL))
    startSoon()
  }

  /** Queues a command again with the locks or ids that its decision lacked. */
  async function supply(job: Job, lack: unknown): Promise<void> {
    if (!job.command.supply) throw new Error('a decision needs something, but its command cannot supply it')
    if (job.supplies === MAX_SUPPLIES || clock.elapsedMs() - job.sinceMs > queueMs)
      throw unavailable('the records that a change needs were changed by others again and again')
    queue.leave([job], 'asked')
    try {
      const command = await job.command.supply(lack as never)
      queueAgain({ ...job, command, supplies: job.supplies + 1 })
    } finally {
      queue.comeBack([job], 'asked')
      // The commands after it may be decided now, also if it failed.
      startSoon()
    }
  }

  return { held, finish }
}

function unavailable(reason: string): Problem {
  return new Problem('unavailable', { headers: retryAfter(1), reason })
}
