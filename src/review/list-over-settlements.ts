import { type Static, Type } from 'typebox'
import { OverSettlement } from '../banking/authorizations/over-settlement.ts'
import { cursorRule, queueQuery } from '../base/page.ts'
import { reviewRead } from './review.ts'

const ListOverSettlementsFilter = Type.Object(queueQuery, { 'x-rules': [cursorRule] })
export type ListOverSettlementsQuery = Static<typeof ListOverSettlementsFilter>

/** Extension. Lists the authorizations that settled for more than their trade explains, oldest first. */
export const listOverSettlements = reviewRead({
  id: 'listOverSettlements',
  resource: 'overSettlements',
  verb: 'list',
  path: '/v0/review/over-settlements',
  summary: 'List over-settlements',
  description:
    'Lists the card authorizations that settled for more than their trade explains, oldest first. The settlements are booked, because the network has cleared them; a reviewer should ask the merchant or the processor. An authorization leaves the list when it is resolved.',
  query: ListOverSettlementsFilter,
  data: Type.Array(OverSettlement),
  problems: [],
  run: ({ review, caller }, { query }) => review.listOverSettlements(caller, query),
})
