import { type Payment, paymentRules } from '../../../banking/payments/payment.ts'
import { stateAfter } from '../../../banking/state-rules.ts'
import type { Answer, Write } from '../../../base/operation.ts'
import { Problem } from '../../../base/problem.ts'
import type { Books, Command } from '../../../ledger/books.ts'
import type { Seal } from '../../../secrets/seal.ts'
import { emitPayment } from '../ach/payment-view.ts'
import { giveBack } from '../bank/posting.ts'
import { freeLimits } from '../limits/check.ts'
import { ownPayment, type PaymentBank, sealOf } from './payment-bank.ts'

export async function cancelPayment(bank: PaymentBank, write: Write<Payment>, paymentId: string): Promise<Answer> {
  const { id, accountId } = await ownPayment(bank, write.caller, paymentId)
  const transferId = await bank.ids.nextPair()
  const seal = await sealOf(bank, write.caller)
  const command: Command<Payment> = {
    write,
    accountIds: [accountId],
    internal: ['ach_clearing'],
    paymentIds: [id],
    decide: (books) => decideCancel(books, { id, transferId, routingNumber: bank.routingNumber, seal }),
  }
  return bank.runOnce.attempt(write, () => bank.lane.run(command))
}

/** Decides the cancellation of a payment. It is refused from the moment on at which the payment is in a file. */
function decideCancel(
  books: Books,
  { id, transferId, routingNumber, seal }: { id: number; transferId: number; routingNumber: string; seal: Seal },
): Payment {
  const payment = books.payment(id)
  if (!payment) throw new Problem('payment_not_found')
  const status = stateAfter(paymentRules, 'cancelPayment', payment.status)
  const canceled = books.updatePayment({ ...payment, status })
  if (payment.status === 'PendingReview') {
    books.decideReview({ payment: canceled, decision: 'Canceled', decidedAt: books.now(payment.organisationId) })
  }
  const data = emitPayment(books, canceled, seal)
  freeLimits(books, payment)
  giveBack(books, payment, { id: transferId, description: 'Canceled' }, routingNumber)
  return data
}
