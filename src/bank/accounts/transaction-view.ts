import type { Counterparty } from '../../banking/payments/payment.ts'
import { type ListedTransaction, summaryOf, type Transaction } from '../../banking/transactions/transaction.ts'
import type { SourceKind } from '../../ledger/records.ts'
import { returnDescribed } from '../../rails/ach/codes.ts'
import { clearNumber, type NumberSeal } from '../../secrets/numbers.ts'
import type { PaymentPart } from '../records/payment-columns.ts'
import type { TransactionRow } from './transactions.sql.ts'

const originalTypes: Record<SourceKind, string> = {
  payment: 'ACH',
  payment_return: 'ACH',
  payment_release: 'ACH',
  debit: 'ACH',
  debit_return: 'ACH',
  ach_settlement: 'ACH',
  ach_return: 'ACH',
  ach_exception: 'ACH',
  ach_resolution: 'ACH',
  statement_booking: 'ACH',
  received_ach: 'ACH',
  received_ach_return: 'ACH',
  card_settlement: 'CARD',
  card_refund: 'CARD',
  reward: 'REWARD',
  reward_clawback: 'REWARD',
  moved_in: 'BOOK',
}

/** The bank's routing number, and the seal of the organisation; absent if the transaction shows no external account. */
export interface TransactionView {
  routingNumber: string
  seal?: NumberSeal
}

export function listedTransaction(row: TransactionRow, view: TransactionView): ListedTransaction {
  const { id, accountId } = row
  return { type: 'bookTransaction', id: String(id), accountId: String(accountId), ...attributesOf(row, view) }
}

export function transaction(row: TransactionRow, view: TransactionView): Transaction {
  return {
    type: 'bookTransaction',
    id: String(row.id),
    attributes: attributesOf(row, view),
    relationships: relationsOf(row),
  }
}

function attributesOf(row: TransactionRow, view: TransactionView) {
  const counterparty = counterpartyOf(row, view)
  return {
    createdAt: row.createdAt,
    amount: row.amount,
    direction: row.direction,
    balance: row.balance,
    summary: summaryOf(counterparty.name, row.description ?? row.payment?.description ?? ''),
    counterparty,
    ...(isReturn(row) && returnDescribed(row.description)),
    tags: tagsOf(row),
  }
}

/** Money of canceled and rejected payments goes back by the same kind of transfer as that of returned ones. */
function isReturn({ sourceKind }: TransactionRow): boolean {
  return sourceKind === 'payment_return' || sourceKind === 'received_ach_return' || sourceKind === 'debit_return'
}

function tagsOf({ sourceKind, payment }: TransactionRow): { originalType: string; paymentId?: string } {
  if (!payment) return { originalType: originalTypes[sourceKind] }
  return { originalType: payment.originalType, paymentId: String(payment.id) }
}

/** The columns behind a transaction that shows its payment, as one text for the chain of hashes. */
export function textOfTransaction(row: TransactionRow): string {
  const { id, accountId, customerId, amount, direction, balance, createdAt, sourceKind, party, description } = row
  return JSON.stringify([
    id,
    accountId,
    customerId,
    amount,
    direction,
    balance,
    createdAt,
    sourceKind,
    party,
    description,
    row.payment?.id,
    row.other.id,
  ])
}

/** Whether a transaction of an account shows the counterparty of its payment, and not the account on the other side. */
export function showsPayment(payment: Pick<PaymentPart, 'accountId'>, accountId: number): boolean {
  return payment.accountId === accountId
}

/** The counterparty of a payment, with its number in clear. */
export function shownCounterparty(
  { externalAccountId, counterparty }: Pick<PaymentPart, 'externalAccountId' | 'counterparty'>,
  seal: NumberSeal | undefined,
): Counterparty {
  const { name, routingNumber, accountNumber, accountType } = counterparty
  return { name, routingNumber, accountNumber: clearNumber(seal, externalAccountId, accountNumber), accountType }
}

/** The payer sees the payment's copy of the external account; everybody else the account on the other side. */
function counterpartyOf(
  { payment, accountId, party, other }: TransactionRow,
  { routingNumber, seal }: TransactionView,
): Counterparty {
  if (payment && showsPayment(payment, accountId)) return shownCounterparty(payment, seal)
  return { name: party ?? other.name, routingNumber, accountNumber: other.accountNumber, accountType: 'Checking' }
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
    ...(otherAccount && { counterpartyAccount: otherAccount }),
    ...(other.customerId !== null && { counterpartyCustomer: relation('customer', other.customerId) }),
    org: relation('org', row.organisationId),
  }
}

/** The account on the other side if it is a customer's; for the payer of an external account, that one. */
function otherAccountOf({ accountId, payment, other }: TransactionRow) {
  if (other.customerId !== null) return relation('account', other.id)
  const externalId = payment && showsPayment(payment, accountId) ? payment.externalAccountId : null
  return externalId === null ? undefined : relation('counterparty', externalId)
}

function relation(type: string, id: number) {
  return { data: { type, id: String(id) } }
}
