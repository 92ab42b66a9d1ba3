import { Type } from 'typebox'
import { Payment } from '../banking/payments/payment.ts'
import { Id } from '../base/ids.ts'
import { DecisionBody, reviewWrite } from './review.ts'

/** Extension. Lets a payment leave that waits for a review. */
export const approvePayment = reviewWrite({
  id: 'approvePayment',
  resource: 'reviewPayments',
  verb: 'approve',
  path: '/v0/review/payments/:paymentId/approve',
  summary: 'Approve payment',
  description:
    'Approves a payment in `PendingReview`. It becomes `Sent`, or with `PURSER_ACH=windows` `Pending`, and leaves at the next cut-off. A payment to an open account of this organisation arrives there and is `Sent`. The payment shows the `reason`.\n\nA payment that is not in `PendingReview` is refused (`payment_not_in_review`). With `PURSER_ACH=windows` a payment that no file can carry is refused too (`amount_over_rail_limit`, `invalid_routing_number`).\n\nEmits `payment.pending` or `payment.sent`, and `transaction.created` if the payee is an account of this organisation. The event names the API key, and the audit log shows it.',
  params: Type.Object({ paymentId: Id('payment') }),
  body: DecisionBody,
  data: Payment,
  problems: [
    'proposal_waiting',
    'payment_not_found',
    'payment_not_in_review',
    'balance_limit',
    'amount_over_rail_limit',
    'invalid_routing_number',
  ],
  signature: {
    decision: 'paymentApproval',
    judge: async ({ review, caller }, { params, body }) => ({
      ...(await review.requireApprovable(caller, params.paymentId)),
      reason: body.reason,
      recordId: params.paymentId,
    }),
  },
  run: ({ review, write }, { params, body }) =>
    review.approvePayment(write, { paymentId: params.paymentId, reason: body.reason }),
})
