import type { UndoLog } from '../books/undo-log.ts'
import type { Books, BooksState, Rows } from '../books.ts'
import { emptyShare, shareName } from './shares.sql.ts'
import { useShare } from './shares.ts'

/** The amounts that accounts with limits have paid a day. */
export function usageBooks(
  { usage }: BooksState,
  rows: Rows,
  undo: UndoLog,
  organisationOf: (accountId: number) => number,
): Pick<Books, 'usage' | 'addUsage'> {
  return {
    usage(accountId, day) {
      const used = { day: 0, month: 0 }
      for (const [each, amount] of usage.get(accountId) ?? []) {
        if (each === day) used.day += amount
        if (each.slice(0, 7) === day.slice(0, 7)) used.month += amount
      }
      return used
    },
    addUsage(accountId, day, amount) {
      const days = usage.get(accountId) ?? new Map<string, number>()
      const before = days.get(day) ?? 0
      days.set(day, before + amount)
      undo.push(() => days.set(day, before))
      undo.append(rows.usages, { accountId, organisationId: organisationOf(accountId), day, amount })
    },
  }
}

/** The limits of the organisation of the current command, and its shares of them. */
export function organisationBooks(
  { organisations }: BooksState,
  rows: Rows,
  undo: UndoLog,
  organisation: () => number,
): Pick<Books, 'organisationLimits' | 'useShare' | 'countInPeriod'> {
  const { limits, shares } = organisations
  return {
    organisationLimits: () => limits.get(organisation()),
    useShare(period, limit, amount) {
      const name = shareName(organisation(), period)
      const share = shares.get(name) ?? emptyShare(organisation(), period, false)
      const before = { ...share }
      shares.set(name, share)
      undo.push(() => Object.assign(share, before))
      const verdict = useShare(share, limit, amount)
      if (!rows.shares.includes(share)) undo.append(rows.shares, share)
      return verdict
    },
    countInPeriod(period, amount) {
      undo.append(rows.counted, { organisationId: organisation(), period, amount })
    },
  }
}
