import type { DebitCounts } from '../../../banking/ach/return-rates.ts'
import { recordKind } from '../../../ledger/kinds.ts'
import { type CompanyCounts, countCompanyReturns, countReturns, type SharedCounts } from './return-rates.sql.ts'

/** The counts of debits and returns of organisations, which are read if rates stop new debits. Named by organisations. */
export const returnCounts = recordKind({
  name: 'counts of returns',
  read: (transaction, ids: number[]) => countReturns(transaction, ids),
  open: (rows: CompanyCounts[]) => ({ of: (id: number) => totalOf(rows.filter((row) => row.id === id)) }),
})

/** The counts of the companies that the organisations of a batch send as. Named by the company of the settings. */
export const companyReturns = recordKind({
  name: 'counts of returns of companies',
  read: async (transaction, [companyId]: string[], { times }) =>
    companyId === undefined ? [] : countCompanyReturns(transaction, companyId, times),
  open: (rows: SharedCounts[]) => ({ of: (id: number) => rows.find((row) => row.id === id) }),
})

export function totalOf(rows: DebitCounts[]): DebitCounts {
  const sum = (member: keyof DebitCounts) => rows.reduce((total, row) => total + row[member], 0)
  return {
    debits: sum('debits'),
    unauthorized: sum('unauthorized'),
    administrative: sum('administrative'),
    all: sum('all'),
  }
}
