import { setTimeout as sleep } from 'node:timers/promises'
import { clock } from '../base/clock.ts'
import type { Answer, Write } from '../base/operation.ts'
import { Problem } from '../base/problem.ts'
import { CommitLost, type Database, DatabaseUnavailable } from '../database/database.ts'
import { deleteAnswer, findDurableAnswer, insertAnswer, type StoredAnswer } from './answers.sql.ts'
import { type AnswerParts, ERASED_STATUS, openedAnswer } from './stored-answer.ts'

export interface SettleParts extends AnswerParts {
  database: Database
  /** How long to go on asking about a lost COMMIT while the database is away. */
  settleMs: number
}

/**
 * Finds out what became of an attempt whose COMMIT was lost: answers what the database holds, and runs the attempt again
 * if it holds nothing. Throws CommitLost if the database cannot be asked in time: the outcome is not known, which
 * is not the same as an attempt that had no effect.
 */
export async function settle(
  parts: SettleParts,
  write: Write<never>,
  attempt: () => Promise<Answer>,
  lost: CommitLost,
): Promise<Answer> {
  const deadlineMs = clock.elapsedMs() + parts.settleMs
  for (let failure = lost; ; ) {
    const committed = await committedAnswer(parts.database, write, failure, deadlineMs)
    if (committed) {
      // The key may have been answered before this attempt, for another request.
      requireSameRequest(write, committed)
      return openedAnswer(parts.database, parts, write, committed)
    }
    try {
      return await attempt()
    } catch (error) {
      if (!(error instanceof CommitLost) || clock.elapsedMs() > deadlineMs) throw error
      failure = error
    }
  }
}

/** Replays the answer that the database holds for the key of a write, if there is one. */
export async function replayStored(parts: SettleParts, write: Write<never>): Promise<Answer | undefined> {
  const stored = await findDurableAnswer(parts.database, write)
  return stored && replayOf(parts, write, stored)
}

/** Replays an answer, if it was given to the same request. */
export async function replayOf(parts: SettleParts, write: Write<never>, stored: StoredAnswer): Promise<Answer> {
  requireSameRequest(write, stored)
  const first = await openedAnswer(parts.database, parts, write, stored)
  return { ...first, replayed: true, storedAt: stored.createdAt }
}

export function replay(write: Write<never>, first: Answer, fingerprint: Buffer): Answer {
  requireSameRequest(write, { ...first, fingerprint })
  return { ...first, replayed: true }
}

function requireSameRequest({ key }: Write<never>, stored: Pick<StoredAnswer, 'status' | 'fingerprint'>): void {
  const { status, fingerprint } = stored
  if (status === ERASED_STATUS) throw new Problem('customer_erased')
  if (!fingerprint.equals(key.fingerprint)) throw new Problem('idempotency_key_reused')
}

async function committedAnswer(
  database: Database,
  write: Write<never>,
  lost: CommitLost,
  deadlineMs: number,
): Promise<StoredAnswer | undefined> {
  for (;;) {
    const leftMs = deadlineMs - clock.elapsedMs()
    // A look-up may wait for a COMMIT itself, for longer than there is time.
    const timer = new AbortController()
    const overdue = sleep(Math.max(0, leftMs), undefined, { signal: timer.signal }).then(() => Promise.reject(lost))
    try {
      return await Promise.race([lookUp(database, write), overdue])
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable || error instanceof CommitLost)) throw error
      if (error === lost || clock.elapsedMs() > deadlineMs) throw lost
      await sleep(100)
    } finally {
      timer.abort()
    }
  }
}

function lookUp(database: Database, write: Write<never>): Promise<StoredAnswer | undefined> {
  return database.transaction(async (transaction) => {
    // Inserting the key waits for the lost transaction, should the server still work on it.
    const free = await insertAnswer(transaction, write, { status: 0, body: '', sealed: null })
    if (!free) return findDurableAnswer(transaction, write)
    await deleteAnswer(transaction, write)
    return undefined
  })
}
