import type { Books } from '../../ledger/books.ts'
import type { Transfer, TransferOrder } from '../../ledger/records.ts'
import { clearingOf } from '../parts/rail.ts'
import type { PaymentPart } from '../records/payment-columns.ts'
import type { LedgerPayment } from '../records/records.ts'
import { showsPayment, textOfTransaction, transaction } from './transaction-view.ts'
import type { TransactionRow } from './transactions.sql.ts'

/** Moves money, and emits `transaction.created` for each customer's account that it touches. */
export function post(books: Books, order: TransferOrder, payment: PaymentPart | null, routingNumber: string): Transfer {
  const transfer = books.transfer(order)
  for (const accountId of [order.debitAccountId, order.creditAccountId]) {
    if (!isInternal(accountId)) emitSide(books, transfer, accountId, payment, routingNumber)
  }
  return transfer
}

/** Moves the money of a payment back to its account. One that collects money has not moved any before it is sent. */
export function giveBack(
  books: Books,
  payment: LedgerPayment,
  { id, description }: { id: number; description: string },
  routingNumber: string,
): void {
  if (payment.direction === 'Debit') return
  const transfer = {
    id,
    debitAccountId: books.internal(clearingOf(payment)).id,
    creditAccountId: payment.accountId,
    amount: payment.amount,
    sourceKind: 'payment_return' as const,
    sourceId: payment.id,
    party: null,
    description,
  }
  post(books, transfer, payment, routingNumber)
}

/**
 * The account of the payment sees columns that never change. The other side shows the bank's routing number and the name of
 * an account, so that its event keeps a copy.
 */
function emitSide(
  books: Books,
  transfer: Transfer,
  accountId: number,
  payment: PaymentPart | null,
  routingNumber: string,
): void {
  const created = { type: 'transaction.created', version: 1 } as const
  if (payment && showsPayment(payment, accountId)) {
    const fromRow = textOfTransaction(sideOf(books, transfer, accountId, payment))
    books.events.push({ ...created, id: String(sideId(transfer, accountId)), fromRow })
    return
  }
  const data = transaction(sideOf(books, transfer, accountId, payment), { routingNumber })
  books.events.push({ ...created, id: data.id, data })
}

/** Transactions have the ids of a transfer's sides: the even one is the debit, the next the credit. */
function sideId({ id, creditAccountId }: Transfer, accountId: number): number {
  return creditAccountId === accountId ? id + 1 : id
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
    id: sideId(transfer, accountId),
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
