import type { BankingProvider } from '../../banking/provider.ts'
import type { Statement } from '../../banking/statements/statement.ts'
import { MAX_LINES, type StatementDocument, statementDocument } from '../../banking/statements/statement-document.ts'
import { statementHtml } from '../../banking/statements/statement-html.ts'
import type { ListedTransaction } from '../../banking/transactions/transaction.ts'
import { monthOf } from '../../base/calendar.ts'
import { concurrencyLimit } from '../../base/concurrency-limit.ts'
import { idNumber } from '../../base/ids.ts'
import type { Answer, Caller, Write } from '../../base/operation.ts'
import { pageWindow, toPage } from '../../base/page.ts'
import { Problem } from '../../base/problem.ts'
import type { CreateStatementInput } from '../../sandbox/create-statement.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { findAccount, lockAccount } from '../accounts/accounts.sql.ts'
import { findCustomer } from '../customers/customers.sql.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { statementPdf } from './statement-pdf.ts'
import { creationOf, makeStatements, statementOf } from './statement-records.ts'
import { findStatement, findStatementOf, listStatementRows, type StatementRow } from './statements.sql.ts'

interface StatementParts extends Pick<BankParts, 'database' | 'ids' | 'runOnce' | 'routingNumber'> {
  listTransactions: BankingProvider['listTransactions']
}

/** Documents drawn at a time: each keeps the event loop for 10 ms in turn, and a long one takes seconds. */
const MAX_DRAWING = 3
const DRAWING_WAIT_MS = 30_000
/** The longest page of the list of transactions. */
const LONGEST_PAGE = 1_000

export function statementsOf(parts: StatementParts) {
  const { database } = parts
  const draw = concurrencyLimit({ total: MAX_DRAWING, perOrganisation: 1, waitMs: DRAWING_WAIT_MS })
  return {
    async listStatements({ organisationId }, { accountId, period, ...query }) {
      const page = pageWindow(query)
      const filter = { organisationId, accountId: idNumber(accountId), period: period ?? null }
      return toPage(await listStatementRows(database, filter, page), page.limit, statementOf)
    },
    async getStatement(caller, { statementId, format }) {
      const row = await requireStatement(parts, caller, statementId)
      if (format !== 'html') return statementOf(row)
      return draw(caller.organisationId, async () => ({
        html: await statementHtml(await documentOf(parts, caller, row)),
      }))
    },
    async getStatementPdf(caller, statementId) {
      const row = await requireStatement(parts, caller, statementId)
      return draw(caller.organisationId, async () => statementPdf(await documentOf(parts, caller, row)))
    },
    createStatement: (write, input) => createStatement(parts, write, input),
  } satisfies Partial<BankingProvider & Sandbox>
}

/** Makes the statement of one account, or returns the one that is there. */
async function createStatement(
  { ids, runOnce }: StatementParts,
  write: Write<Statement>,
  { accountId, period }: CreateStatementInput,
): Promise<Answer> {
  const id = await ids.next()
  const { organisationId } = write.caller
  return runOnce.transaction(write, async (transaction, events) => {
    const account = await lockAccount(transaction, organisationId, idNumber(accountId))
    if (!account) throw new Problem('account_not_found')
    if (period < monthOf(account.createdAt)) throw new Problem('period_before_account')
    const [made] = await makeStatements(transaction, organisationId, period, [{ id, accountId: account.id }])
    if (made) events.push(creationOf(made))
    const row = made ?? (await findStatementOf(transaction, account.id, period))
    if (!row) throw new Error('a statement that is there already was not found')
    return statementOf(row)
  })
}

async function requireStatement(
  { database }: StatementParts,
  { organisationId }: Caller,
  statementId: string,
): Promise<StatementRow> {
  const row = await findStatement(database, organisationId, idNumber(statementId))
  if (!row) throw new Problem('statement_not_found')
  return row
}

async function documentOf(parts: StatementParts, caller: Caller, row: StatementRow): Promise<StatementDocument> {
  if (row.lastSeq - row.firstSeq >= MAX_LINES) throw new Problem('statement_too_long')
  const { database, routingNumber } = parts
  const account = await findAccount(database, row.accountId)
  const customer = await findCustomer(database, caller.organisationId, row.customerId)
  if (!account || !customer) throw new Error('a statement has an account and a customer')
  const facts = {
    statementId: String(row.id),
    createdAt: row.createdAt,
    holder: account.name,
    address: customer.address,
    accountNumber: account.accountNumber,
    routingNumber,
    period: row.period,
    openingBalance: row.openingBalance,
    closingBalance: row.closingBalance,
  }
  return statementDocument(facts, await transactionsOf(parts, caller, row))
}

/** The transactions of a statement, oldest first. Sequence numbers of an account have no gaps: a number is an offset. */
async function transactionsOf(
  { listTransactions }: StatementParts,
  caller: Caller,
  row: StatementRow,
): Promise<ListedTransaction[]> {
  const transactions: ListedTransaction[] = []
  for (let offset = row.firstSeq - 1; offset < row.lastSeq; offset += LONGEST_PAGE) {
    const limit = Math.min(LONGEST_PAGE, row.lastSeq - offset)
    const query = { accountId: String(row.accountId), sort: 'createdAt', limit, offset } as const
    transactions.push(...(await listTransactions(caller, query)).items)
  }
  return transactions
}
