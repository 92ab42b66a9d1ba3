import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingWrite } from '../provider.ts'
import { Payment } from './payment.ts'

/** Extension. Cancels a payment that has not left yet. */
export const cancelPayment = bankingWrite({
  id: 'cancelPayment',
  resource: 'payments',
  verb: 'cancel',
  path: '/v0/banking/payments/:paymentId/cancel',
  summary: 'Cancel payment',
  description:
    'Cancels a payment before it leaves. The money returns to the account, whatever its state, and the payment becomes `Canceled`.\n\nOnly a `Pending` or `PendingReview` payment can be canceled; after its cut-off it is in a file (`payment_not_cancelable`). Emits `payment.canceled` and `transaction.created`.',
  params: Type.Object({ paymentId: Id('payment') }),
  data: Payment,
  problems: ['payment_not_found', 'payment_not_cancelable', 'balance_limit'],
  run: ({ bank, write }, { params }) => bank.cancelPayment(write, params.paymentId),
})
