import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingRead } from '../provider.ts'
import { Statement, StatementHtml } from './statement.ts'

/** Extension. Reads one statement: the record, or the document as HTML. */
export const getStatement = bankingRead({
  id: 'getStatement',
  resource: 'statements',
  verb: 'get',
  path: '/v0/banking/statements/:statementId',
  summary: 'Get statement',
  description:
    'Returns the record of a statement, or with `format=html` its document as an HTML page, both in the usual envelope. A person needs the scope `personal:read` for the document.\n\nAn unknown id is refused with `statement_not_found`. A month with more than 20,000 transactions has no document (`statement_too_long`).',
  personal: ({ format }) => format === 'html',
  fromStandby: true,
  params: Type.Object({ statementId: Id('statement') }),
  query: Type.Object({
    format: Type.Optional(Type.Enum(['html'], { description: '`html` returns the document instead of the record' })),
  }),
  data: Type.Union([Statement, StatementHtml], { description: 'The record, or the document with `format=html`' }),
  problems: ['statement_not_found', 'statement_too_long'],
  run: ({ bank, caller }, { params, query }) =>
    bank.getStatement(caller, { statementId: params.statementId, format: query.format }),
})
