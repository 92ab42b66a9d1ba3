import type { Queryable } from '../../database/database.ts'
import { clockLock } from '../time/clock.sql.ts'
import { moveFile } from './delivery.sql.ts'

/** Moves a file to the state that the operator notes, in a transaction that holds its row. */
export async function noteState(
  transaction: Queryable,
  move: { id: number; from: readonly string[]; to: string },
): Promise<void> {
  if (!(await moveFile(transaction, { ...move, from: [...move.from] })))
    throw new Error('an ACH file changed under its lock')
}

/** Keeps timers of organisations from running, and so their batches from settling, until the transaction ends. */
export async function holdTimers(transaction: Queryable, organisationIds: Iterable<number>): Promise<void> {
  for (const id of [...new Set(organisationIds)].sort((a, b) => a - b)) await clockLock(transaction, id)
}
