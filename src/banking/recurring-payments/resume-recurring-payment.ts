import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingWrite } from '../provider.ts'
import { RecurringPayment } from './recurring-payment.ts'

/** Extension. Resumes a recurring payment that was paused. */
export const resumeRecurringPayment = bankingWrite({
  id: 'resumeRecurringPayment',
  resource: 'recurringPayments',
  verb: 'resume',
  path: '/v0/banking/recurring-payments/:recurringPaymentId/resume',
  summary: 'Resume recurring payment',
  description:
    'Resumes a `Paused` recurring payment: it pays from its next due date on. Due dates that came meanwhile stay skipped. Other states are `recurring_payment_not_paused`.\n\n`recurringPayment.resumed` follows.',
  params: Type.Object({ recurringPaymentId: Id('recurringPayment') }),
  data: RecurringPayment,
  problems: ['recurring_payment_not_found', 'recurring_payment_not_paused'],
  run: ({ bank, write }, { params }) => bank.resumeRecurringPayment(write, params.recurringPaymentId),
})
