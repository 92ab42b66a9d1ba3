import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { pageQuery } from '../../base/page.ts'
import { bankingRead } from '../provider.ts'
import { Period, Statement } from './statement.ts'

const ListStatementsQuery = Type.Object({
  accountId: Id('account'),
  period: Type.Optional(Period),
  ...pageQuery,
})
export type ListStatementsQuery = Static<typeof ListStatementsQuery>

/** B13. Lists the statements of an account, the latest month first. */
export const listStatements = bankingRead({
  id: 'listStatements',
  resource: 'statements',
  verb: 'list',
  number: 'B13',
  area: 'banking',
  method: 'GET',
  path: '/v0/banking/statements',
  summary: 'List statements',
  status: 200,
  scope: 'banking:read',
  query: ListStatementsQuery,
  data: Type.Array(Statement),
  problems: [],
  run: ({ bank, caller }, { query }) => bank.listStatements(caller, query),
})
