import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { AmountFilter, amountOrder, pageQuery, sinceUntil } from '../../base/page.ts'
import { bankingRead } from '../provider.ts'
import { Authorization } from './authorization.ts'

const ListAuthorizationsQuery = Type.Object(
  {
    customerId: Id('customer'),
    status: Type.Enum(['Authorized'], { description: 'Only open authorizations are listed' }),
    accountId: Type.Optional(Id('account')),
    cardId: Type.Optional(Id('card')),
    ...sinceUntil,
    fromAmount: Type.Optional(AmountFilter('Smallest amount to return')),
    toAmount: Type.Optional(AmountFilter('Largest amount to return')),
    ...pageQuery,
  },
  { 'x-rules': [amountOrder] },
)
export type ListAuthorizationsQuery = Static<typeof ListAuthorizationsQuery>

/** B1. Lists a customer's open authorizations, newest first. */
export const listAuthorizations = bankingRead({
  id: 'listAuthorizations',
  resource: 'authorizations',
  verb: 'list',
  number: 'B1',
  area: 'banking',
  method: 'GET',
  path: '/v0/banking/authorizations',
  summary: 'List authorizations',
  status: 200,
  scope: 'banking:read',
  query: ListAuthorizationsQuery,
  data: Type.Array(Authorization),
  problems: [],
  run: ({ bank, caller }, { query }) => bank.listAuthorizations(caller, query),
})
