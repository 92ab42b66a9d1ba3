import { Type } from 'typebox'
import { Payment } from '../banking/payments/payment.ts'
import { Id } from '../base/ids.ts'
import { DecisionBody, reviewWrite } from './review.ts'

/** Extension. Keeps a payment from leaving until a reviewer has decided about it. */
export const stopPayment = reviewWrite({
  id: 'stopPayment',
  resource: 'reviewPayments',
  verb: 'stop',
  path: '/v0/review/payments/:paymentId/stop',
  summary: 'Stop payment',
  description:
    'Stops a `Pending` payment before it is in a file. It becomes `PendingReview`, loses its cut-off, and its money stays reserved. If a reviewer approves it, it leaves at the next cut-off; a reviewer can also reject it, and the app can cancel it. The audit log shows `reason`.\n\nA payment in any other state is refused (`payment_not_stoppable`). Without `PURSER_ACH=windows` no payment is `Pending`.\n\nEmits `payment.pendingReview`. The event names the API key, and the audit log shows it.',
  params: Type.Object({ paymentId: Id('payment') }),
  body: DecisionBody,
  data: Payment,
  problems: ['payment_not_found', 'payment_not_stoppable'],
  run: ({ review, write }, { params, body }) =>
    review.stopPayment(write, { paymentId: params.paymentId, reason: body.reason }),
})
