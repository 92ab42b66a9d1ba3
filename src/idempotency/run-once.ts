import { setTimeout as sleep } from 'node:timers/promises'
import { clock } from '../base/clock.ts'
import type { Answer, Write } from '../base/operation.ts'
import { Problem } from '../base/problem.ts'
import { retryAfter } from '../base/retry-after.ts'
import { CommitLost, LockTimeout, OrganisationMoving, type Queryable } from '../database/database.ts'
import type { EventDraft, EventSink } from '../events/event.ts'
import { originOf, type RecordEvents, recordEvents } from '../events/record.ts'
import { sealForCustomers } from '../events/stored/sealed-data.ts'
import { findAnswer } from './answers.sql.ts'
import { findReplaysOfBatch, openReplays, type Replay } from './replays.ts'
import { replay, replayStored, type SettleParts, settle } from './settle.ts'
import { storeAnswer } from './stored-answer.ts'

export interface RunOnce {
  /**
   * Runs a write so that one key has one effect, however many requests carry it and whatever breaks meanwhile. An attempt
   * makes all its effects and stores its answer in one transaction; it throws KeyTaken if the key has an answer.
   */
  attempt<Data>(write: Write<Data>, attempt: Attempt): Promise<Answer>
  /** The answers that writes of a batch have already, in their order. Single ones may be passed over; their attempts find them. */
  replays(writes: Write<never>[]): Promise<Replay[]>
  /** `attempt` for the writes of one batch. After a failure, the answers of other processes are looked up together. */
  together(): RunOnce['attempt']
  /** Runs `attempt` around a plain transaction: `work` makes the effects, emits events and returns the record to show. */
  transaction<Data>(write: Write<Data>, work: Work<Data>): Promise<Answer>
  /**
   * The same after work outside of the database, such as a question to a hook, during which no connection is held. A request
   * that has an answer does not do it again, and of requests with one key in this process only the first does it.
   */
  transactionAfter<Data, Prepared>(
    write: Write<Data>,
    prepare: () => Promise<Prepared>,
    work: (transaction: Queryable, events: EventSink, prepared: Prepared) => Promise<Data>,
  ): Promise<Answer>
}

type Attempt = () => Promise<Answer>
type Work<Data> = (transaction: Queryable, events: EventSink) => Promise<Data>

/** Thrown if the key has a committed answer. */
export class KeyTaken extends Error {}

/** Throws KeyTaken if a key of the write has an answer: before work outside the database, which cannot be undone. */
export async function requireUnanswered(database: Queryable, write: Write<never>): Promise<void> {
  for (const key of write.alsoKey ? [write.key, write.alsoKey] : [write.key]) {
    if (key.fromCaller && (await findAnswer(database, { ...write, key }))) throw new KeyTaken()
  }
}

export interface RunOnceOptions extends SettleParts {
  /** How long a request waits for another one with its key. */
  waitMs: number
  /** Throws while no write could be committed. */
  requireWrites?: () => void
  /** Called after a commit with events. */
  committed?: () => void
  recordEvents?: RecordEvents
}

export function openRunOnce(options: RunOnceOptions): RunOnce {
  const running: Running = new Map()
  const alone: Parts = { ...options, stored: (write) => replayStored(options, write) }
  const attempt = (write: Write<never>, one: Attempt) => runOnce(alone, running, write, one)
  return {
    attempt,
    replays: (writes) => findReplaysOfBatch(options, writes),
    together: () => {
      const parts: Parts = { ...options, stored: openReplays(options) }
      return (write, one) => runOnce(parts, running, write, one)
    },
    transaction: (write, work) => attempt(write, () => runTransaction(options, write, work)),
    transactionAfter: (write, prepare, work) =>
      attempt(write, async () => {
        await requireUnanswered(options.database, write)
        const prepared = await prepare()
        return runTransaction(options, write, (transaction, events) => work(transaction, events, prepared))
      }),
  }
}

