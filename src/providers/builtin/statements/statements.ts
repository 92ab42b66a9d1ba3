import type { BankingProvider } from '../../../banking/provider.ts'
import { type Period, periodEnd, type Statement } from '../../../banking/statements/statement.ts'
import { MAX_LINES, type StatementDocument, statementDocument } from '../../../banking/statements/statement-document.ts'
import { statementHtml } from '../../../banking/statements/statement-html.ts'
import type { ListedTransaction } from '../../../banking/transactions/transaction.ts'
import { monthAfter, startOfMonth } from '../../../base/calendar.ts'
import { idNumber } from '../../../base/ids.ts'
import type { Caller } from '../../../base/operation.ts'
import { pageWindow, toPage } from '../../../base/page.ts'
import { Problem } from '../../../base/problem.ts'
import type { Queryable } from '../../../database/database.ts'
import type { EventDraft } from '../../../events/event.ts'
import { bankOrigin, recordEvents } from '../../../events/record.ts'
import type { Sandbox } from '../../../sandbox/sandbox.ts'
import { awaitOpenings, findAccount, lockAccount } from '../bank/accounts.sql.ts'
import { findCustomer } from '../bank/customers.sql.ts'
import type { BankParts } from '../bank-parts.ts'
import type { Timer } from '../clock/clock.ts'
import { statementPdf } from './statement-pdf.ts'
import {
  currentPeriod,
  findStatement,
  findStatementOf,
  findUnturnedPeriod,
  insertStatements,
  listStatementRows,
  lockAccounts,
  nextAccounts,
  type StatementRow,
  updateUnturnedPeriod,
} from './statements.sql.ts'

/** What happens when a month of bank time is over, for the clock to call. */
export interface MonthTurns {
  /** The oldest month whose turn has not been finished, and when in bank time it is due. */
  nextMonthTurn(organisationId: number): Promise<{ period: Period; dueAt: string }>
  /**
   * Makes the statements of a month that is over, one for every account that was there before its end, and answers how
   * many. Stopped half-way it completes them when it is called again; two at once make each one once.
   */
  turnMonth(organisationId: number, period: Period, options?: TurnOptions): Promise<number>
  /** The turn of this month is made: the next one is that of the month after. */
  finishTurn(organisationId: number, period: Period): Promise<void>
}

interface TurnOptions {
  /** Accounts in one transaction: for so many others a payment may have to wait. */
  chunk?: number
  /** Called with what each transaction made, before it commits; what it throws rolls that one back. */
  made?(transaction: Queryable, statements: { id: number; accountId: number }[]): Promise<void> | void
}

const CHUNK = 1_000
/** The longest page of the list of transactions. */
const LONGEST_PAGE = 1_000

type Statements = Required<Pick<BankingProvider, 'listStatements' | 'getStatement' | 'getStatementPdf'>> &
  Pick<Sandbox, 'createStatement'> &
  MonthTurns

