import {
  type DebitCounts,
  partOfLimit,
  RATE_DAYS,
  type RateKind,
  type ReturnRates,
  rateKinds,
  ratesOf,
  type StopRates,
  stoppedBy,
} from '../../banking/ach/return-rates.ts'
import type { BankingProvider } from '../../banking/provider.ts'
import { addDays } from '../../base/clock.ts'
import type { Caller } from '../../base/operation.ts'
import { Problem } from '../../base/problem.ts'
import type { Books } from '../../ledger/books.ts'
import type { NotableRate } from '../../tools/attention.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { countCompanyReturns, countReturns, organisationsWithReturns } from '../records/debits/return-rates.sql.ts'
import { companyReturns, returnCounts, totalOf } from '../records/debits/return-rates.ts'
import { bankTime } from '../time/clock.sql.ts'

export function returnRatesOf(bank: BankParts): Pick<Required<BankingProvider>, 'getReturnRates'> {
  return { getReturnRates: (caller) => getReturnRates(bank, caller) }
}

async function getReturnRates({ database, debits }: BankParts, { organisationId }: Caller): Promise<ReturnRates> {
  const until = await bankTime(database, organisationId)
  const rows = await countReturns(database, [organisationId])
  const stops = debits.stopAt ?? {}
  const total = totalOf(rows)
  return {
    ...{ since: addDays(until, -RATE_DAYS), until, debits: total.debits, rates: ratesOf(total, stops) },
    companies: rows.flatMap(({ companyId, companyName, ...counts }) =>
      companyId === null
        ? []
        : { companyId, companyName: companyName ?? '', debits: counts.debits, rates: ratesOf(counts, stops) },
    ),
  }
}

/** The return rates of an organisation and its companies that need a person; `company` is undefined for those of the organisation. */
export async function notableRates(
  { database, debits, ach }: Pick<BankParts, 'database' | 'debits' | 'ach'>,
  organisationId: number,
): Promise<NotableRate[]> {
  const times = new Map([[organisationId, await bankTime(database, organisationId)]])
  const { companyStopAt } = debits
  const shared = companyStopAt && ach !== 'instant' ? await countCompanyReturns(database, ach.companyId, times) : []
  const stopped = shared.flatMap(({ companyId, ...counts }) =>
    ratesOf(counts, companyStopAt ?? {}).map((rate) => ({ company: `company ${companyId}`, rate })),
  )
  const rows = await countReturns(database, [organisationId])
  const stops = debits.stopAt ?? {}
  const own = ratesOf(totalOf(rows), stops).map((rate) => ({ company: undefined, rate }))
  // The rates of the only company are those of the organisation.
  const companies = rows.length > 1 ? rows : []
  const each = companies.flatMap(({ companyName, ...counts }) =>
    companyName === null ? [] : ratesOf(counts, stops).map((rate) => ({ company: companyName, rate })),
  )
  return [
    ...[...own, ...each].filter(({ rate }) => rate.status !== 'Normal'),
    ...stopped.filter(({ rate }) => rate.status === 'Stopped'),
  ]
}

/** The highest parts of the limits of the ACH rules that an organisation or a company of one database reaches. */
export async function highestReturnRates(database: BankParts['database']): Promise<HighestRate[]> {
  const rows = await countReturns(database, await organisationsWithReturns(database))
  // A company can send the debits of several organisations, and the rules see it alone.
  const inFiles = rows.filter(({ companyId }) => companyId !== null)
  const totals = {
    organisation: totalsBy(rows, ({ id }) => id),
    company: totalsBy(inFiles, ({ companyId }) => companyId),
  }
  return (['organisation', 'company'] as const).flatMap((by) =>
    rateKinds.map((kind) => ({ by, kind, part: Math.max(0, ...totals[by].map((total) => partOfLimit(total, kind))) })),
  )
}

function totalsBy<Row extends DebitCounts>(rows: Row[], keyOf: (row: Row) => unknown): DebitCounts[] {
  return [...new Set(rows.map(keyOf))].map((key) => totalOf(rows.filter((row) => keyOf(row) === key)))
}

export interface HighestRate {
  by: 'organisation' | 'company'
  kind: RateKind
  /** 1 at the limit. */
  part: number
}

/** Refuses a debit if too many of the organisation's, or of its company's, were returned. The command must have read the counts. */
export function requireDebitsOpen(
  books: Books,
  organisationId: number,
  { stopAt, companyStopAt }: BankParts['debits'],
): void {
  if (stopAt) requireBelow(books.of(returnCounts).of(organisationId), stopAt, '')
  const company = companyStopAt && books.of(companyReturns).of(organisationId)
  if (company) requireBelow(company, companyStopAt, ` of company ${company.companyId}`)
}

function requireBelow(counts: DebitCounts, stopAt: StopRates, whose: string): void {
  const rate = stoppedBy(counts, stopAt)
  if (!rate) return
  const percent = (value: number) => `${value / 100} %`
  const detail = `${percent(rate.rate)} of the debits${whose} of ${RATE_DAYS} days were returned (${rate.kind}); debits stop at ${percent(rate.stopAt ?? 0)}.`
  throw new Problem('debits_stopped', { detail })
}
