import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { pageQuery } from '../../base/page.ts'
import { bankingRead } from '../provider.ts'
import { CardStatus, CardType, ListedCard } from './card.ts'

const ListCardsQuery = Type.Object({
  accountId: Type.Optional(Id('account')),
  customerId: Type.Optional(Id('customer')),
  status: Type.Optional(CardStatus),
  type: Type.Optional(CardType),
  ...pageQuery,
})
export type ListCardsQuery = Static<typeof ListCardsQuery>

/** B7. Lists cards, newest first. */
export const listCards = bankingRead({
  id: 'listCards',
  resource: 'cards',
  verb: 'list',
  number: 'B7',
  area: 'banking',
  method: 'GET',
  path: '/v0/banking/cards',
  summary: 'List cards',
  status: 200,
  scope: 'banking:read',
  query: ListCardsQuery,
  data: Type.Array(ListedCard),
  problems: [],
  run: ({ bank, caller }, { query }) => bank.listCards(caller, query),
})
