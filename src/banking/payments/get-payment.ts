import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingRead } from '../provider.ts'
import { Payment } from './payment.ts'

/** B9. Reads one payment. */
export const getPayment = bankingRead({
  id: 'getPayment',
  resource: 'payments',
  verb: 'get',
  number: 'B9',
  path: '/v0/banking/payments/:paymentId',
  summary: 'Get payment',
  description:
    'Returns a payment with its current status. The counterparty is shown as it was when the payment was made, even if the external account has since been deleted. An unknown id is refused with `payment_not_found`.',
  fromStandby: true,
  params: Type.Object({ paymentId: Id('payment') }),
  data: Payment,
  problems: ['payment_not_found'],
  run: ({ bank, caller }, { params }) => bank.getPayment(caller, params.paymentId),
})
