import type { PaymentLimits } from '../../banking/accounts/account-limits.ts'
import type { ReviewReason } from '../../banking/payments/review-reason.ts'
import { type LimitLeft, Problem } from '../../base/problem.ts'
import type { Books } from '../../ledger/books.ts'
import type { LedgerAccount } from '../../ledger/records.ts'
import { debitUsage } from '../records/debits/debits.ts'
import { accountUsage, organisationShares } from '../records/limits.ts'
import type { LedgerPayment } from '../records/records.ts'
import { periodsOf } from '../records/shares.ts'

const periods = ['payment', 'day', 'month'] as const

/** The amounts that count for a limit before a payment. Nothing counts for the limit of one payment. */
type Used = Record<(typeof periods)[number], number>

/** Refuses an amount above a hard limit. Returns whether it is above a soft one. */
function isOverLimits(limits: PaymentLimits, used: Used, amount: number, scope: LimitLeft['scope']): boolean {
  for (const period of periods) {
    const { hard } = limits[period]
    if (hard !== null && used[period] + amount > hard)
      throw limitExceeded({ scope, period, limit: hard, used: used[period] })
  }
  return periods.some((period) => {
    const { soft } = limits[period]
    return soft !== null && used[period] + amount > soft
  })
}

function limitExceeded({ used, ...limit }: Omit<LimitLeft, 'left'> & { used: number }): Problem {
  const left = Math.max(0, limit.limit - used)
  const figures = limit.period === 'payment' ? `${limit.limit} cents` : `${left} of ${limit.limit} cents are left`
  const detail = `The amount exceeds the limit of the ${limit.scope} for a ${limit.period}: ${figures}.`
  return new Problem('limit_exceeded', { detail, limit: { ...limit, left } })
}

/** The amount by which an account may be overdrawn: its own one, or that of the settings. */
export function overdraftOf({ limits }: Pick<LedgerAccount, 'limits'>, setting: number): number {
  return limits?.overdraft ?? setting
}

/**
 * Counts a new payment of an account with limits. Refuses it above a hard limit, and returns the reason of its review above a
 * soft one.
 */
export function useLimits(books: Books, account: LedgerAccount, amount: number): ReviewReason | undefined {
  const { limits } = account
  if (limits === null) return undefined
  const day = books.now(account.organisationId).slice(0, 10)
  const isOver = isOverLimits(limits, { payment: 0, ...books.of(accountUsage).of(account.id, day) }, amount, 'account')
  books.of(accountUsage).add(account.id, day, amount)
  return isOver ? 'accountLimit' : undefined
}

/**
 * Counts a new payment of an organisation with limits. Refuses it above a hard limit, and returns the reason of its review above a
 * soft one.
 */
export function useOrganisationLimits(books: Books, organisationId: number, amount: number): ReviewReason | undefined {
  const limits = books.of(organisationShares).limits()
  if (!limits) return undefined
  const periods = periodsOf(books.now(organisationId))
  if (!limits.enforced) {
    for (const period of Object.values(periods)) books.of(organisationShares).count(period, amount)
    return undefined
  }
  const only = { ...limits, day: noLimit, month: noLimit }
  let isOver = isOverLimits(only, { payment: 0, day: 0, month: 0 }, amount, 'organisation')
  for (const name of ['day', 'month'] as const) {
    const verdict = books.of(organisationShares).use(periods[name], limits[name], amount)
    if (typeof verdict === 'object') {
      const limit = limits[name].hard ?? 0
      throw limitExceeded({ scope: 'organisation', period: name, limit, used: limit - verdict.left })
    }
    if (verdict === 'over') isOver = true
  }
  return isOver ? 'organisationLimit' : undefined
}

const noLimit = { soft: null, hard: null }

/** Refuses a debit above a hard limit of its account, and returns the reason of its review above a soft one. */
export function useDebitLimits(books: Books, { id, limits }: LedgerAccount, amount: number): ReviewReason | undefined {
  const own = limits?.debits
  if (!own) return undefined
  const { day, month, dayCount } = books.of(debitUsage).of(id)
  if (own.dayCount !== null && dayCount >= own.dayCount) {
    const detail = `The account may have ${own.dayCount} debits a day, and has ${dayCount}.`
    throw new Problem('limit_exceeded', { detail })
  }
  return isOverLimits(own, { payment: 0, day, month }, amount, 'account') ? 'accountLimit' : undefined
}

/** Gives back the amount of a payment that was canceled or rejected to the limits of its account and its organisation. Those of debits count payments. */
export function freeLimits(books: Books, { accountId, createdAt, amount, direction }: LedgerPayment): void {
  if (direction === 'Debit') return
  const ofOrganisation = books.of(organisationShares).limits()
  if (ofOrganisation && createdAt >= ofOrganisation.since) {
    for (const period of Object.values(periodsOf(createdAt))) books.of(organisationShares).count(period, -amount)
  }
  const limits = books.account(accountId)?.limits
  const day = createdAt.slice(0, 10)
  if (limits && day >= limits.since) books.of(accountUsage).add(accountId, day, -amount)
}
