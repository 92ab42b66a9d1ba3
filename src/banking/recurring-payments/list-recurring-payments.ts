import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { AmountFilter, amountOrder, countQuery, cursorQuery, cursorRule, sinceUntil } from '../../base/page.ts'
import { bankingRead } from '../provider.ts'
import { RecurringPayment, recurringStatuses } from './recurring-payment.ts'

const ListRecurringPaymentsQuery = Type.Object(
  {
    accountId: Type.Optional(Id('account', 'Only those of this account')),
    customerId: Type.Optional(Id('customer', 'Only those of this customer')),
    counterpartyAccountId: Type.Optional(Id('externalAccount', 'Only those with this external account')),
    status: Type.Optional(
      Type.Array(Type.Enum([...recurringStatuses]), { description: 'Only those in one of these states' }),
    ),
    ...sinceUntil,
    fromAmount: Type.Optional(AmountFilter('Only those of at least this amount, in cents')),
    toAmount: Type.Optional(AmountFilter('Only those of at most this amount, in cents')),
    ...cursorQuery,
    ...countQuery,
  },
  { 'x-rules': [amountOrder, cursorRule] },
)
export type ListRecurringPaymentsQuery = Static<typeof ListRecurringPaymentsQuery>

/** Extension. Lists recurring payments, newest first. */
export const listRecurringPayments = bankingRead({
  id: 'listRecurringPayments',
  resource: 'recurringPayments',
  verb: 'list',
  path: '/v0/banking/recurring-payments',
  summary: 'List recurring payments',
  description: 'Lists the recurring payments of the organisation, newest first. Filters combine.',
  fromStandby: true,
  query: ListRecurringPaymentsQuery,
  data: Type.Array(RecurringPayment),
  problems: [],
  run: ({ bank, caller }, { query }) => bank.listRecurringPayments(caller, query),
})
