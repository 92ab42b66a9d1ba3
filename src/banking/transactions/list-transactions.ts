import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { AmountFilter, amountOrder, countQuery, cursorQuery, cursorRule, sinceUntil } from '../../base/page.ts'
import { described } from '../../base/text.ts'
import { Direction } from '../payments/payment.ts'
import { bankingRead } from '../provider.ts'
import { ListedTransaction } from './transaction.ts'

const ListTransactionsQuery = Type.Object(
  {
    customerId: Type.Optional(Id('customer', 'Only transactions of this customer')),
    accountId: Type.Optional(Id('account', 'Only transactions of this account')),
    direction: Type.Optional(described(Direction, '`Credit` for money in, `Debit` for money out')),
    ...sinceUntil,
    fromAmount: Type.Optional(AmountFilter('Only transactions of at least this amount, in cents')),
    toAmount: Type.Optional(AmountFilter('Only transactions of at most this amount, in cents')),
    ...cursorQuery,
    ...countQuery,
  },
  { 'x-rules': [amountOrder, cursorRule] },
)
export type ListTransactionsQuery = Static<typeof ListTransactionsQuery>

/** B4. Lists transactions, newest first. The transactions of one account come in the order of posting. */
export const listTransactions = bankingRead({
  id: 'listTransactions',
  resource: 'transactions',
  verb: 'list',
  number: 'B4',
  path: '/v0/banking/transactions',
  summary: 'List transactions',
  description:
    'Lists the transactions of customers’ accounts, newest first. A transaction moves money into (`Credit`) or out of (`Debit`) one account. The transactions of an account are in the order of posting, so each `balance` results from the one before.\n\nPayments, received payments, card settlements, refunds and rewards post transactions; open authorizations do not. Filters combine, and an unknown id matches nothing.',
  fromStandby: true,
  query: ListTransactionsQuery,
  data: Type.Array(ListedTransaction),
  problems: [],
  run: ({ bank, caller }, { query }) => bank.listTransactions(caller, query),
})
