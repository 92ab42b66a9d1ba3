import { RATE_DAYS, type ReturnRates, ratesOf, stoppedBy } from '../../banking/ach/return-rates.ts'
import type { BankingProvider } from '../../banking/provider.ts'
import { addDays } from '../../base/clock.ts'
import type { Caller } from '../../base/operation.ts'
import { Problem } from '../../base/problem.ts'
import type { Books } from '../../ledger/books.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { countReturns } from '../records/debits/return-rates.sql.ts'
import { returnCounts, totalOf } from '../records/debits/return-rates.ts'
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

/** Refuses a debit if too many of the organisation's were returned. The command must have read the counts. */
export function requireDebitsOpen(books: Books, organisationId: number, { stopAt }: BankParts['debits']): void {
  if (!stopAt) return
  const rate = stoppedBy(books.of(returnCounts).of(organisationId), stopAt)
  if (!rate) return
  const percent = (value: number) => `${value / 100} %`
  const detail = `${percent(rate.rate)} of the debits of ${RATE_DAYS} days were returned (${rate.kind}); debits stop at ${percent(rate.stopAt ?? 0)}.`
  throw new Problem('debits_stopped', { detail })
}
