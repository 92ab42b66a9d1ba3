import type { Counterparty } from '../../../banking/payments/payment.ts'
import { type ListedTransaction, summaryOf, type Transaction } from '../../../banking/transactions/transaction.ts'
import { quoted } from '../../../base/text.ts'
import { recording } from '../../../events/event.ts'
import type { Books } from '../../../ledger/books.ts'
import type { LedgerPayment, SourceKind, Transfer, TransferOrder } from '../../../ledger/records.ts'
import type { PaymentPart, TransactionRow } from './transactions.sql.ts'

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

/**
 * `transaction` as JSON. Written out, because it is made for every posting: by way of its objects it took three times as
 * long. A test holds the two against each other.
 */
export function transactionJson(row: TransactionRow, routingNumber: string): string {
  const { payment, other } = row
  const counterparty = counterpartyOf(row, routingNumber)
  const otherAccount = otherAccountOf(row)
  const customer = `{"type":"customer","id":"${row.customerId}"}`
  return (
    `{"type":"bookTransaction","id":"${row.id}","attributes":{` +
    `"createdAt":"${row.createdAt}","amount":${row.amount},"direction":"${row.direction}","balance":${row.balance},` +
    `"summary":${quoted(summary(row, counterparty))},"counterparty":{"name":${quoted(counterparty.name)},` +
    `"routingNumber":${quoted(counterparty.routingNumber)},"accountNumber":${quoted(counterparty.accountNumber)},` +
    `"accountType":${quoted(counterparty.accountType)}},"tags":{"originalType":"${originalTypes[row.sourceKind]}"` +
    `${payment ? `,"paymentId":"${payment.id}"` : ''}}},"relationships":{"account":${relationJson('account', row.accountId)},` +
    `"customer":{"data":${customer}},"customers":{"data":[${customer}]},` +
    `${payment ? `"payment":${relationJson('payment', payment.id)},` : ''}` +
    `${otherAccount ? `"counterpartyAccount":${relationJson(otherAccount.type, otherAccount.id)},` : ''}` +
    `${other.customerId === null ? '' : `"counterpartyCustomer":${relationJson('customer', other.customerId)},`}` +
    `"org":${relationJson('org', row.organisationId)}}}`
  )
}

function relationJson(type: string, id: number): string {
  return `{"data":{"type":"${type}","id":"${id}"}}`
}

/** Moves money and tells of it, once for each customer's account that it touches. */
export function post(books: Books, order: TransferOrder, payment: PaymentPart | null, routingNumber: string): Transfer {
  const transfer = books.transfer(order)
  if (!recording.on) return transfer
  for (const accountId of [order.debitAccountId, order.creditAccountId]) {
    if (isInternal(accountId)) continue
    const row = sideOf(books, transfer, accountId, payment)
    const json = transactionJson(row, routingNumber)
    books.events.push({ type: 'transaction.created', id: String(row.id), version: 1, json })
  }
  return transfer
}

/** A transfer as one of its accounts sees it. */
export function sideOf(
  books: Books,
  transfer: Transfer,
  accountId: number,
  payment: PaymentPart | null,
): TransactionRow {
  const credit = transfer.creditAccountId === accountId
  const own = books.account(accountId)
  const other = books.account(credit ? transfer.debitAccountId : transfer.creditAccountId)
  if (!own || own.customerId === null || !other) throw new Error('a transfer between accounts that were not read')
  return {
    id: credit ? transfer.id + 1 : transfer.id,
    organisationId: transfer.organisationId,
    accountId,
    customerId: own.customerId,
    amount: transfer.amount,
    direction: credit ? 'Credit' : 'Debit',
    balance: credit ? transfer.creditBalance : transfer.debitBalance,
    createdAt: transfer.createdAt,
    sourceKind: transfer.sourceKind,
    party: transfer.party,
    description: transfer.description,
    payment,
    other,
  }
}

/** What a transaction shows of the payment that caused it. */
export function partOf({ id, accountId, externalAccountId, description, counterparty }: LedgerPayment): PaymentPart {
  const { name, routingNumber, accountNumber, accountType } = counterparty
  return { id, accountId, externalAccountId, description, name, routingNumber, accountNumber, accountType }
}

/** The bank's own accounts, which nobody is told of. */
function isInternal(accountId: number): boolean {
  return accountId < 0
}

function attributesOf(row: TransactionRow, routingNumber: string) {
  const counterparty = counterpartyOf(row, routingNumber)
  return {
    createdAt: row.createdAt,
    amount: row.amount,
    direction: row.direction,
    balance: row.balance,
    summary: summary(row, counterparty),
    counterparty,
    tags: tagsOf(row),
  }
}

function summary({ description, payment }: TransactionRow, { name }: Counterparty): string {
  return summaryOf(name, description ?? payment?.description ?? '')
}

function tagsOf({ sourceKind, payment }: TransactionRow): { originalType: string; paymentId?: string } {
  const originalType = originalTypes[sourceKind]
  return payment ? { originalType, paymentId: String(payment.id) } : { originalType }
}

/** The payment's copy for whoever paid; for everybody else the account on the other side. */
function counterpartyOf({ payment, accountId, party, other }: TransactionRow, routingNumber: string): Counterparty {
  if (payment?.accountId === accountId) {
    const { name, routingNumber: routing, accountNumber, accountType } = payment
    return { name, routingNumber: routing, accountNumber, accountType }
  }
  return { name: party ?? other.name, routingNumber, accountNumber: other.accountNumber, accountType: 'Checking' }
}

/** The account on the other side, where it is a customer's, or the external one of whoever paid. */
function otherAccountOf({ accountId, payment, other }: TransactionRow): { type: string; id: number } | undefined {
  if (other.customerId !== null) return { type: 'account', id: other.id }
  const external = payment?.accountId === accountId ? payment.externalAccountId : null
  return external === null ? undefined : { type: 'counterparty', id: external }
}

function relationsOf(row: TransactionRow): Transaction['relationships'] {
  const { payment, other } = row
  const otherAccount = otherAccountOf(row)
  const customer = relation('customer', row.customerId)
  return {
    account: relation('account', row.accountId),
    customer,
    customers: { data: [customer.data] },
    ...(payment && { payment: relation('payment', payment.id) }),
    ...(otherAccount && { counterpartyAccount: relation(otherAccount.type, otherAccount.id) }),
    ...(other.customerId !== null && { counterpartyCustomer: relation('customer', other.customerId) }),
    org: relation('org', row.organisationId),
  }
}

function relation(type: string, id: number) {
  return { data: { type, id: String(id) } }
}
