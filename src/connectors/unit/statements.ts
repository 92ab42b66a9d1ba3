import type { BankingProvider } from '../../banking/provider.ts'
import { getStatement } from '../../banking/statements/get-statement.ts'
import { getStatementPdf } from '../../banking/statements/get-statement-pdf.ts'
import { Problem } from '../../base/problem.ts'
import { statement } from './mapping/statement.ts'
import type { Connector } from './parts.ts'
import { listQuery } from './query.ts'

export function statementsOf({ list, bytes }: Connector) {
  return {
    listStatements: (_caller, { accountId, period, ...page }) => {
      const sort = page.sort === 'createdAt' ? 'period' : '-period'
      return list([accountId], `/statements${listQuery(page, sort, { accountId, period })}`, page, statement)
    },

    async getStatement(_caller, { statementId, format }) {
      if (format !== 'html') {
        const detail = 'The provider answers a statement by its id as a document only: ask with format=html or …/pdf.'
        throw new Problem('not_supported_by_provider', { detail })
      }
      const page = await bytes(getStatement, [statementId], `/statements/${statementId}/html`, (it) => it.length > 0)
      return { html: page.toString('utf8') }
    },

    getStatementPdf: (_caller, statementId) =>
      bytes(getStatementPdf, [statementId], `/statements/${statementId}/pdf`, isPdf),
  } satisfies Partial<BankingProvider>
}

/** Whether bytes are a PDF: readers look for its mark in the first kilobyte. */
function isPdf(bytes: Buffer): boolean {
  return bytes.subarray(0, 1_024).includes('%PDF-')
}
