import { type Static, Type } from 'typebox'
import { Payment } from '../banking/payments/payment.ts'
import { Id } from '../base/ids.ts'
import { sandboxWrite } from './sandbox.ts'

const ReturnPaymentBody = Type.Object(
  {
    returnCode: Type.String({
      pattern: '^R[0-9]{2}$',
      description: 'NACHA code of the reason, such as `R01` for insufficient funds',
      examples: ['R01'],
    }),
  },
  { description: 'The reason of the return' },
)
export type ReturnPaymentInput = Static<typeof ReturnPaymentBody> & { paymentId: string }

/** Sandbox. Returns a payment, as the receiving bank would: the money goes back to the account. */
export const returnPayment = sandboxWrite({
  id: 'returnPayment',
  resource: 'sandbox.payments',
  verb: 'return',
  path: '/v0/sandbox/payments/:paymentId/return',
  summary: 'Return payment',
  description:
    'Returns a payment as the receiving bank would. The money comes back to the account, whatever its state, and the payment becomes `Returned`.\n\nOnly a `Sent` payment to an account outside this organisation can be returned, and only once (`payment_not_returnable`). Emits `payment.returned` and `transaction.created`.\n\nWith `PURSER_ACH=windows` the return comes as an ACH file with one entry, in time for its code. A `Clearing` payment can be returned, too; one that settled more than 75 days ago cannot, and a code that does not exist is refused with `return_code_not_allowed`.',
  params: Type.Object({ paymentId: Id('payment') }),
  body: ReturnPaymentBody,
  data: Payment,
  problems: ['payment_not_found', 'payment_not_returnable', 'balance_limit', 'return_code_not_allowed'],
  run: ({ sandbox, write }, { params, body }) => sandbox.returnPayment(write, { paymentId: params.paymentId, ...body }),
})
