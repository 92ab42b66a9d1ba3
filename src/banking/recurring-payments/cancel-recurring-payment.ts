import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingWrite } from '../provider.ts'
import { RecurringPayment } from './recurring-payment.ts'

/** Extension. Cancels a recurring payment for good. */
export const cancelRecurringPayment = bankingWrite({
  id: 'cancelRecurringPayment',
  resource: 'recurringPayments',
  verb: 'cancel',
  path: '/v0/banking/recurring-payments/:recurringPaymentId/cancel',
  summary: 'Cancel recurring payment',
  description:
    'Cancels a recurring payment for good. Payments that it has made stay; one that has not left is canceled by `cancelPayment`. One that has ended is `recurring_payment_ended`.\n\n`recurringPayment.canceled` follows.',
  params: Type.Object({ recurringPaymentId: Id('recurringPayment') }),
  data: RecurringPayment,
  problems: ['recurring_payment_not_found', 'recurring_payment_ended'],
  run: ({ bank, write }, { params }) => bank.cancelRecurringPayment(write, params.recurringPaymentId),
})
