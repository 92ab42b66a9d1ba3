import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { Bytes, FileContent } from '../../base/operation.ts'
import { bankingRead } from '../provider.ts'

/** Extension. Reads one statement as a document to keep. */
export const getStatementPdf = bankingRead({
  id: 'getStatementPdf',
  resource: 'statements',
  verb: 'getPdf',
  path: '/v0/banking/statements/:statementId/pdf',
  summary: 'Get statement as PDF',
  description:
    'Returns a statement as a PDF file with the holder, the opening and closing balance, and every transaction of the month. The answer is the file itself, without the usual envelope. A person needs the scope `personal:read`, too.\n\nAn unknown id is refused with `statement_not_found`. A month with more than 20,000 transactions has no document (`statement_too_long`).',
  personal: true,
  fromStandby: true,
  params: Type.Object({ statementId: Id('statement') }),
  contentType: 'application/pdf',
  data: Bytes,
  problems: ['statement_not_found', 'statement_too_long'],
  run: async ({ bank, caller }, { params: { statementId } }) => {
    const bytes = await bank.getStatementPdf(caller, statementId)
    return new FileContent(bytes, 'application/pdf', `statement-${statementId}.pdf`)
  },
})
