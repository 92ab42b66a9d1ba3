import type { Payment } from '../../banking/payments/payment.ts'
import { emptyAnswer, type Write } from '../../base/operation.ts'
import { Problem } from '../../base/problem.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { bankWrite } from '../parts/bank-write.ts'
import { type PaymentBank, paymentBankOf } from '../payments/payment-bank.ts'
import type { DueRun, Timer } from '../time/due.ts'
import { approvePayment, rejectPayment } from './payments.ts'
import { leavePaymentToReviewer, nextReleases, type WaitingPayment } from './releases.sql.ts'

/** Payments that are read at a time. */
const PORTION = 100

/** The timer that decides about payments which waited for their external account, as the reviewer decided about that. */
export function releaseTimerOf(parts: BankParts): Timer {
  const bank = paymentBankOf(parts)
  return async (organisationId) => {
    const [first] = await nextReleases(bank.database, organisationId, 1)
    return first && { at: first.createdAt, run: (run) => releaseAll(bank, organisationId, run) }
  }
}

async function releaseAll(bank: PaymentBank, organisationId: number, run: DueRun): Promise<void> {
  for (;;) {
    const portion = await nextReleases(bank.database, organisationId, PORTION)
    for (const payment of portion) await release(bank, organisationId, payment, run)
    if (portion.length < PORTION || run.isOver()) return
  }
}

/**
 * A payment that was decided or canceled a moment ago stays so. One that two persons have to approve is left to them: a single reviewer
 * has approved its external account. One that is refused for good is left to a reviewer; a ledger that is busy
 * is asked again.
 */
async function release(
  bank: PaymentBank,
  organisationId: number,
  { id, createdAt, amount, review }: WaitingPayment,
  run: DueRun,
): Promise<void> {
  const isSigned = amount >= (bank.signedApprovalFrom ?? Number.POSITIVE_INFINITY)
  if (review === 'Approved' && isSigned) return leavePaymentToReviewer(bank.database, id)
  let status = ''
  const write: Write<Payment> = {
    ...bankWrite(organisationId),
    render: (payment) => {
      status = payment.status
      return emptyAnswer
    },
  }
  const paymentId = String(id)
  try {
    if (review === 'Approved') {
      const reason = 'The external account was approved'
      await approvePayment(bank, write, { paymentId, reason, ifWaitsFor: 'externalAccount' })
    } else await rejectPayment(bank, write, { paymentId, reason: 'The external account was rejected' })
    run.happened({ at: createdAt, type: `payment.${status.toLowerCase()}`, id: paymentId })
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500) throw error
    if (error.code === 'payment_not_in_review') return
    await leavePaymentToReviewer(bank.database, id)
    run.putOff({ type: 'payment', id: paymentId }, error)
  }
}
