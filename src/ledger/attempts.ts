import {
  CommitLost,
  DatabaseUnavailable,
  LockTimeout,
  OrganisationEnded,
  OrganisationMoving,
} from '../database/database.ts'
import type { Command } from './books.ts'

/** How a batch is run. */
export interface Attempt {
  locking: Locking
  /** Whether to look up first which idempotency keys have an answer. Most keys are new, so the first attempt does not. */
  readKeys: boolean
  /** Whether all shares of records are locked, because the own one was too small. */
  exact?: boolean
}

/** Whether to wait for accounts that are locked elsewhere, as long as the lock timeout says, or to leave them out. */
export type Locking = 'wait' | 'skip'

/** The name of a lock: `account 1`, one of another record, or `organisation 1` if no command of it got through. */
export type Lock = string

/**
 * The next step after an attempt that failed: another attempt at the same commands, an attempt at each part of them, or
 * the error as the result of all. One organisation alone that is held waits on (`organisations`); one that has ended gets
 * the error (`ended`).
 */
export type Step = Attempt | 'organisations' | 'ended' | 'halves' | 'refuse'

type Failure = 'locked' | 'unavailable' | 'ended' | 'other'

const nextSteps: Record<Failure, (failed: Attempt) => Step> = {
  // Accounts are waited for once, then left out. Whatever is still locked belongs to one of the organisations.
  locked: (failed) => (failed.locking === 'wait' ? { ...failed, locking: 'skip', readKeys: true } : 'organisations'),
  // The database is gone or too slow, and perhaps COMMIT was done: the batch must not run again.
  unavailable: () => 'refuse',
  // One of the organisations was deleted or reset, or is being moved: it must not fail the others.
  ended: () => 'ended',
  // A key that has an answer, or one command that the database refuses: it must not fail its neighbours.
  other: (failed) => (failed.readKeys ? 'halves' : { ...failed, readKeys: true }),
}

export function stepAfter(error: unknown, failed: Attempt): Step {
  return nextSteps[failureOf(error)](failed)
}

/** SQLSTATE of a statement that took longer than its timeout. Another attempt would take as long again. */
const QUERY_CANCELED = '57014'

function failureOf(error: unknown): Failure {
  const { code } = (error instanceof Error ? (error.cause ?? {}) : {}) as { code?: unknown }
  if (error instanceof OrganisationMoving) return 'ended'
  if (error instanceof LockTimeout) return code === QUERY_CANCELED ? 'unavailable' : 'locked'
  if (error instanceof OrganisationEnded) return 'ended'
  return error instanceof CommitLost || error instanceof DatabaseUnavailable ? 'unavailable' : 'other'
}

/** Positions of commands that are run together. */
export type Part = number[]

export function halvesOf(commands: Command<never>[]): Part[] {
  const positions = [...commands.keys()]
  const middle = Math.ceil(commands.length / 2)
  return [positions.slice(0, middle), positions.slice(middle)].filter((part) => part.length > 0)
}

export function organisationsOf(commands: Command<never>[]): Part[] {
  const parts = new Map<number, Part>()
  for (const [position, { write }] of commands.entries()) {
    const { organisationId } = write.caller
    const part = parts.get(organisationId)
    if (part) part.push(position)
    else parts.set(organisationId, [position])
  }
  return [...parts.values()]
}
