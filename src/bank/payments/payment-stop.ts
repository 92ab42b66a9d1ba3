import { type Payment, paymentRules } from '../../banking/payments/payment.ts'
import type { ReviewReason } from '../../banking/payments/review-reason.ts'
import { stateAfter } from '../../banking/state-rules.ts'
import type { Answer, Write } from '../../base/operation.ts'
import { Problem } from '../../base/problem.ts'
import type { Queryable } from '../../database/database.ts'
import type { EventSink } from '../../events/event.ts'
import type { Books, Command } from '../../ledger/books.ts'
import { postWithin } from '../../ledger/post-within.ts'
import type { LedgerAccount } from '../../ledger/records.ts'
import type { PaymentDecision } from '../../review/review.ts'
import { underReview } from '../parts/rail.ts'
import { bankKinds } from '../records/kinds.ts'
import { payments } from '../records/payments.ts'
import type { LedgerPayment, StoppedPayment } from '../records/records.ts'
import { reviews } from '../records/reviews.ts'
import { ownPayment, type PaymentBank, sealOf } from './payment-bank.ts'
import { emitChange, emitPayment } from './payment-view.ts'

/** Why the payments of an account are stopped. */
type StopReason = Extract<ReviewReason, 'accountFrozen' | 'paymentsBlocked' | 'legalHold'>

/** Lets a reviewer stop a payment that has not left. Its money stays where it is until the payment is decided. */
export async function stopPayment(
  bank: PaymentBank,
  write: Write<Payment>,
  { paymentId, reason }: PaymentDecision,
): Promise<Answer> {
  const { id, accountId } = await ownPayment(bank, write.caller, paymentId)
  const seal = await sealOf(bank, write.caller)
  const { requestId } = write
  const given = requestId === null ? undefined : { requestId, reason }
  const command: Command<Payment> = {
    write,
    accountIds: [accountId],
    reads: [payments.ids([id])],
    decide: (books) => {
      const payment = books.of(payments).get(id)
      if (!payment) throw new Problem('payment_not_found')
      return emitPayment(books, stopped(books, payment, { reason: 'stopped', given }), seal)
    },
  }
  return bank.runOnce.attempt(write, () => bank.lane.run(command))
}

/** Stops the payments of an account that have not left, in the transaction that freezes it or blocks them. */
export function stopPaymentsOf(
  transaction: Queryable,
  events: EventSink,
  write: Write<never>,
  accountId: number,
  reason: StopReason,
): Promise<void> {
  const decide = (books: Books) => {
    const account = books.account(accountId)
    if (!account || !stopPending(books, account, reason)) throw new Error('an account was not read')
  }
  return postWithin(transaction, bankKinds, events, {
    write,
    accountIds: [accountId],
    reads: [payments.ids([{ pendingOf: accountId }])],
    decide,
  })
}

/**
 * Stops the payments of an account that have not left; a block stops those that send money. Those that wait for their external account
 * wait for a reviewer of their own from now on. False if one of them is written with this batch: the command has to come again.
 */
export function stopPending(books: Books, { id, organisationId }: LedgerAccount, reason: StopReason): boolean {
  const pending = books.of(payments).pendingOf(id)
  if (!pending) return false
  const leaving = reason === 'paymentsBlocked' ? pending.filter(({ direction }) => direction === 'Credit') : pending
  for (const payment of leaving) emitChange(books, stopped(books, payment, { reason }))
  books.of(reviews).keepWaiting({ organisationId, accountId: id, reason })
  return true
}

/** The payment, stopped. How it was to leave is kept, because its events and answers show that. */
function stopped(books: Books, payment: LedgerPayment, why: Omit<StoppedPayment, 'payment'>): LedgerPayment {
  const status = stateAfter(paymentRules, 'stopPayment', payment.status)
  const { version, cutoffAt, settlesAt, reviewNote } = payment
  const departures = { ...payment.departures, [version]: { cutoffAt, settlesAt, reviewNote } }
  const changed = books.of(payments).update({
    ...payment,
    ...underReview({ ...payment, status }),
    reviewNote: null,
    departures,
  })
  books.of(reviews).stop({ ...why, payment: changed })
  return changed
}
