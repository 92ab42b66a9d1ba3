import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { pageQuery } from '../../base/page.ts'
import { described } from '../../base/text.ts'
import { bankingRead } from '../provider.ts'
import { Period, Statement } from './statement.ts'

const ListStatementsQuery = Type.Object({
  accountId: Id('account', 'The account whose statements are listed'),
  period: Type.Optional(described(Period, 'Only the statement of this month, YYYY-MM')),
  ...pageQuery,
})
export type ListStatementsQuery = Static<typeof ListStatementsQuery>

/** B13. Lists the statements of an account, the latest month first. */
export const listStatements = bankingRead({
  id: 'listStatements',
  resource: 'statements',
  verb: 'list',
  number: 'B13',
  path: '/v0/banking/statements',
  summary: 'List statements',
  description:
    'Lists the monthly statements of an account, latest month first. A statement is written when its month ends in bank time, with the event `statement.created`, so the current month has none. For an unknown account the list is empty.\n\n`GET /v0/banking/statements/:statementId/pdf` returns the document.',
  fromStandby: true,
  query: ListStatementsQuery,
  data: Type.Array(Statement),
  problems: [],
  run: ({ bank, caller }, { query }) => bank.listStatements(caller, query),
})
