import type { Payment } from '../../banking/payments/payment.ts'
import type { Books } from '../../ledger/books.ts'
import type { Seal } from '../../secrets/seal.ts'
import { post } from '../accounts/posting.ts'
import { textOfPayment } from '../records/payment-columns.ts'
import { payments } from '../records/payments.ts'
import type { LedgerPayment } from '../records/records.ts'
import { paymentOf } from './payment-view.ts'

/** Inserts a payment and emits `payment.created`, which is rendered from the row. Returns the payment as it is shown. */
export function startPayment(books: Books, payment: LedgerPayment, seal?: Seal): Payment {
  books.of(payments).insert(payment)
  const data = paymentOf(payment, seal)
  books.events.push({ type: 'payment.created', id: data.id, version: 1, data, fromRow: textOfPayment(payment) })
  return data
}

interface Sending {
  transferId: number
  /** The account that the money goes to, of a customer or an internal one. */
  creditAccountId: number
  routingNumber: string
  /** Absent if the payment shows no external account. */
  seal?: Seal
}

/** Starts a payment and takes its money from its account. */
export function sendPayment(
  books: Books,
  payment: LedgerPayment,
  { transferId, creditAccountId, routingNumber, seal }: Sending,
): Payment {
  const data = startPayment(books, payment, seal)
  const transfer = {
    id: transferId,
    debitAccountId: payment.accountId,
    creditAccountId,
    amount: payment.amount,
    sourceKind: 'payment' as const,
    sourceId: payment.id,
    party: null,
    description: null,
  }
  post(books, transfer, payment, routingNumber)
  return data
}
