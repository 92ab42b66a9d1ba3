import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import type { Rule } from '../../base/rules.ts'
import { bankingWrite } from '../provider.ts'
import { Day, RecurringPayment } from './recurring-payment.ts'

const SkipRecurringPaymentBody = Type.Object(
  { date: Type.Optional(Day('The due date to skip; the next one by default', '2099-02-01')) },
  { description: 'The due date', 'x-rules': [{ rule: 'dueDate', members: ['date'] }] satisfies Rule[] },
)
export type SkipRecurringPaymentInput = Static<typeof SkipRecurringPaymentBody> & { recurringPaymentId: string }

/** Extension. Skips one due date of a recurring payment. */
export const skipRecurringPayment = bankingWrite({
  id: 'skipRecurringPayment',
  resource: 'recurringPayments',
  verb: 'skip',
  path: '/v0/banking/recurring-payments/:recurringPaymentId/skip',
  summary: 'Skip recurring payment',
  description:
    'Skips one due date: the next one that is not skipped, or the one in `date`, among the next 60. A day on which nothing is due is `invalid_request`. The due date counts for `count`, and its run is `Skipped` with the reason `requested` when it comes.\n\n`recurringPayment.changed` follows.',
  params: Type.Object({ recurringPaymentId: Id('recurringPayment') }),
  body: SkipRecurringPaymentBody,
  data: RecurringPayment,
  problems: ['recurring_payment_not_found', 'recurring_payment_ended'],
  run: ({ bank, write }, { params, body }) =>
    bank.skipRecurringPayment(write, { recurringPaymentId: params.recurringPaymentId, ...body }),
})
