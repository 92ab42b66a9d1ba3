import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingWrite } from '../provider.ts'
import { RecurringPayment } from './recurring-payment.ts'

/** Extension. Pauses a recurring payment. */
export const pauseRecurringPayment = bankingWrite({
  id: 'pauseRecurringPayment',
  resource: 'recurringPayments',
  verb: 'pause',
  path: '/v0/banking/recurring-payments/:recurringPaymentId/pause',
  summary: 'Pause recurring payment',
  description:
    'Pauses an `Active` recurring payment: due dates that come are skipped, with the reason `paused`, until `POST …/resume`. Other states are `recurring_payment_not_active`.\n\n`recurringPayment.paused` follows.',
  params: Type.Object({ recurringPaymentId: Id('recurringPayment') }),
  data: RecurringPayment,
  problems: ['recurring_payment_not_found', 'recurring_payment_not_active'],
  run: ({ bank, write }, { params }) => bank.pauseRecurringPayment(write, params.recurringPaymentId),
})
