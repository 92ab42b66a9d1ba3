import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { ReceivedPayment } from '../payments/received-payment.ts'
import { bankingWrite } from '../provider.ts'

const ReturnReceivedPaymentBody = Type.Object(
  {
    returnCode: Type.String({
      pattern: '^R[0-9]{2}$',
      description: 'Code of the return',
      examples: ['R10'],
    }),
  },
  { description: 'The reason of the return' },
)
export type ReturnReceivedPaymentInput = Static<typeof ReturnReceivedPaymentBody> & { receivedPaymentId: string }

/** Extension. Returns a received payment to the other bank. */
export const returnReceivedPayment = bankingWrite({
  id: 'returnReceivedPayment',
  resource: 'receivedPayments',
  verb: 'return',
  path: '/v0/banking/received-payments/:receivedPaymentId/return',
  summary: 'Return received payment',
  description:
    'Marks a received payment for return. The return leaves with the next ACH file, and the payment becomes `Returned` when it settles. If the payment is `Completed`, the money moves at once: a credit is taken from the account (or refused with `insufficient_funds`), a debit comes back.\n\nThe code must fit the direction of the payment (`return_code_not_allowed`). Most codes have a deadline of two banking days after the settlement, those of unauthorized debits 60 days; a return that would settle later is refused with `return_too_late`. The money of a credit leaves a `Frozen` account only with a key that has `risk:write` (`account_not_open`). A payment that is already marked or returned is refused with `received_payment_not_returnable`. Emits `receivedPayment.markedForReturn`, `transaction.created` if money moves, and `receivedPayment.returned` when the return settles.',
  orScope: 'risk:write',
  params: Type.Object({ receivedPaymentId: Id('receivedPayment') }),
  body: ReturnReceivedPaymentBody,
  data: ReceivedPayment,
  problems: [
    'received_payment_not_found',
    'received_payment_not_returnable',
    'return_code_not_allowed',
    'return_too_late',
    'insufficient_funds',
    'account_not_open',
    'balance_limit',
  ],
  run: ({ bank, write }, { params, body }) => bank.returnReceivedPayment(write, { ...params, ...body }),
})
