import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { pageQuery, sinceUntil } from '../../base/page.ts'
import { Direction } from '../payments/payment.ts'
import { bankingRead } from '../provider.ts'
import { ListedTransaction } from './transaction.ts'

const ListTransactionsQuery = Type.Object({
  customerId: Type.Optional(Id('customer')),
  accountId: Type.Optional(Id('account')),
  direction: Type.Optional(Direction),
  ...sinceUntil,
  ...pageQuery,
})
export type ListTransactionsQuery = Static<typeof ListTransactionsQuery>

/** B4. Lists transactions, newest first. The transactions of one account come in the order of posting. */
export const listTransactions = bankingRead({
  id: 'listTransactions',
  resource: 'transactions',
  verb: 'list',
  number: 'B4',
  area: 'banking',
  method: 'GET',
  path: '/v0/banking/transactions',
  summary: 'List transactions',
  status: 200,
  scope: 'banking:read',
  query: ListTransactionsQuery,
  data: Type.Array(ListedTransaction),
  problems: [],
  run: ({ bank, caller }, { query }) => bank.listTransactions(caller, query),
})