interface Parts extends RunOnceOptions {
  /** Replays the answer that the database holds for the key of a write, if there is one. */
  stored(write: Write<never>): Promise<Answer | undefined>
}

/** The requests with an idempotency key that this process runs at the moment, by organisation and key. */
type Running = Map<string, { fingerprint: Buffer; answer: Promise<Answer> }>

function runOnce(options: Parts, running: Running, write: Write<never>, attempt: Attempt): Promise<Answer> {
  const { caller, key } = write
  try {
    options.requireWrites?.()
  } catch (error) {
    return Promise.reject(error)
  }
  if (!key.fromCaller) return attempt().catch((error: unknown) => settleLost(options, write, attempt, error))
  const name = `${caller.organisationId}:${key.hash.toString('latin1')}`
  return running.has(name)
    ? runAfterOthers(options, running, name, write, attempt)
    : runFirst(options, running, name, write, attempt)
}

/** Nearly every write goes this way, so it creates as few promises as possible. */
function runFirst(
  options: Parts,
  running: Running,
  name: string,
  write: Write<never>,
  attempt: Attempt,
): Promise<Answer> {
  const answer = attempt().then(
    (made) => {
      running.delete(name)
      return made
    },
    (error: unknown) => answerFailure(options, write, attempt, error).finally(() => running.delete(name)),
  )
  running.set(name, { fingerprint: write.key.fingerprint, answer })
  return answer
}

/** Replays the answer of a request with the same key that is under way; runs if all of those fail. */
async function runAfterOthers(
  options: Parts,
  running: Running,
  name: string,
  write: Write<never>,
  attempt: Attempt,
): Promise<Answer> {
  const deadlineMs = clock.elapsedMs() + options.waitMs
  for (let other = running.get(name); other; other = running.get(name)) {
    const first = await within(
      other.answer.catch(() => undefined),
      deadlineMs - clock.elapsedMs(),
    )
    if (first) return replay(write, first, other.fingerprint)
  }
  return runFirst(options, running, name, write, attempt)
}

/**
 * Responds to an attempt that failed. A refusal gives way to a stored answer: the same request may have succeeded in another
 * process a moment ago, and what it did may be the reason for the refusal. While an organisation moves, its stored answers are
 * still given.
 */
async function answerFailure(options: Parts, write: Write<never>, attempt: Attempt, failure: unknown): Promise<Answer> {
  try {
    return await settleLost(options, write, attempt, failure)
  } catch (error) {
    if (!(error instanceof KeyTaken || error instanceof Problem || error instanceof OrganisationMoving)) throw error
    const stored = await options.stored(write)
    if (stored) return stored
    throw error
  }
}

async function settleLost(
  options: RunOnceOptions,
  write: Write<never>,
  attempt: Attempt,
  failure: unknown,
): Promise<Answer> {
  if (!(failure instanceof CommitLost)) throw failure
  return settle(options, write, attempt, failure)
}

async function runTransaction<Data>(
  { database, seals, committed, recordEvents: record = recordEvents }: RunOnceOptions,
  write: Write<Data>,
  work: Work<Data>,
): Promise<Answer> {
  const events: EventDraft[] = []
  // A transaction that waited for the keys would wait for a second connection while it holds one.
  await seals.of(write.caller.organisationId)
  const answer = await database.transaction(async (transaction) => {
    if (write.key.fromCaller && (await findAnswer(transaction, write))) throw new KeyTaken()
    const made = write.render(await work(transaction, events))
    const isFirst = await storeAnswer(transaction, seals, write, made).catch((error: unknown) => {
      throw error instanceof LockTimeout && !(error instanceof OrganisationMoving) ? inProgress() : error
    })
    if (!isFirst) throw new KeyTaken()
    const origin = originOf(write)
    const stored = await sealForCustomers(transaction, seals, write.caller.organisationId, events)
    await record(
      transaction,
      stored.map((event) => ({ event, origin })),
    )
    return made
  })
  if (events.length > 0) committed?.()
  return answer
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
