import { spentBy } from '../../banking/authorizations/authorization.ts'
import { hasPeriodLimit, type Spent } from '../../banking/cards/card-limits.ts'
import type { Queryable } from '../../database/database.ts'
import type { LedgerAuthorization, LedgerCard } from './records.ts'
import { readSpending } from './spending.sql.ts'

/** The approved purchases of a card on one UTC day in bank time. */
export interface CardDay extends Spent {
  cardId: number
  day: string
}

/** A card whose purchases are read, and since when. */
export interface SpendingSince {
  cardId: number
  customerId: number
  since: string
}

interface SpendingParts {
  cards: LedgerCard[]
  authorizations: LedgerAuthorization[]
  times: Map<number, string>
}

/**
 * Reads the purchases of cards that have limits of days or months: since the month of bank time, or of an earlier
 * authorization of the batch that may get an increment.
 */
export function readLimitedSpending(
  transaction: Queryable,
  { cards, authorizations, times }: SpendingParts,
): Promise<CardDay[]> {
  const limited = cards.filter(({ limits }) => limits && hasPeriodLimit(limits))
  return readSpending(
    transaction,
    limited.map(({ id, customerId, organisationId }) => {
      const own = authorizations.filter(({ cardId }) => cardId === id).map(({ createdAt }) => createdAt)
      const earliest = [...own, times.get(organisationId) ?? ''].reduce((a, b) => (a < b ? a : b))
      return { cardId: id, customerId, since: startOfMonth(earliest) }
    }),
  )
}

/** The purchases of a card in the month of a time, by day. */
export function readMonth(
  database: Queryable,
  { cardId, customerId, now }: { cardId: number; customerId: number; now: string },
): Promise<CardDay[]> {
  return readSpending(database, [{ cardId, customerId, since: startOfMonth(now) }])
}

/** The sum of the days that begin with `2026-06-15` or `2026-06`. */
export function spentIn(days: Iterable<CardDay>, period: string): Spent {
  let [amount, count] = [0, 0]
  for (const each of days) {
    if (!each.day.startsWith(period)) continue
    amount += each.amount
    count += each.count
  }
  return { amount, count }
}

/** The change that an authorization makes to the day on which it was created. */
export function spendingChange(after: LedgerAuthorization, before: LedgerAuthorization | undefined): Spent {
  const [now, then] = [spentBy(after), before ? spentBy(before) : 0]
  return { amount: now - then, count: Number(now > 0) - Number(then > 0) }
}

function startOfMonth(instant: string): string {
  return `${instant.slice(0, 7)}-01T00:00:00.000Z`
}
