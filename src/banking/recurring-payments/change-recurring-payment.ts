import { type Static, Type } from 'typebox'
import { Amount } from '../../base/cents.ts'
import { Id } from '../../base/ids.ts'
import { described } from '../../base/text.ts'
import { bankingWrite } from '../provider.ts'
import { Day, RecurringPayment } from './recurring-payment.ts'

const ChangeRecurringPaymentBody = Type.Object(
  {
    amount: described(Amount, 'The new amount in cents'),
    from: Type.Optional(Day('Due date from which on it applies; at once by default', '2099-06-01')),
  },
  { description: 'The new amount' },
)
export type ChangeRecurringPaymentInput = Static<typeof ChangeRecurringPaymentBody> & { recurringPaymentId: string }

/** Extension. Changes the amount of a recurring payment from a date on. */
export const changeRecurringPayment = bankingWrite({
  id: 'changeRecurringPayment',
  resource: 'recurringPayments',
  verb: 'changeAmount',
  path: '/v0/banking/recurring-payments/:recurringPaymentId/amount',
  summary: 'Change amount of recurring payment',
  description:
    'Changes the amount of the due dates from a date on, by default of all that lie ahead. It replaces changes that were to apply from that date on. At most 24 changes lie ahead.\n\n`recurringPayment.changed` follows.',
  params: Type.Object({ recurringPaymentId: Id('recurringPayment') }),
  body: ChangeRecurringPaymentBody,
  data: RecurringPayment,
  problems: ['recurring_payment_not_found', 'recurring_payment_ended'],
  run: ({ bank, write }, { params, body }) =>
    bank.changeRecurringPayment(write, { recurringPaymentId: params.recurringPaymentId, ...body }),
})
