import type { Books } from '../../../ledger/books.ts'
import type { PaymentPart } from '../../../ledger/payment-columns.ts'
import type { Transfer, TransferOrder } from '../../../ledger/records.ts'
import { transaction } from './transaction-view.ts'
import type { TransactionRow } from './transactions.sql.ts'

/** Moves money, and emits `transaction.created` for each customer's account that it touches. */
export function post(books: Books, order: TransferOrder, payment: PaymentPart | null, routingNumber: string): Transfer {
  const transfer = books.transfer(order)
  for (const accountId of [order.debitAccountId, order.creditAccountId]) {
    if (isInternal(accountId)) continue
    const data = transaction(sideOf(books, transfer, accountId, payment), routingNumber)
    books.events.push({ type: 'transaction.created', id: data.id, version: 1, data })
  }
  return transfer
}

/** A transfer from the point of view of one of its two accounts. */
export function sideOf(
  books: Books,
  transfer: Transfer,
  accountId: number,
  payment: PaymentPart | null,
): TransactionRow {
  const isCredit = transfer.creditAccountId === accountId
  const account = books.account(accountId)
  const other = books.account(isCredit ? transfer.debitAccountId : transfer.creditAccountId)
  if (!account || account.customerId === null || !other)
    throw new Error('a transfer between accounts that were not read')
  return {
    id: isCredit ? transfer.id + 1 : transfer.id,
    organisationId: transfer.organisationId,
    accountId,
    customerId: account.customerId,
    amount: transfer.amount,
    direction: isCredit ? 'Credit' : 'Debit',
    balance: isCredit ? transfer.creditBalance : transfer.debitBalance,
    createdAt: transfer.createdAt,
    sourceKind: transfer.sourceKind,
    party: transfer.party,
    description: transfer.description,
    payment,
    other,
  }
}

/** Internal accounts have no events. */
function isInternal(accountId: number): boolean {
  return accountId < 0
}
