import { LAST_INSTANT } from '../../base/clock.ts'
import { Problem } from '../../base/problem.ts'
import type { Books } from '../../ledger/books.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { bankWrite } from '../parts/bank-write.ts'
import { type CustomerSeals, customerSeals } from '../parts/customer-seals.ts'
import { holds } from '../records/holds.ts'
import type { DueRun, Forecast, Timer } from '../time/due.ts'
import { expiringHolds } from './account-holds.sql.ts'
import { decideHoldEnd } from './hold-decisions.ts'

/** Holds that expire together: as many as one batch of the lane takes. */
const MAX_EXPIRING_TOGETHER = 500

/** The timer that ends active holds when they expire. */
export function holdTimerOf(bank: BankParts): Timer {
  return async (organisationId) => {
    const [first] = await expiringHolds(bank.database, organisationId, LAST_INSTANT, 1)
    return first && { at: first.expiresAt, run: (run) => expireUntil(bank, organisationId, first.expiresAt, run) }
  }
}

/** The active holds that expire next. */
export function holdForecastOf({ database }: Pick<BankParts, 'database'>): Forecast {
  return async (organisationId, limit) =>
    (await expiringHolds(database, organisationId, LAST_INSTANT, limit)).map(({ id, expiresAt }) => ({
      at: expiresAt,
      type: 'accountHold.expired',
      id: String(id),
    }))
}

async function expireUntil(bank: BankParts, organisationId: number, until: string, run: DueRun): Promise<void> {
  for (;;) {
    const due = await expiringHolds(bank.database, organisationId, until, MAX_EXPIRING_TOGETHER)
    const customerIds = due.map(({ customerId }) => customerId)
    const seals = await customerSeals(bank, organisationId, customerIds)
    const ended = await Promise.all(due.map((hold) => expire(bank, organisationId, hold, seals)))
    for (const [index, { id, expiresAt }] of due.entries()) {
      if (ended[index]) run.happened({ at: expiresAt, type: 'accountHold.expired', id: String(id) })
    }
    if (due.length < MAX_EXPIRING_TOGETHER || run.isOver()) return
  }
}

/** Ends a hold; returns false if it was released a moment ago. */
async function expire(
  { runOnce, lane }: BankParts,
  organisationId: number,
  { id, accountId }: { id: number; accountId: number },
  seals: CustomerSeals,
): Promise<boolean> {
  const write = bankWrite(organisationId)
  const command = {
    write,
    accountIds: [accountId],
    reads: [holds.ids([id])],
    decide: (books: Books) => void decideHoldEnd(books, { id, status: 'Expired', seals }),
  }
  try {
    await runOnce.attempt(write, () => lane.run(command))
    return true
  } catch (error) {
    if (error instanceof Problem && error.code === 'account_hold_not_active') return false
    throw error
  }
}
