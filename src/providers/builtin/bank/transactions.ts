import { accountRules } from '../../../banking/accounts/account.ts'
import type { BankingProvider } from '../../../banking/provider.ts'
import { requireAllowed } from '../../../banking/state-rules.ts'
import type { ListTransactionsQuery } from '../../../banking/transactions/list-transactions.ts'
import type { ListedTransaction, Transaction } from '../../../banking/transactions/transaction.ts'
import { idNumber, optionalIdNumber } from '../../../base/ids.ts'
import type { Answer, Caller, Write } from '../../../base/operation.ts'
import { type Page, pageWindow, toPage } from '../../../base/page.ts'
import { Problem } from '../../../base/problem.ts'
import type { Books, Command } from '../../../ledger/books.ts'
import type { ReceiveAchInput } from '../../../sandbox/receive-ach.ts'
import type { Sandbox } from '../../../sandbox/sandbox.ts'
import type { BankParts } from '../bank-parts.ts'
import { accountIdsOfCustomer } from './accounts.sql.ts'
import { depositAccountIn } from './payments.ts'
import { post, sideOf } from './posting.ts'
import { listedTransaction, transaction } from './transaction-view.ts'
import {
  findTransaction,
  listOfAccount,
  listOfAccountSide,
  listOfAccounts,
  listOfOrganisation,
  type TransactionRow,
} from './transactions.sql.ts'

type Transactions = Pick<BankingProvider, 'getTransaction' | 'listTransactions'> & Pick<Sandbox, 'receiveAch'>

export function transactionsOf(bank: BankParts): Transactions {
  return {
    getTransaction: (caller, ids) => getTransaction(bank, caller, ids),
    listTransactions: (caller, query) => listTransactions(bank, caller, query),
    receiveAch: (write, input) => receiveAch(bank, write, input),
  }
}

async function getTransaction(
  { database, routingNumber }: BankParts,
  { organisationId }: Caller,
  { transactionId, accountId }: { transactionId: string; accountId: string },
): Promise<Transaction> {
  const row = await findTransaction(database, organisationId, idNumber(transactionId))
  if (!row || row.accountId !== idNumber(accountId)) throw new Problem('transaction_not_found')
  return transaction(row, routingNumber)
}

async function listTransactions(
  bank: BankParts,
  caller: Caller,
  query: ListTransactionsQuery,
): Promise<Page<ListedTransaction>> {
  const rows = await listRows(bank, caller, query)
  return toPage(rows, pageWindow(query).limit, (row) => listedTransaction(row, bank.routingNumber))
}

/** Reads a page with the statement whose index fits the filter. */
async function listRows(
  { database }: BankParts,
  { organisationId }: Caller,
  query: ListTransactionsQuery,
): Promise<TransactionRow[]> {
  const page = pageWindow(query)
  const filter = { organisationId, since: query.since ?? null, until: query.until ?? null }
  const direction = query.direction ?? null
  const customerId = optionalIdNumber(query.customerId)
  const accountId = optionalIdNumber(query.accountId)
  if (customerId === null && accountId === null) return listOfOrganisation(database, { ...filter, direction }, page)
  const customer = { customerId, externalAccountId: null }
  const ofCustomer = customerId === null ? null : await accountIdsOfCustomer(database, organisationId, customer)
  const accountIds =
    accountId === null ? (ofCustomer ?? []) : [accountId].filter((id) => ofCustomer === null || ofCustomer.includes(id))
  const [only, ...more] = accountIds
  if (only === undefined) return []
  if (more.length > 0) return listOfAccounts(database, { ...filter, accountIds, direction }, page)
  if (direction !== null) return listOfAccountSide(database, { ...filter, accountId: only, direction }, page)
  return listOfAccount(database, { ...filter, accountId: only }, page)
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

function decideReceivedAch(books: Books, order: AchOrder): ListedTransaction {
  const { organisationId, accountId, transferId, routingNumber, input } = order
  const { amount, companyName, direction = 'Credit', description = `ACH ${direction.toLowerCase()}` } = input
  const account = depositAccountIn(books, organisationId, accountId)
  requireAllowed(accountRules, 'receiveAch', account.status)
  const isCredit = direction === 'Credit'
  if (!isCredit) {
    requireAllowed(accountRules, 'receiveAchDebit', account.status)
    if (account.balance - account.hold < amount) throw new Problem('insufficient_funds')
  }
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
  return listedTransaction(sideOf(books, posted, accountId, null), routingNumber)
}
