import { setTimeout as sleep } from 'node:timers/promises'
import { clock } from '../base/clock.ts'
import type { Answer, Write } from '../base/operation.ts'
import { Problem } from '../base/problem.ts'
import { retryAfter } from '../base/retry-after.ts'
import { CommitLost, type Database, DatabaseUnavailable, LockTimeout, type Queryable } from '../database/database.ts'
import type { EventDraft, EventSink } from '../events/event.ts'
import { originOf, recordEvents } from '../events/record.ts'
import type { Seal } from '../secrets/seal.ts'
import { deleteAnswer, findAnswer, insertAnswer, type StoredAnswer } from './answers.sql.ts'
import { closedAnswer, openedAnswer } from './stored-answer.ts'

export interface RunOnce {
  /**
   * Runs a write so that one key has one effect, whoever else runs it and whatever breaks meanwhile. An attempt makes
   * all its effects and stores its answer in one transaction; it throws KeyTaken when the key has an answer already.
   */
  attempt<Data>(write: Write<Data>, attempt: () => Promise<Answer>): Promise<Answer>
  /** `attempt` around a plain transaction: `work` makes the effects, tells of them and answers the record to show. */
  transaction<Data>(write: Write<Data>, work: Work<Data>): Promise<Answer>
}

type Work<Data> = (transaction: Queryable, events: EventSink) => Promise<Data>

/** The key has a committed answer. */
export class KeyTaken extends Error {}

export interface RunOnceOptions {
  database: Database
  seal: Seal
  /** How long a request waits for another one with its key. */
  waitMs: number
  /** How long to go on asking about a lost COMMIT while the database is away. */
  settleMs: number
  /** Called when events have been committed. */
  committed?: () => void
}

export function openRunOnce({ database, seal, waitMs, settleMs, committed }: RunOnceOptions): RunOnce {
  const running = new Map<string, { fingerprint: Buffer; answer: Promise<Answer> }>()

  function once<Data>(write: Write<Data>, attempt: () => Promise<Answer>): Promise<Answer> {
    const { caller, key } = write
    if (!key.fromCaller) return settle(write, attempt)
    const name = `${caller.organisationId}:${key.hash.toString('latin1')}`
    return running.has(name) ? afterOthers(name, write, attempt) : asFirst(name, write, attempt)
  }

  /** The way of nearly every write, and so with as few promises as will do. */
  function asFirst(name: string, write: Write<never>, attempt: () => Promise<Answer>): Promise<Answer> {
    const answer = attempt().then(
      (made) => {
        running.delete(name)
        return made
      },
      (error: unknown) => replayOr(write, attempt, error).finally(() => running.delete(name)),
    )
    running.set(name, { fingerprint: write.key.fingerprint, answer })
    return answer
  }

  async function afterOthers(name: string, write: Write<never>, attempt: () => Promise<Answer>): Promise<Answer> {
    const deadlineMs = clock.elapsedMs() + waitMs
    for (let other = running.get(name); other; other = running.get(name)) {
      const first = await within(
        other.answer.catch(() => undefined),
        deadlineMs - clock.elapsedMs(),
      )
      if (first) return replay(write, first, other.fingerprint)
    }
    return asFirst(name, write, attempt)
  }

  /** A refusal is looked at twice: it may come from what this very request did in another process a moment ago. */
  async function replayOr(write: Write<never>, attempt: () => Promise<Answer>, failure: unknown): Promise<Answer> {
    try {
      return await answerAfter(write, attempt, failure)
    } catch (error) {
      if (!(error instanceof KeyTaken || error instanceof Problem)) throw error
      const stored = await findAnswer(database, write)
      if (stored) return replay(write, openedAnswer(seal, write, stored), stored.fingerprint)
      throw error
    }
  }

  function settle(write: Write<never>, attempt: () => Promise<Answer>): Promise<Answer> {
    return attempt().catch((error: unknown) => answerAfter(write, attempt, error))
  }

  /** A lost COMMIT is answered by what the database holds; where it holds nothing the attempt runs again. */
  async function answerAfter(write: Write<never>, attempt: () => Promise<Answer>, failure: unknown): Promise<Answer> {
    if (!(failure instanceof CommitLost)) throw failure
    const committed = await committedAnswer(write, clock.elapsedMs() + settleMs)
    if (!committed) return settle(write, attempt)
    // Where the key was answered before, the answer may be another request's.
    if (!committed.fingerprint.equals(write.key.fingerprint)) throw new Problem('idempotency_key_reused')
    return openedAnswer(seal, write, committed)
  }

  async function committedAnswer(write: Write<never>, deadlineMs: number): Promise<StoredAnswer | undefined> {
    try {
      return await database.transaction(async (transaction) => {
        // Claiming the key waits for the lost transaction, should the server still be at it.
        const free = await insertAnswer(transaction, write, { status: 0, body: '', sealed: null })
        if (!free) return findAnswer(transaction, write)
        await deleteAnswer(transaction, write)
        return undefined
      })
    } catch (error) {
      const transient = error instanceof DatabaseUnavailable || error instanceof CommitLost
      if (!transient || clock.elapsedMs() > deadlineMs) throw error
      await sleep(100)
      return committedAnswer(write, deadlineMs)
    }
  }

  function transaction<Data>(write: Write<Data>, work: Work<Data>): Promise<Answer> {
    return once(write, async () => {
      const events: EventDraft[] = []
      const answer = await database.transaction(async (transaction) => {
        if (write.key.fromCaller && (await findAnswer(transaction, write))) throw new KeyTaken()
        const answer = write.render(await work(transaction, events))
        const stored = await insertAnswer(transaction, write, closedAnswer(seal, write, answer)).catch(
          (error: unknown) => {
            throw error instanceof LockTimeout ? inProgress() : error
          },
        )
        if (!stored) throw new KeyTaken()
        const origin = originOf(write)
        await recordEvents(
          transaction,
          events.map((event) => ({ event, origin })),
        )
        return answer
      })
      if (events.length > 0) committed?.()
      return answer
    })
  }

  return { attempt: once, transaction }
}

function replay(write: Write<never>, first: Answer, fingerprint: Buffer): Answer {
  if (!fingerprint.equals(write.key.fingerprint)) throw new Problem('idempotency_key_reused')
  return { ...first, replayed: true }
}

async function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  const timer = new AbortController()
  try {
    return await Promise.race([
      promise,
      sleep(Math.max(0, ms), undefined, { signal: timer.signal }).then(() => Promise.reject(inProgress())),
    ])
  } finally {
    timer.abort()
  }
}

export function inProgress(): Problem {
  return new Problem('idempotency_in_progress', { headers: retryAfter(1) })
}
