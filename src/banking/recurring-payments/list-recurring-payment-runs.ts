import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { cursorQuery, cursorRule } from '../../base/page.ts'
import { bankingRead } from '../provider.ts'
import { RecurringPaymentRun, runStatuses } from './recurring-payment.ts'

const ListRecurringPaymentRunsQuery = Type.Object(
  {
    status: Type.Optional(Type.Enum([...runStatuses], { description: 'Only runs in this state' })),
    ...cursorQuery,
  },
  { 'x-rules': [cursorRule] },
)
export type ListRecurringPaymentRunsQuery = Static<typeof ListRecurringPaymentRunsQuery> & {
  recurringPaymentId: string
}

/** Extension. Lists the runs of a recurring payment, newest first. */
export const listRecurringPaymentRuns = bankingRead({
  id: 'listRecurringPaymentRuns',
  resource: 'recurringPayments',
  verb: 'listRuns',
  path: '/v0/banking/recurring-payments/:recurringPaymentId/runs',
  summary: 'List recurring payment runs',
  description:
    'Lists what became of the due dates of a recurring payment, newest first: one run for each due date that has come, with its payment or the reason why there is none.',
  fromStandby: true,
  params: Type.Object({ recurringPaymentId: Id('recurringPayment') }),
  query: ListRecurringPaymentRunsQuery,
  data: Type.Array(RecurringPaymentRun),
  problems: ['recurring_payment_not_found'],
  run: ({ bank, caller }, { params, query }) =>
    bank.listRecurringPaymentRuns(caller, { recurringPaymentId: params.recurringPaymentId, ...query }),
})
