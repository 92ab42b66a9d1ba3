import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { AmountFilter, amountOrder, cursorQuery, cursorRule, sinceUntil } from '../../base/page.ts'
import { bankingRead } from '../provider.ts'
import { Authorization } from './authorization.ts'

const ListAuthorizationsQuery = Type.Object(
  {
    customerId: Id('customer', 'The customer who holds the cards'),
    status: Type.Enum(['Authorized'], { description: 'Always `Authorized`: only open authorizations are listed' }),
    accountId: Type.Optional(Id('account', 'Only authorizations on this account')),
    cardId: Type.Optional(Id('card', 'Only authorizations of this card')),
    ...sinceUntil,
    fromAmount: Type.Optional(AmountFilter('Only authorizations of at least this amount, in cents')),
    toAmount: Type.Optional(AmountFilter('Only authorizations of at most this amount, in cents')),
    ...cursorQuery,
  },
  { 'x-rules': [amountOrder, cursorRule] },
)
export type ListAuthorizationsQuery = Static<typeof ListAuthorizationsQuery>

/** B1. Lists a customer's open authorizations, newest first. */
export const listAuthorizations = bankingRead({
  id: 'listAuthorizations',
  resource: 'authorizations',
  verb: 'list',
  number: 'B1',
  path: '/v0/banking/authorizations',
  summary: 'List authorizations',
  description:
    'Lists the open card authorizations of a customer, newest first. Each holds an amount that a merchant asked for until it settles, is reversed or expires after seven days. `status` is required and must be `Authorized`; read authorizations in other states by their id.\n\nUnknown ids in filters match nothing.',
  fromStandby: true,
  query: ListAuthorizationsQuery,
  data: Type.Array(Authorization),
  problems: [],
  run: ({ bank, caller }, { query }) => bank.listAuthorizations(caller, query),
})
