import { Problem } from '../../base/problem.ts'
import type { Queryable } from '../../database/database.ts'
import type { DailyReconciliation } from '../../rewards/records/get-daily-reconciliation.ts'
import { type DailyTotals, dailyTotals } from './reconciliation.sql.ts'

/** Sums a day of rewards twice, from the records and from the ledger. */
export async function getDailyReconciliation(
  database: Queryable,
  organisationId: number,
  date: string,
): Promise<DailyReconciliation> {
  const totals = inCents(await dailyTotals(database, organisationId, date))
  return {
    date,
    purchases: { count: totals.purchases, amount: totals.purchaseAmount },
    rewards: { count: totals.rewards, userAmount: totals.userAmount, issuerAmount: totals.issuerAmount },
    payouts: { count: totals.payouts, amount: totals.payoutAmount },
    ledger: {
      payouts: totals.ledgerPayoutAmount,
      clawBacks: totals.ledgerClawBackAmount,
      fundingBalance: totals.fundingBalance,
    },
    balanced: totals.payoutAmount === totals.ledgerPayoutAmount,
  }
}

/** The sums as numbers. Thousands of the largest purchases in one day pass what a JSON number holds exactly. */
function inCents(totals: DailyTotals): Record<keyof DailyTotals, number> {
  const entries = Object.entries(totals).map(([name, text]) => [name, Number(text)] as const)
  if (entries.some(([, sum]) => !Number.isSafeInteger(sum))) {
    throw new Problem('balance_limit', { detail: 'A sum of this day passes 9,007,199,254,740,991 cents.' })
  }
  return Object.fromEntries(entries) as Record<keyof DailyTotals, number>
}
