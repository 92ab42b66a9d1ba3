import { UsageError } from '../../../ground/failure.ts'
import { tableText } from '../../../ground/table.ts'
import { reconcileDay } from '../../bank/ach/reconciliation.ts'
import type { AchReconciliation } from '../../banking/ach/get-ach-reconciliation.ts'
import { visitOwned } from '../../cells/visit-owned.ts'
import type { OperatorCommand } from '../command.ts'

/** Reconciles a settlement day of the whole bank. Exit code 1 if the files, the ledger and the statement differ. */
export const reconcile: OperatorCommand = async ({ args: [date = ''], options, config, out, closers }) => {
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || Number.isNaN(Date.parse(date))) {
    throw new UsageError('a settlement day has the form 2026-02-03')
  }
  const statement = options.statement === undefined ? undefined : Number(options.statement)
  if (statement !== undefined && !Number.isSafeInteger(statement)) {
    throw new UsageError('--statement takes whole cents')
  }
  const days = await visitOwned(
    config(),
    (database, elsewhere) => reconcileDay(database, null, date, elsewhere),
    closers,
  )
  const day = days.reduce(sumOf)
  const stated = statement === undefined ? {} : { statement, statementDifference: day.net - statement }
  out.result({ ...day, ...stated }, textOf(day, stated))
  return day.difference !== 0 || (stated.statementDifference ?? 0) !== 0 ? 1 : 0
}

const names = {
  ...{
    originated: 'originated',
    received: 'received',
    returnsSent: 'returns sent',
    returnsReceived: 'returns received',
  },
  ...{ net: 'net', pending: 'pending', ledgerNet: 'net of the ledger', difference: 'difference' },
  ...{ statement: 'statement', statementDifference: 'difference to the statement' },
}

/** The day as a table: the entries by their kinds, and the totals below them. */
function textOf(
  { originated, received, returnsSent, returnsReceived, ...day }: AchReconciliation,
  stated: object,
): string {
  const { date: _, ...totals } = { ...day, ...stated }
  const kinds = Object.entries({ originated, received, returnsSent, returnsReceived })
  const rows = [
    ...kinds.map(([name, side]) => ({ name, entries: side.count, credits: side.credits, debits: side.debits })),
    ...Object.entries(totals).map(([name, total]) => ({ name, total })),
  ].map((row) => ({ ...blanks, ...row, name: names[row.name as keyof typeof names] }))
  const headings = { name: day.date, entries: 'ENTRIES', credits: 'CREDITS', debits: 'DEBITS', total: 'TOTAL' }
  return tableText(rows, headings, { money: ['credits', 'debits', 'total'] })
}

const blanks = { entries: '', credits: '', debits: '', total: '' }

/** The sums of two cells. Differences of opposite signs are differences: they count without their signs. */
function sumOf(one: AchReconciliation, other: AchReconciliation): AchReconciliation {
  const sides = (name: 'originated' | 'received' | 'returnsSent' | 'returnsReceived') => ({
    count: one[name].count + other[name].count,
    credits: one[name].credits + other[name].credits,
    debits: one[name].debits + other[name].debits,
  })
  return {
    date: one.date,
    originated: sides('originated'),
    received: sides('received'),
    returnsSent: sides('returnsSent'),
    returnsReceived: sides('returnsReceived'),
    net: one.net + other.net,
    pending: one.pending + other.pending,
    ledgerNet: one.ledgerNet + other.ledgerNet,
    difference: Math.abs(one.difference) + Math.abs(other.difference),
  }
}
