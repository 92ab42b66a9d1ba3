import type { AchReconciliation } from '../../banking/ach/get-ach-reconciliation.ts'
import { reconcileDay } from '../../providers/builtin/ach/reconciliation.ts'
import { readArguments, type Surroundings, UsageError } from '../command.ts'
import { visitOwned } from '../organisations/visit-owned.ts'

/** Reconciles a settlement day of the whole bank. Exit code 1 where the files, the ledger and the statement differ. */
export function reconcile(args: string[], usage: string): (surroundings: Surroundings) => Promise<void> {
  const { positionals, values } = readArguments(args, usage, { words: 1, options: { statement: { type: 'string' } } })
  const [date = ''] = positionals
  if (!/^\d{4}-\d\d-\d\d$/.test(date) || Number.isNaN(Date.parse(date))) {
    throw new UsageError(`a settlement day has the form 2026-02-03\n${usage}`)
  }
  const statement = values.statement === undefined ? undefined : Number(values.statement)
  if (statement !== undefined && !Number.isSafeInteger(statement)) {
    throw new UsageError(`--statement takes whole cents\n${usage}`)
  }
  return async ({ config, out, closers }) => {
    const days = await visitOwned(
      config(),
      (database, elsewhere) => reconcileDay(database, null, date, elsewhere),
      closers,
    )
    const day = days.reduce(sumOf)
    const stated = statement === undefined ? {} : { statement, statementDifference: day.net - statement }
    const { originated, received, returnsSent, returnsReceived, ...totals } = day
    const lines = [
      ...Object.entries({ originated, received, returnsSent, returnsReceived }).map(
        ([name, { count, credits, debits }]) => `${name}: ${count} entries, credits ${credits}, debits ${debits}`,
      ),
      ...Object.entries({ ...totals, ...stated }).map(([name, value]) => `${name}: ${value}`),
    ]
    out.result({ ...day, ...stated }, lines.join('\n'))
    if (day.difference !== 0 || (stated.statementDifference ?? 0) !== 0) process.exitCode = 1
  }
}

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
