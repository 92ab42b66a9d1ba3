import { Type } from 'typebox'
import { Payment } from '../banking/payments/payment.ts'
import { Id } from '../base/ids.ts'
import { DecisionBody, reviewWrite } from './review.ts'

/** Extension. Lets a payment leave that waits for a review. */
export const approvePayment = reviewWrite({
  id: 'approvePayment',
  resource: 'reviewPayments',
  verb: 'approve',
  area: 'review',
  method: 'POST',
  path: '/v0/review/payments/:paymentId/approve',
  summary: 'Approve payment',
  description:
    'Approves a payment in `PendingReview`. It is `Sent`, or with `PURSER_ACH=windows` `Pending`: it then leaves with the next cut-off from now on. A payment whose external account names an open account of this organisation reaches that account, and is `Sent`. `reason` is kept, and the payment shows it.\n\nA payment that is not in `PendingReview` is refused (`payment_not_in_review`). With `PURSER_ACH=windows` a payment that no file can carry is refused, too (`amount_over_rail_limit`, `invalid_routing_number`).\n\n`payment.pending` or `payment.sent` follows; for an account of this organisation also its `transaction.created`. The event names the API key, and the audit log shows it.',
  status: 200,
  scope: 'review:write',
  params: Type.Object({ paymentId: Id('payment') }),
  body: DecisionBody,
  data: Payment,
  problems: [
    'payment_not_found',
    'payment_not_in_review',
    'balance_limit',
    'amount_over_rail_limit',
    'invalid_routing_number',
  ],
  run: ({ review, write }, { params, body }) =>
    review.approvePayment(write, { paymentId: params.paymentId, reason: body.reason }),
})
