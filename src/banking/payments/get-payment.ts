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
  area: 'banking',
  method: 'GET',
  path: '/v0/banking/payments/:paymentId',
  summary: 'Get payment',
  status: 200,
  scope: 'banking:read',
  params: Type.Object({ paymentId: Id('payment') }),
  data: Payment,
  problems: ['payment_not_found'],
  run: ({ bank, caller }, { params }) => bank.getPayment(caller, params.paymentId),
})
