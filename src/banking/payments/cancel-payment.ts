import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingWrite } from '../provider.ts'
import { Payment } from './payment.ts'

/** Extension. Cancels a payment that has not left yet. */
export const cancelPayment = bankingWrite({
  id: 'cancelPayment',
  resource: 'payments',
  verb: 'cancel',
  area: 'banking',
  method: 'POST',
  path: '/v0/banking/payments/:paymentId/cancel',
  summary: 'Cancel payment',
  description:
    'Cancels a payment before it leaves. The money goes back to the account, in every state of it, and the payment is `Canceled`.\n\nOnly a payment that is `Pending` or in `PendingReview` can be canceled: from its cut-off on it is in a file (`payment_not_cancelable`). `payment.canceled` and `transaction.created` follow.',
  status: 200,
  scope: 'banking:write',
  params: Type.Object({ paymentId: Id('payment') }),
  data: Payment,
  problems: ['payment_not_found', 'payment_not_cancelable', 'balance_limit'],
  run: ({ bank, write }, { params }) => bank.cancelPayment(write, params.paymentId),
})
