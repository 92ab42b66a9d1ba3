import { randomBytes } from 'node:crypto'
import { type Context, context } from '@opentelemetry/api'
import type { Write } from '../../base/operation.ts'
import type { Database } from '../../database/database.ts'
import type { RecordIds } from '../../database/record-ids.ts'
import type { RunOnce } from '../../idempotency/run-once.ts'
import type { Lane } from '../../ledger/lane.ts'
import type { Seal } from '../../secrets/seal.ts'

/** What the rooms of the built-in bank work with. */
export interface BuiltinParts {
  database: Database
  ids: RecordIds
  runOnce: RunOnce
  lane: Lane
  seal: Seal
  mode: 'sandbox' | 'live'
  routingNumber: string
  /** How long after its purchase a reward is paid out. */
  payoutDelayMs: number
  /** How far below zero a payment may take an account. */
  overdraftCents: number
  /** Whether documents are approved as they come, or wait for a reviewer. */
  review: 'automatic' | 'manual'
}

/**
 * Look-ups that come while one is on its way become one statement when that one is back. It takes half of those who wait
 * and of those who were answered last, so that the database works for one half while the service writes to the other:
 * whoever waits is in the next statement or in the one after.
 */
export function coalesce<Key, Row>(
  keyOf: (row: Row) => Key,
  findMany: (keys: Key[]) => Promise<Row[]>,
): (key: Key) => Promise<Row | undefined> {
  const waiting: Question<Key, Row>[] = []
  let busy = false
  let answeredLast = 0

  async function answerAll(): Promise<void> {
    busy = true
    while (waiting.length > 0) {
      await new Promise<void>(setImmediate)
      const questions = waiting.splice(0, Math.ceil((waiting.length + answeredLast) / 2))
      await answerTogether(questions)
      answeredLast = questions.length
    }
    busy = false
  }

  async function answerTogether(questions: Question<Key, Row>[]): Promise<void> {
    try {
      const keys = questions.map(({ key }) => key)
      // In the trace of one who waits for it, and not of the one who found nothing under way, long ago.
      const found = await context.with(questions[0]?.from ?? context.active(), () => findMany(keys))
      const rows = new Map(found.map((row) => [keyOf(row), row]))
      for (const { key, answer } of questions) answer(rows.get(key))
    } catch (error) {
      for (const { refuse } of questions) refuse(error)
    }
  }

  return (key) =>
    new Promise((answer, refuse) => {
      waiting.push({ key, answer, refuse, from: context.active() })
      if (!busy) void answerAll()
    })
}

interface Question<Key, Row> {
  key: Key
  answer(row: Row | undefined): void
  refuse(reason: unknown): void
  from: Context
}

/** A write of the bank itself, such as an expiry: nobody repeats it, but a lost COMMIT is settled like any other. */
export function bankWrite(organisationId: number): Write<void> {
  return {
    caller: { organisationId, keyId: 0 },
    requestId: null,
    key: { text: null, hash: randomBytes(32), fingerprint: Buffer.alloc(32), fromCaller: false },
    render: () => ({ status: 200, body: '', replayed: false }),
  }
}

/** One at a time of an organisation, and so many at a time of all; the others wait, the first come first. */
export function takingTurns(most: number) {
  const busy = new Set<number>()
  const waiting: (() => void)[] = []
  return async <T>(organisationId: number, work: () => Promise<T>): Promise<T> => {
    while (busy.has(organisationId) || busy.size >= most) {
      await new Promise<void>((resume) => waiting.push(resume))
    }
    busy.add(organisationId)
    try {
      return await work()
    } finally {
      busy.delete(organisationId)
      for (const resume of waiting.splice(0)) resume()
    }
  }
}
