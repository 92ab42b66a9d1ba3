import { type Period, periodEnd, type Statement } from '../../banking/statements/statement.ts'
import { startOfMonth } from '../../base/calendar.ts'
import { Problem } from '../../base/problem.ts'
import type { Queryable } from '../../database/database.ts'
import type { EventDraft } from '../../events/event.ts'
import { currentPeriod, insertStatements, type StatementRow } from './statements.sql.ts'

/**
 * Makes the statements of accounts that are locked, and returns those that were not there before. A payment on its way
 * with a time before the month's end is either in or comes after it, because it waits for the locks or held them first.
 */
export async function makeStatements(
  transaction: Queryable,
  organisationId: number,
  period: Period,
  statements: { id: number; accountId: number }[],
): Promise<StatementRow[]> {
  const current = await currentPeriod(transaction, organisationId)
  if (period >= current) throw new Problem('period_not_over')
  const month = { organisationId, period, start: startOfMonth(period), end: periodEnd(period) }
  return insertStatements(transaction, month, statements)
}

export function creationOf(row: StatementRow): EventDraft {
  return { type: 'statement.created', id: String(row.id), version: row.version, data: statementOf(row) }
}

export function statementOf(row: StatementRow): Statement {
  return {
    type: 'accountStatementDTO',
    id: String(row.id),
    period: row.period,
    accountId: String(row.accountId),
    customerId: String(row.customerId),
  }
}
