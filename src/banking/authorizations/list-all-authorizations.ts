import { type Static, Type } from 'typebox'
import { CentsValue } from '../../base/cents.ts'
import { Id, RecordId } from '../../base/ids.ts'
import { AmountFilter, amountOrder, cursorQuery, cursorRule, sinceUntil } from '../../base/page.ts'
import { described, SearchText, Text } from '../../base/text.ts'
import { bankingRead } from '../provider.ts'
import { Authorization, authorizationStatuses } from './authorization.ts'

/** An authorization in the list of an organisation: with its holder, and what became of the amount. */
export const OwnedAuthorization = Type.Object(
  {
    ...Authorization.properties,
    settled: described(CentsValue, 'Amount taken from the account so far, in cents'),
    refunded: described(CentsValue, 'Amount given back so far, in cents'),
    cardId: RecordId('The card'),
    accountId: RecordId('The account of the card'),
    customerId: RecordId('The customer who holds the card'),
    customerName: Type.String({ description: 'Name of the customer', examples: ['Ada Example'] }),
  },
  {
    $id: 'OwnedAuthorization',
    description: 'An authorization with its card, account and customer, and the amounts that were settled and refunded',
  },
)
export type OwnedAuthorization = Static<typeof OwnedAuthorization>

const ListAllAuthorizationsFilter = Type.Object(
  {
    status: Type.Optional(
      Type.Array(Type.Enum([...authorizationStatuses]), { description: 'Only authorizations in one of these states' }),
    ),
    reason: Type.Optional(
      Text(1, 64, {
        description: 'Only authorizations that were declined for this reason',
        examples: ['InsufficientFunds'],
      }),
    ),
    customerId: Type.Optional(Id('customer', 'Only authorizations of this customer')),
    accountId: Type.Optional(Id('account', 'Only authorizations on this account')),
    cardId: Type.Optional(Id('card', 'Only authorizations of this card')),
    search: Type.Optional(
      SearchText('Only authorizations at merchants whose name or place has these words. Among the newest 10,000'),
    ),
    ...sinceUntil,
    fromAmount: Type.Optional(AmountFilter('Only authorizations of at least this amount, in cents')),
    toAmount: Type.Optional(AmountFilter('Only authorizations of at most this amount, in cents')),
    ...cursorQuery,
  },
  { 'x-rules': [amountOrder, cursorRule] },
)
export type ListAllAuthorizationsQuery = Static<typeof ListAllAuthorizationsFilter>

/** Extension. Lists the authorizations of all customers in all states, newest first. */
export const listAllAuthorizations = bankingRead({
  id: 'listAllAuthorizations',
  resource: 'authorizations',
  verb: 'listAll',
  path: '/v0/authorizations',
  summary: 'List all authorizations',
  description:
    'Lists the card authorizations of the organisation in all states, newest first: open, settled, canceled, expired, and declined ones with the reason.\n\nFilters combine; a filter with several values finds authorizations that match any of them. An unknown id in a filter matches nothing.',
  fromStandby: true,
  query: ListAllAuthorizationsFilter,
  data: Type.Array(OwnedAuthorization),
  problems: ['not_supported_by_provider'],
  run: ({ bank, caller }, { query }) => bank.listAllAuthorizations(caller, query),
})
