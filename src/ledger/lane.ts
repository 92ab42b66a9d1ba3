import { clock } from '../base/clock.ts'
import type { Answer } from '../base/operation.ts'
import { Problem } from '../base/problem.ts'
import { retryAfter } from '../base/retry-after.ts'
import { type Job, openTrack, type Track, type TrackOptions } from './batch.ts'
import type { Command } from './books.ts'
import type { InternalKind } from './records.ts'

/** The one way to move money: commands that arrive while a batch runs are decided and committed together in the next. */
export interface Lane {
  /** One attempt at a command, for `runOnce.attempt`. */
  run<Data>(command: Command<Data>): Promise<Answer>
  /** The bank's own account that the first track posts to. */
  internalAccount(organisationId: number, kind: InternalKind): Promise<number>
  close(): Promise<void>
}

export interface LaneOptions extends TrackOptions {
  /** Batches that may be under way at once: while one is written to disk, another is decided. */
  tracks?: number
  /** Commands in one transaction. */
  maxInBatch?: number
  /** Commands that may wait; half of them for one organisation. */
  maxWaiting?: number
  /** Is told of every batch: its commands, and how long the first of them has waited. */
  observe?: (commands: number, waitMs: number) => void
}

interface Waiting extends Job {
  /** When it came; 0 where nobody wants to know. */
  sinceMs: number
}

/** What the service runs with: one batch with the database, one in the making. */
export const TRACKS = 2

export function openLane(options: LaneOptions): Lane {
  const { tracks: count = 1, maxInBatch = 500, maxWaiting = 5_000, observe } = options
  const first = openTrack(options)
  const tracks = [first, ...Array.from({ length: count - 1 }, () => openTrack(options))]
  /** How many commands each busy track has under way. */
  const running = new Map<Track, number>()
  const waiting: Waiting[] = []
  const waitingOf = new Map<number, number>()
  let starting = false

  /** What arrives in one turn of the event loop goes together: the first of many must not go ahead alone. */
  function startSoon(): void {
    if (starting) return
    starting = true
    setImmediate(() => {
      starting = false
      start()
    })
  }

  /** A batch takes its share of all that is at hand, no less beside another, and leaves the rest to the next track. */
  function start(): void {
    const idle = tracks.find((track) => !running.has(track))
    if (!idle || waiting.length === 0) return
    let atHand = waiting.length
    for (const commands of running.values()) atHand += commands
    const share = atHand / tracks.length
    // The odd one goes first, so that a track behind it is left with one less.
    if (running.size > 0 && waiting.length < Math.floor(share)) return
    const batch = waiting.splice(0, Math.min(maxInBatch, Math.ceil(share)))
    for (const job of batch) note(job, -1)
    observe?.(batch.length, clock.elapsedMs() - (batch[0]?.sinceMs ?? 0))
    running.set(idle, batch.length)
    void idle.run(batch).then((tell) => {
      running.delete(idle)
      // The next batch goes out first: PostgreSQL works on it while the callers of this one are answered.
      start()
      setImmediate(tell)
    })
    start()
  }

  /** Keeps count of what an organisation has waiting. */
  function note({ command }: Job, change: number): number {
    const { organisationId } = command.write.caller
    const number = (waitingOf.get(organisationId) ?? 0) + change
    if (number > 0) waitingOf.set(organisationId, number)
    else waitingOf.delete(organisationId)
    return number
  }

  return {
    run: (command) =>
      new Promise((resolve, reject) => {
        const sinceMs = observe ? clock.elapsedMs() : 0
        const job = { command: command as Command<never>, resolve, reject, sinceMs }
        if (waiting.length >= maxWaiting || note(job, 1) > maxWaiting / 2) {
          if (waiting.length < maxWaiting) note(job, -1)
          reject(new Problem('unavailable', { headers: retryAfter(1) }))
          return
        }
        waiting.push(job)
        startSoon()
      }),
    internalAccount: first.internalAccount,
    close: async () => void (await Promise.all(tracks.map((track) => track.close()))),
  }
}
