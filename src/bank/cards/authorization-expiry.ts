import { LAST_INSTANT } from '../../base/clock.ts'
import { Problem } from '../../base/problem.ts'
import type { Books } from '../../ledger/books.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { bankWrite } from '../parts/bank-write.ts'
import { authorizations } from '../records/cards.ts'
import type { DueRun, Forecast, Timer } from '../time/due.ts'
import { decideReversal } from './authorization-decisions.ts'
import { expiringAuthorizations } from './authorizations.sql.ts'

/** Authorizations that expire together: as many as one batch of the lane takes. */
const MAX_EXPIRING_TOGETHER = 500

/** The timer that cancels open authorizations when they expire. */
export function authorizationTimerOf(bank: BankParts): Timer {
  return async (organisationId) => {
    const [first] = await expiringAuthorizations(bank.database, organisationId, LAST_INSTANT, 1)
    return first && { at: first.expiresAt, run: (run) => expireUntil(bank, organisationId, first.expiresAt, run) }
  }
}

/** The open authorizations that expire next. */
export function authorizationForecastOf({ database }: Pick<BankParts, 'database'>): Forecast {
  return async (organisationId, limit) =>
    (await expiringAuthorizations(database, organisationId, LAST_INSTANT, limit)).map(({ id, expiresAt }) => ({
      at: expiresAt,
      type: 'authorization.canceled',
      id: String(id),
    }))
}

async function expireUntil(bank: BankParts, organisationId: number, until: string, run: DueRun): Promise<void> {
  for (;;) {
    const due = await expiringAuthorizations(bank.database, organisationId, until, MAX_EXPIRING_TOGETHER)
    const canceled = await Promise.all(due.map((authorization) => expire(bank, organisationId, authorization)))
    for (const [index, { id, expiresAt }] of due.entries()) {
      if (canceled[index]) run.happened({ at: expiresAt, type: 'authorization.canceled', id: String(id) })
    }
    if (due.length < MAX_EXPIRING_TOGETHER || run.isOver()) return
  }
}

/** Cancels an authorization; returns false if it was settled or reversed a moment ago. */
async function expire(
  { runOnce, lane }: BankParts,
  organisationId: number,
  { id, accountId }: { id: number; accountId: number },
): Promise<boolean> {
  const write = bankWrite(organisationId)
  const command = {
    write,
    accountIds: [accountId],
    reads: [authorizations.ids([id])],
    decide: (books: Books) => void decideReversal(books, id),
  }
  try {
    await runOnce.attempt(write, () => lane.run(command))
    return true
  } catch (error) {
    if (error instanceof Problem && error.code === 'authorization_not_open') return false
    throw error
  }
}
