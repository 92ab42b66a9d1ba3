import type { Counterparty } from '../../banking/payments/payment.ts'
import { type ListedTransaction, summaryOf, type Transaction } from '../../banking/transactions/transaction.ts'
import type { Books, SourceKind, Transfer } from '../../ledger/books.ts'
import type { TransactionRow } from './transactions.sql.ts'

const originalTypes: Record<SourceKind, string> = {
  payment: 'ACH',
  payment_return: 'ACH',
  received_ach: 'ACH',
  card_settlement: 'CARD',
  card_refund: 'CARD',
  reward: 'REWARD',
  reward_clawback: 'REWARD',
}

export function listedTransaction(row: TransactionRow, routingNumber: string): ListedTransaction {
  return { type: 'bookTransaction', id: String(row.id), ...attributesOf(row, routingNumber) }
}

export function transaction(row: TransactionRow, routingNumber: string): Transaction {
  return {
    type: 'bookTransaction',
    id: String(row.id),
    attributes: attributesOf(row, routingNumber),
    relationships: relationsOf(row),
  }
}

/** A transfer that no payment caused, as one of its accounts sees it. */
export function sideOf(books: Books, transfer: Transfer, accountId: number): TransactionRow {
  const credit = transfer.creditAccountId === accountId
  const own = books.account(accountId)
  const other = books.account(credit ? transfer.debitAccountId : transfer.creditAccountId)
  if (!own || own.customerId === null || !other) throw new Error('a transfer between accounts that were not read')
  return {
    ...transfer,
    id: credit ? transfer.id + 1 : transfer.id,
    accountId,
    customerId: own.customerId,
    direction: credit ? 'Credit' : 'Debit',
    balance: credit ? transfer.creditBalance : transfer.debitBalance,
    payment: null,
    other,
  }
}

function attributesOf(row: TransactionRow, routingNumber: string) {
  const counterparty = counterpartyOf(row, routingNumber)
  return {
    createdAt: row.createdAt,
    amount: row.amount,
    direction: row.direction,
    balance: row.balance,
    summary: summaryOf(counterparty.name, row.description ?? row.payment?.description ?? ''),
    counterparty,
    tags: {
      originalType: originalTypes[row.sourceKind],
      ...(row.payment && { paymentId: String(row.payment.id) }),
    },
  }
}

/** The payment's copy for whoever paid; for everybody else the account on the other side. */
function counterpartyOf({ payment, accountId, party, other }: TransactionRow, routingNumber: string): Counterparty {
  if (payment?.accountId === accountId) {
    const { name, routingNumber: routing, accountNumber, accountType } = payment
    return { name, routingNumber: routing, accountNumber, accountType }
  }
  return { name: party ?? other.name, routingNumber, accountNumber: other.accountNumber, accountType: 'Checking' }
}

function relationsOf(row: TransactionRow): Transaction['relationships'] {
  const one = (type: string, id: number) => ({ data: { type, id: String(id) } })
  const customer = one('customer', row.customerId)
  const external = row.payment?.accountId === row.accountId ? row.payment.externalAccountId : null
  return {
    account: one('account', row.accountId),
    customer,
    customers: { data: [customer.data] },
    ...(row.payment && { payment: one('payment', row.payment.id) }),
    ...(row.other.customerId !== null
      ? {
          counterpartyAccount: one('account', row.other.id),
          counterpartyCustomer: one('customer', row.other.customerId),
        }
      : external !== null && { counterpartyAccount: one('counterparty', external) }),
    org: one('org', row.organisationId),
  }
}
