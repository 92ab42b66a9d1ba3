import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { ReceivedPayment } from '../payments/received-payment.ts'
import { bankingRead } from '../provider.ts'

/** Extension. Reads one received payment. */
export const getReceivedPayment = bankingRead({
  id: 'getReceivedPayment',
  resource: 'receivedPayments',
  verb: 'get',
  path: '/v0/banking/received-payments/:receivedPaymentId',
  summary: 'Get received payment',
  description:
    'Returns a received payment with its current status. An unknown id is refused with `received_payment_not_found`.',
  fromStandby: true,
  params: Type.Object({ receivedPaymentId: Id('receivedPayment') }),
  data: ReceivedPayment,
  problems: ['received_payment_not_found'],
  run: ({ bank, caller }, { params }) => bank.getReceivedPayment(caller, params.receivedPaymentId),
})
