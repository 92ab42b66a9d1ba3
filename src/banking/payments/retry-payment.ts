import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingWrite } from '../provider.ts'
import { Payment } from './payment.ts'

/** Extension. Presents a debit again that was returned because money was missing. */
export const retryPayment = bankingWrite({
  id: 'retryPayment',
  resource: 'payments',
  verb: 'retry',
  path: '/v0/banking/payments/:paymentId/retry',
  summary: 'Retry payment',
  description:
    'Presents a debit again that was returned with `R01` or `R09`, because money was missing. The new payment has the amount and the external account of the first one, the description `RETRY PYMT`, and its id in `retryOf`. Limits, the mandate and reviews are those of any debit.\n\nThe rules of ACH allow two retries within 180 days of the settlement of the first debit, one after the other: `payment_not_retryable` otherwise, and while a retry that left before the database was restored is an open exception. `paymentId` is the first debit or one of its retries. Emits `payment.created`.',
  status: 201,
  params: Type.Object({ paymentId: Id('payment') }),
  data: Payment,
  problems: [
    'payment_not_found',
    'payment_not_retryable',
    'account_not_open',
    'external_account_not_found',
    'external_account_not_debitable',
    'debit_not_permitted',
    'debits_stopped',
    'mandate_missing',
    'limit_exceeded',
    'balance_limit',
    'amount_over_rail_limit',
    'invalid_routing_number',
  ],
  run: ({ bank, write }, { params }) => bank.retryPayment(write, params.paymentId),
})
