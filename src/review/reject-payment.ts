import { Type } from 'typebox'
import { Payment } from '../banking/payments/payment.ts'
import { Id } from '../base/ids.ts'
import { DecisionBody, reviewWrite } from './review.ts'

/** Extension. Rejects a payment that waits for a review. */
export const rejectPayment = reviewWrite({
  id: 'rejectPayment',
  resource: 'reviewPayments',
  verb: 'reject',
  path: '/v0/review/payments/:paymentId/reject',
  summary: 'Reject payment',
  description:
    'Rejects a payment in `PendingReview`. The money returns to the account, whatever its state, and the payment becomes `Rejected`. The payment shows the `reason`.\n\nA payment that is not in `PendingReview` is refused (`payment_not_in_review`).\n\nEmits `payment.rejected` and `transaction.created`. The event names the API key, and the audit log shows it.',
  params: Type.Object({ paymentId: Id('payment') }),
  body: DecisionBody,
  data: Payment,
  problems: ['payment_not_found', 'payment_not_in_review', 'balance_limit'],
  run: ({ review, write }, { params, body }) =>
    review.rejectPayment(write, { paymentId: params.paymentId, reason: body.reason }),
})
