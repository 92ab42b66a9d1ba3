import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingRead } from '../provider.ts'
import { Statement, StatementHtml } from './statement.ts'

/** Extension. Reads one statement: the record, or the document as HTML. */
export const getStatement = bankingRead({
  id: 'getStatement',
  resource: 'statements',
  verb: 'get',
  area: 'banking',
  method: 'GET',
  path: '/v0/banking/statements/:statementId',
  summary: 'Get statement',
  status: 200,
  scope: 'banking:read',
  params: Type.Object({ statementId: Id('statement') }),
  query: Type.Object({
    format: Type.Optional(Type.Enum(['html'], { description: 'Answers the document in place of the record' })),
  }),
  data: Type.Union([Statement, StatementHtml]),
  problems: ['statement_not_found', 'statement_too_long'],
  run: ({ bank, caller }, { params, query }) =>
    bank.getStatement(caller, { statementId: params.statementId, format: query.format }),
})
