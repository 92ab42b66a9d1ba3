import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { cursorQuery, cursorRule, sinceUntil } from '../../base/page.ts'
import { described } from '../../base/text.ts'
import { bankingRead } from '../provider.ts'
import { CardStatus, CardType, ListedCard } from './card.ts'

const ListCardsQuery = Type.Object(
  {
    accountId: Type.Optional(Id('account', 'Only cards of this account')),
    customerId: Type.Optional(Id('customer', 'Only cards of this customer')),
    status: Type.Optional(described(CardStatus, 'Only cards in this state')),
    type: Type.Optional(described(CardType, 'Only physical, or only virtual cards')),
    last4Digits: Type.Optional(
      Type.String({ pattern: '^\\d{4}$', description: 'Only cards with these last digits', examples: ['4242'] }),
    ),
    ...sinceUntil,
    ...cursorQuery,
  },
  { 'x-rules': [cursorRule] },
)
export type ListCardsQuery = Static<typeof ListCardsQuery>

/** B7. Lists cards, newest first. */
export const listCards = bankingRead({
  id: 'listCards',
  resource: 'cards',
  verb: 'list',
  number: 'B7',
  path: '/v0/banking/cards',
  summary: 'List cards',
  description:
    'Lists the cards of the organisation in all states, newest first. Here `expirationDate` is a time, the last millisecond of the month; a single card shows the month. An unknown id in a filter matches nothing.',
  fromStandby: true,
  query: ListCardsQuery,
  data: Type.Array(ListedCard),
  problems: [],
  run: ({ bank, caller }, { query }) => bank.listCards(caller, query),
})
