import type { Payment, PaymentStatus } from '../../banking/payments/payment.ts'
import type { PaymentLink } from '../../banking/payments/payment-link.ts'
import type { EventType } from '../../events/event.ts'
import type { Books } from '../../ledger/books.ts'
import { easternOf } from '../../rails/ach/calendar.ts'
import { returnInWords } from '../../rails/ach/codes.ts'
import type { NumberSeal } from '../../secrets/numbers.ts'
import { shownCounterparty } from '../accounts/transaction-view.ts'
import { textOfPayment } from '../records/payment-columns.ts'
import type { LedgerPayment } from '../records/records.ts'

const eventOf: Record<PaymentStatus, EventType> = {
  Pending: 'payment.pending',
  PendingReview: 'payment.pendingReview',
  Clearing: 'payment.clearing',
  Sent: 'payment.sent',
  Rejected: 'payment.rejected',
  Canceled: 'payment.canceled',
  Returned: 'payment.returned',
}

/** Emits the event of a payment that has changed its status. It is rendered from the row. */
export function emitChange(books: Books, payment: LedgerPayment, data?: Payment): void {
  const { id, status, version } = payment
  books.events.push({ type: eventOf[status], id: String(id), version, data, fromRow: textOfPayment(payment) })
}

/** The same for a change that is answered. Returns the payment as it is shown. */
export function emitPayment(books: Books, payment: LedgerPayment, seal: NumberSeal | undefined): Payment {
  const data = paymentOf(payment, seal)
  emitChange(books, payment, data)
  return data
}

/**
 * The payment as it is shown. Without an external account, its number is in clear and needs no seal. Members that a later status sets depend on the status, so that events can be
 * rendered anew.
 */
export function paymentOf(payment: LedgerPayment, seal: NumberSeal | undefined): Payment {
  return {
    id: String(payment.id),
    type: payment.type,
    amount: payment.amount,
    createdAt: payment.createdAt,
    description: payment.description,
    direction: payment.direction,
    status: payment.status,
    originalType: payment.originalType,
    counterparty: shownCounterparty(payment, seal),
    ...(payment.recurringPaymentId !== null && { recurringPaymentId: String(payment.recurringPaymentId) }),
    ...(payment.link !== null && linkMembers(payment.link)),
    ...(payment.settlesAt !== null && railMembers(payment, payment.settlesAt)),
    ...(payment.status === 'Returned' && payment.returnCode !== null && returnInWords(payment.returnCode)),
    ...(payment.reviewNote !== null && { reason: payment.reviewNote }),
  }
}

function linkMembers(link: PaymentLink): Pick<Payment, 'retryOf' | 'reversalOf' | 'reversalReason'> {
  const { paymentId } = link
  return link.kind === 'Retry' ? { retryOf: paymentId } : { reversalOf: paymentId, reversalReason: link.reason }
}

type RailMembers = Pick<Payment, 'sameDay' | 'secCode' | 'expectedCompletionDate' | 'traceNumber' | 'settlementDate'>

function railMembers(payment: LedgerPayment, settlesAt: string): RailMembers {
  const { status, sameDay, secCode, traceNumber } = payment
  const { day } = easternOf(settlesAt)
  const hasSettled = status === 'Sent' || status === 'Returned'
  const isInFile = hasSettled || status === 'Clearing' || status === 'Rejected'
  return {
    ...(sameDay && { sameDay }),
    ...(secCode !== null && { secCode }),
    expectedCompletionDate: day,
    ...(isInFile && traceNumber !== null && { traceNumber }),
    ...(hasSettled && { settlementDate: day }),
  }
}
