import { type Payment, paymentRules } from '../../banking/payments/payment.ts'
import { stateAfter } from '../../banking/state-rules.ts'
import type { Answer, Write } from '../../base/operation.ts'
import { Problem } from '../../base/problem.ts'
import type { Books, Command } from '../../ledger/books.ts'
import type { Seal } from '../../secrets/seal.ts'
import { giveBack } from '../accounts/posting.ts'
import { freeLimits } from '../limits/check.ts'
import { clearingOf } from '../parts/rail.ts'
import { payments } from '../records/payments.ts'
import { reviews } from '../records/reviews.ts'
import { ownPayment, type PaymentBank, sealOf } from './payment-bank.ts'
import { emitPayment } from './payment-view.ts'

export async function cancelPayment(bank: PaymentBank, write: Write<Payment>, paymentId: string): Promise<Answer> {
  const payment = await ownPayment(bank, write.caller, paymentId)
  const { id, accountId } = payment
  const transferId = await bank.ids.nextPair()
  const seal = await sealOf(bank, write.caller)
  const command: Command<Payment> = {
    write,
    accountIds: [accountId],
    internal: [clearingOf(payment)],
    reads: [payments.ids([id])],
    decide: (books) => decideCancel(books, { id, transferId, routingNumber: bank.routingNumber, seal }),
  }
  return bank.runOnce.attempt(write, () => bank.lane.run(command))
}

/** Decides the cancellation of a payment. It is refused from the moment on at which the payment is in a file. */
function decideCancel(
  books: Books,
  { id, transferId, routingNumber, seal }: { id: number; transferId: number; routingNumber: string; seal: Seal },
): Payment {
  const payment = books.of(payments).get(id)
  if (!payment) throw new Problem('payment_not_found')
  const status = stateAfter(paymentRules, 'cancelPayment', payment.status)
  const canceled = books.of(payments).update({ ...payment, status })
  if (payment.status === 'PendingReview') {
    books.of(reviews).decide({ payment: canceled, decision: 'Canceled', decidedAt: books.now(payment.organisationId) })
  }
  const data = emitPayment(books, canceled, seal)
  freeLimits(books, payment)
  giveBack(books, payment, { id: transferId, description: 'Canceled' }, routingNumber)
  return data
}
