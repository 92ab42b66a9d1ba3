import type { PaymentLimits } from '../../banking/accounts/account-limits.ts'
import { recordKind } from '../../ledger/kinds.ts'
import { emptyShare, lockShares, type Shares, shareName, writeShares } from './shares.sql.ts'
import { type OrganisationLimits, type Share, type ShareVerdict, useShare } from './shares.ts'
import { readUsage, type Usage, type UsageChange, writeUsage } from './usage.sql.ts'

interface UsageBook {
  /** The amounts that count for the limits of an account, on a day and in its month. */
  of(accountId: number, day: string): { day: number; month: number }
  /** Changes what the payments of an account with limits used on a day. */
  add(accountId: number, day: string, amount: number): void
  changes: UsageChange[]
}

/** The amounts that accounts with limits have paid a day. Named by accounts. */
export const accountUsage = recordKind({
  name: 'usage of accounts',
  async read(transaction, ids: number[], { accounts, times }) {
    const named = accounts.filter(({ id, limits }) => limits !== null && ids.includes(id))
    return named.length === 0 ? [] : [await readUsage(transaction, named, times)]
  },
  open([usage = new Map()]: Usage[], { undo, account }): UsageBook {
    const changes: UsageChange[] = []
    return {
      of(accountId, day) {
        const used = { day: 0, month: 0 }
        for (const [each, amount] of usage.get(accountId) ?? []) {
          if (each === day) used.day += amount
          if (each.slice(0, 7) === day.slice(0, 7)) used.month += amount
        }
        return used
      },
      add(accountId, day, amount) {
        const days = usage.get(accountId) ?? new Map<string, number>()
        const before = days.get(day) ?? 0
        days.set(day, before + amount)
        undo.push(() => days.set(day, before))
        undo.append(changes, { accountId, organisationId: account(accountId)?.organisationId ?? 0, day, amount })
      },
      changes,
    }
  },
  write: (transaction, { changes }) => writeUsage(transaction, changes),
})

interface ShareBook {
  /** The limits of the caller's organisation, if it has some. */
  limits(): OrganisationLimits | undefined
  /** Uses an amount of a limit of the caller's organisation in a period. */
  use(period: string, limit: PaymentLimits['day'], amount: number): ShareVerdict
  /** Counts an amount in a period of the caller's organisation, whatever its limits. */
  count(period: string, amount: number): void
  used: Share[]
  counted: { organisationId: number; period: string; amount: number }[]
}

/** The limits of organisations, and the shares of the connection in them. Named by organisations. */
export const organisationShares = recordKind({
  name: 'shares of organisations',
  async read(transaction, ids: number[], { limits, times, slot, exact }) {
    if (limits.size === 0) return []
    const limited = [...limits].filter(([id]) => ids.includes(id)) as [number, OrganisationLimits][]
    return limited.length === 0 ? [] : [await lockShares(transaction, new Map(limited), times, { slot, exact })]
  },
  open([locked]: Shares[], { undo, organisation, limits }): ShareBook {
    const shares = locked?.shares ?? new Map<string, Share>()
    const used: Share[] = []
    const counted: ShareBook['counted'] = []
    return {
      limits: () =>
        locked?.limits.get(organisation()) ?? (limits.get(organisation()) as OrganisationLimits | undefined),
      use(period, limit, amount) {
        const name = shareName(organisation(), period)
        const share = shares.get(name) ?? emptyShare(organisation(), period, false)
        const before = { ...share }
        shares.set(name, share)
        undo.push(() => Object.assign(share, before))
        const verdict = useShare(share, limit, amount)
        if (!used.includes(share)) undo.append(used, share)
        return verdict
      },
      count(period, amount) {
        undo.append(counted, { organisationId: organisation(), period, amount })
      },
      used,
      counted,
    }
  },
  write: (transaction, book, slot) => writeShares(transaction, book, slot),
})
