import { accountRules } from '../../banking/accounts/account.ts'
import type { BankingProvider } from '../../banking/provider.ts'
import { requireAllowed } from '../../banking/state-rules.ts'
import type { ListTransactionsQuery } from '../../banking/transactions/list-transactions.ts'
import type { ListedTransaction, Transaction } from '../../banking/transactions/transaction.ts'
import { idNumber, optionalIdNumber } from '../../base/ids.ts'
import type { Answer, Caller, Write } from '../../base/operation.ts'
import { type Page, type PageWindow, pageWindow, toCursorPage } from '../../base/page.ts'
import { Problem } from '../../base/problem.ts'
import type { Queryable } from '../../database/database.ts'
import type { Books, Command } from '../../ledger/books.ts'
import type { LedgerAccount } from '../../ledger/records.ts'
import type { ReceiveAchInput } from '../../sandbox/receive-ach.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { accountIdsOfCustomer } from './accounts.sql.ts'
import { depositAccountIn } from './deposit-account.ts'
import { post, sideOf } from './posting.ts'
import { listedTransaction, transaction } from './transaction-view.ts'
import {
  countOfAccounts,
  countOfOrganisation,
  findTransaction,
  listOfAccount,
  listOfAccountSide,
  listOfAccounts,
  listOfOrganisation,
  type TransactionFilter,
  type TransactionRow,
} from './transactions.sql.ts'

export function transactionsOf(bank: BankParts) {
  return {
    getTransaction: (caller, ids) => getTransaction(bank, caller, ids),
    listTransactions: (caller, query) => listTransactions(bank, caller, query),
    receiveAch: (write, input) => receiveAch(bank, write, input),
  } satisfies Partial<BankingProvider & Sandbox>
}

async function getTransaction(
  { database, seals, routingNumber }: BankParts,
  { organisationId }: Caller,
  { transactionId, accountId }: { transactionId: string; accountId: string },
): Promise<Transaction> {
  const row = await findTransaction(database, organisationId, idNumber(transactionId))
  if (!row || row.accountId !== idNumber(accountId)) throw new Problem('transaction_not_found')
  return transaction(row, { routingNumber, seal: await seals.of(organisationId) })
}

async function listTransactions(
  { database, seals, routingNumber }: BankParts,
  { organisationId }: Caller,
  query: ListTransactionsQuery,
): Promise<Page<ListedTransaction>> {
  const page = pageWindow(query)
  const accountIds = await filteredAccounts(database, organisationId, query)
  const { since = null, until = null, direction = null, fromAmount = null, toAmount = null } = query
  const filter = { organisationId, accountIds, since, until, direction, fromAmount, toAmount }
  const rows = await listRows(database, filter, page)
  const view = { routingNumber, seal: await seals.of(organisationId) }
  const total = query.count ? await database.transaction((each) => countRows(each, filter)) : undefined
  return toCursorPage(rows, page.limit, (row) => listedTransaction(row, view)).counted(total)
}

/** The accounts whose transactions can match; null if those of every account can. */
async function filteredAccounts(
  database: Queryable,
  organisationId: number,
  query: ListTransactionsQuery,
): Promise<number[] | null> {
  const customerId = optionalIdNumber(query.customerId)
  const accountId = optionalIdNumber(query.accountId)
  if (customerId === null) return accountId === null ? null : [accountId]
  const owned = await accountIdsOfCustomer(database, organisationId, { customerId, externalAccountId: null })
  return accountId === null ? owned : owned.filter((id) => id === accountId)
}

interface Filter extends TransactionFilter {
  accountIds: number[] | null
  direction: 'Credit' | 'Debit' | null
}

/** Reads a page with the statement whose index fits the filter. */
async function listRows(
  database: Queryable,
  { accountIds, direction, ...filter }: Filter,
  page: PageWindow,
): Promise<TransactionRow[]> {
  const isOfAmount = filter.fromAmount !== null || filter.toAmount !== null
  if (accountIds === null) return listOfOrganisation(database, { ...filter, direction }, page)
  const [only, ...more] = accountIds
  if (only === undefined) return []
  if (more.length > 0 || isOfAmount) return listOfAccounts(database, { ...filter, accountIds, direction }, page)
  if (direction !== null) return listOfAccountSide(database, { ...filter, accountId: only, direction }, page)
  return listOfAccount(database, { ...filter, accountId: only }, page)
}

function countRows(transaction: Queryable, { accountIds, ...filter }: Filter): Promise<string> {
  return accountIds === null
    ? countOfOrganisation(transaction, filter)
    : countOfAccounts(transaction, { ...filter, accountIds })
}

/** An ACH transfer that another bank sends: a credit brings money, a debit takes it. */
interface AchOrder {
  organisationId: number
  accountId: number
  transferId: number
  input: ReceiveAchInput
  routingNumber: string
}

async function receiveAch(bank: BankParts, write: Write<ListedTransaction>, input: ReceiveAchInput): Promise<Answer> {
  const order: AchOrder = {
    organisationId: write.caller.organisationId,
    accountId: idNumber(input.accountId),
    transferId: await bank.ids.nextPair(),
    input,
    routingNumber: bank.routingNumber,
  }
  const command: Command<ListedTransaction> = {
    write,
    accountIds: [order.accountId],
    internal: ['ach_clearing'],
    decide: (books) => decideReceivedAch(books, order),
  }
  return bank.runOnce.attempt(write, () => bank.lane.run(command))
}

/** Throws the refusal of a transfer that an account cannot take. */
export function requireReceivable(
  { status, balance, hold }: LedgerAccount,
  { direction, amount }: { direction: 'Credit' | 'Debit'; amount: number },
): void {
  requireAllowed(accountRules, 'receiveAch', status)
  if (direction === 'Credit') return
  requireAllowed(accountRules, 'receiveAchDebit', status)
  if (balance - hold < amount) throw new Problem('insufficient_funds')
}

function decideReceivedAch(books: Books, order: AchOrder): ListedTransaction {
  const { organisationId, accountId, transferId, routingNumber, input } = order
  const { amount, companyName, direction = 'Credit', description = `ACH ${direction.toLowerCase()}` } = input
  const account = depositAccountIn(books, organisationId, accountId)
  requireReceivable(account, { direction, amount })
  const isCredit = direction === 'Credit'
  const clearingId = books.internal('ach_clearing').id
  const transfer = {
    id: transferId,
    debitAccountId: isCredit ? clearingId : accountId,
    creditAccountId: isCredit ? accountId : clearingId,
    amount,
    sourceKind: 'received_ach' as const,
    sourceId: null,
    party: companyName,
    description,
  }
  const posted = post(books, transfer, null, routingNumber)
  return listedTransaction(sideOf(books, posted, accountId, null), { routingNumber })
}
