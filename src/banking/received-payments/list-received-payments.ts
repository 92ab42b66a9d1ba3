import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { AmountFilter, amountOrder, cursorQuery, cursorRule, sinceUntil } from '../../base/page.ts'
import { Direction } from '../payments/payment.ts'
import { ReceivedPayment, receivedPaymentStatuses } from '../payments/received-payment.ts'
import { bankingRead } from '../provider.ts'

const ListReceivedPaymentsQuery = Type.Object(
  {
    accountId: Type.Optional(Id('account', 'Only received payments of this account')),
    customerId: Type.Optional(Id('customer', 'Only received payments of this customer')),
    status: Type.Optional(
      Type.Array(Type.Enum([...receivedPaymentStatuses]), { description: 'Only those in one of these states' }),
    ),
    direction: Type.Optional(
      Type.Array(Direction, { description: '`Credit` pays into the account, `Debit` takes from it' }),
    ),
    ...sinceUntil,
    fromAmount: Type.Optional(AmountFilter('Only those of at least this amount, in cents')),
    toAmount: Type.Optional(AmountFilter('Only those of at most this amount, in cents')),
    ...cursorQuery,
  },
  { 'x-rules': [amountOrder, cursorRule] },
)
export type ListReceivedPaymentsQuery = Static<typeof ListReceivedPaymentsQuery>

/** Extension. Lists received payments, newest first. */
export const listReceivedPayments = bankingRead({
  id: 'listReceivedPayments',
  resource: 'receivedPayments',
  verb: 'list',
  path: '/v0/banking/received-payments',
  summary: 'List received payments',
  description:
    'Lists the payments that other banks sent to accounts of the organisation, newest first. With `PURSER_ACH=windows` they are entries of ACH files. Filters combine; a filter with several values finds those that match any of them. An unknown id in a filter matches nothing.',
  fromStandby: true,
  query: ListReceivedPaymentsQuery,
  data: Type.Array(ReceivedPayment),
  problems: [],
  run: ({ bank, caller }, { query }) => bank.listReceivedPayments(caller, query),
})
