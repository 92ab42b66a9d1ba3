import { type Static, Type } from 'typebox'
import { parseInstant } from '../../base/clock.ts'
import { Id } from '../../base/ids.ts'
import { pageQuery } from '../../base/page.ts'
import { invalidRequest } from '../../base/problem.ts'
import { bankingRead } from '../provider.ts'
import { Day, PlannedPayment } from './recurring-payment.ts'

const ListPlannedPaymentsQuery = Type.Object({
  until: Type.Optional(
    Day('The last day that is shown, in Eastern time: at most and by default a year ahead', '2099-12-31'),
  ),
  limit: pageQuery.limit,
  offset: pageQuery.offset,
})
export type ListPlannedPaymentsQuery = Static<typeof ListPlannedPaymentsQuery> & { accountId: string }

/** Extension. The calendar of an account: the payments that its recurring payments will make. */
export const listPlannedPayments = bankingRead({
  id: 'listPlannedPayments',
  resource: 'recurringPayments',
  verb: 'calendar',
  path: '/v0/banking/accounts/:accountId/planned-payments',
  summary: 'List planned payments',
  description:
    'The calendar of an account: the payments that its `Active` recurring payments will make in the next year, the earliest first, on the days to which weekends and bank holidays move them. Those that were skipped are marked; paused ones are left out.',
  params: Type.Object({ accountId: Id('account') }),
  query: ListPlannedPaymentsQuery,
  data: Type.Array(PlannedPayment),
  problems: ['account_not_found'],
  run: async ({ bank, caller }, { params, query }) => {
    if (query.until !== undefined && parseInstant(query.until) === undefined) {
      throw invalidRequest([{ parameter: 'until', code: 'bad_format', message: 'until is no day of the calendar' }])
    }
    return bank.listPlannedPayments(caller, { accountId: params.accountId, ...query })
  },
})