export function statementsOf(
  { database, ids, runOnce, routingNumber }: BankParts,
  { listTransactions }: Pick<BankingProvider, 'listTransactions'>,
): Statements {
  async function statementRow({ organisationId }: Caller, statementId: string): Promise<StatementRow> {
    const row = await findStatement(database, organisationId, idNumber(statementId))
    if (!row) throw new Problem('statement_not_found')
    return row
  }

  async function documentOf(caller: Caller, row: StatementRow): Promise<StatementDocument> {
    if (row.lastSeq - row.firstSeq >= MAX_LINES) throw new Problem('statement_too_long')
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
    return statementDocument(facts, await transactionsOf(caller, row))
  }

  /** Numbers along an account have no gaps, so that in the list, oldest first, a number is a place. */
  async function transactionsOf(caller: Caller, row: StatementRow): Promise<ListedTransaction[]> {
    const transactions: ListedTransaction[] = []
    for (let offset = row.firstSeq - 1; offset < row.lastSeq; offset += LONGEST_PAGE) {
      const limit = Math.min(LONGEST_PAGE, row.lastSeq - offset)
      const query = { accountId: String(row.accountId), sort: 'createdAt', limit, offset } as const
      transactions.push(...(await listTransactions(caller, query)).items)
    }
    return transactions
  }

  /** Under the accounts' locks: a payment on its way with a time before the month's end is in, or comes after it. */
  async function makeStatements(
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

  return {
    async listStatements({ organisationId }, { accountId, period, ...query }) {
      const page = pageWindow(query)
      const filter = { organisationId, accountId: idNumber(accountId), period: period ?? null }
      return toPage(await listStatementRows(database, filter, page), page.limit, statement)
    },

    async getStatement(caller, { statementId, format }) {
      const row = await statementRow(caller, statementId)
      return format === 'html' ? { html: statementHtml(await documentOf(caller, row)) } : statement(row)
    },

    async getStatementPdf(caller, statementId) {
      return statementPdf(await documentOf(caller, await statementRow(caller, statementId)))
    },

    async createStatement(write, { accountId, period }) {
      const id = await ids.next()
      const { organisationId } = write.caller
      return runOnce.transaction(write, async (transaction, events) => {
        const account = await lockAccount(transaction, organisationId, idNumber(accountId))
        if (!account) throw new Problem('account_not_found')
        const [made] = await makeStatements(transaction, organisationId, period, [{ id, accountId: account.id }])
        if (made) events.push(creationOf(made))
        const row = made ?? (await findStatementOf(transaction, account.id, period))
        if (!row) throw new Error('a statement that is there already was not found')
        return statement(row)
      })
    },

    async nextMonthTurn(organisationId) {
      const period = await findUnturnedPeriod(database, organisationId)
      if (period === undefined) throw new Error(`there is no organisation ${organisationId}`)
      return { period, dueAt: periodEnd(period) }
    },

    async turnMonth(organisationId, period, { chunk = CHUNK, made = () => undefined } = {}) {
      let count = 0
      let after = 0
      await awaitOpenings(database, organisationId)
      for (;;) {
        const accounts = await nextAccounts(database, { organisationId, end: periodEnd(period), after, most: chunk })
        const last = accounts.at(-1)
        if (!last) return count
        after = last.id
        const accountIds = accounts.filter(({ wasThere }) => wasThere).map(({ id }) => id)
        if (accountIds.length === 0) continue
        const statements = await Promise.all(accountIds.map(async (accountId) => ({ id: await ids.next(), accountId })))
        count += await database.transaction(async (transaction) => {
          await lockAccounts(transaction, accountIds)
          const rows = await makeStatements(transaction, organisationId, period, statements)
          if (rows.length > 0) await made(transaction, rows)
          const origin = bankOrigin(organisationId)
          await recordEvents(
            transaction,
            rows.map((row) => ({ event: creationOf(row), origin })),
          )
          return rows.length
        })
      }
    },

    finishTurn: (organisationId, period) => updateUnturnedPeriod(database, organisationId, monthAfter(period)),
  }
}

/** Makes the month's turn when its time comes. */
export function monthTimer({ nextMonthTurn, turnMonth, finishTurn }: MonthTurns): Timer {
  return async (organisationId) => {
    const { period, dueAt } = await nextMonthTurn(organisationId)
    return {
      at: dueAt,
      run: async (happened) => {
        await turnMonth(organisationId, period, {
          made: (_transaction, statements) => {
            for (const { id } of statements) happened({ at: dueAt, type: 'statement.created', id: String(id) })
          },
        })
        await finishTurn(organisationId, period)
      },
    }
  }
}

function creationOf(row: StatementRow): EventDraft {
  return { type: 'statement.created', id: String(row.id), version: row.version, data: statement(row) }
}

function statement(row: StatementRow): Statement {
  return {
    type: 'accountStatementDTO',
    id: String(row.id),
    period: row.period,
    accountId: String(row.accountId),
    customerId: String(row.customerId),
  }
}
