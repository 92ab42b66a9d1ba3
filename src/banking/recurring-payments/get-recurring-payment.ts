import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingRead } from '../provider.ts'
import { RecurringPayment } from './recurring-payment.ts'

/** Extension. Reads a recurring payment, in any state. */
export const getRecurringPayment = bankingRead({
  id: 'getRecurringPayment',
  resource: 'recurringPayments',
  verb: 'get',
  path: '/v0/banking/recurring-payments/:recurringPaymentId',
  summary: 'Get recurring payment',
  description:
    'Returns a recurring payment in any state. `listPayments` with `recurringPaymentId` finds the payments that it has made.',
  params: Type.Object({ recurringPaymentId: Id('recurringPayment') }),
  data: RecurringPayment,
  problems: ['recurring_payment_not_found'],
  run: ({ bank, caller }, { params }) => bank.getRecurringPayment(caller, params.recurringPaymentId),
})
