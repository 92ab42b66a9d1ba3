import { type Static, Type } from 'typebox'
import { monthAfter, startOfMonth } from '../../base/calendar.ts'
import { RecordId } from '../../base/ids.ts'
import { Word } from '../../base/text.ts'

/** A calendar month in UTC. */
export const Period = Type.String({
  pattern: '^[1-9][0-9]{3}-(0[1-9]|1[0-2])$',
  description: 'Calendar month in UTC, YYYY-MM',
  examples: ['2026-01'],
})
export type Period = Static<typeof Period>

export const Statement = Type.Object(
  {
    type: Word(['accountStatementDTO'], { description: 'Always `accountStatementDTO`' }),
    id: RecordId(),
    period: Period,
    accountId: RecordId('The account of the statement'),
    customerId: RecordId('The customer who owns the account'),
  },
  { $id: 'Statement', description: 'The statement of an account for one month' },
)
export type Statement = Static<typeof Statement>

export const StatementHtml = Type.Object(
  { html: Type.String({ description: 'The statement as an HTML page', examples: ['<!doctype html>…'] }) },
  { $id: 'StatementHtml', description: 'The document of a statement' },
)
export type StatementHtml = Static<typeof StatementHtml>

/** The instant from which a period is over. */
export function periodEnd(period: Period): string {
  return startOfMonth(monthAfter(period))
}
