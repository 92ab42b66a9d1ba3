import { Type } from 'typebox'
import { FilterQuery, filterReader, filterText } from '../filter/filter.ts'
import { PartnerUserCard } from './partner-user-card.ts'
import { recordsRead } from './records.ts'

const readFilter = filterReader(PartnerUserCard)

/** Extension. Lists the links of cards in the filter language. */
export const listPartnerUserCards = recordsRead({
  id: 'listPartnerUserCards',
  resource: 'partnerUserCards',
  verb: 'list',
  area: 'rewards',
  method: 'GET',
  path: '/v0/rewards/partner-user-cards',
  summary: 'List partner user cards',
  description: `Lists the links between cards and partner users, removed ones too, by \`id\` unless \`orderByClause\` says otherwise.${filterText(PartnerUserCard)}`,
  status: 200,
  scope: 'rewards:read',
  fromStandby: true,
  query: FilterQuery,
  data: Type.Array(PartnerUserCard),
  problems: [],
  run: async ({ records, caller }, { query }) => records.listPartnerUserCards(caller, readFilter(query)),
})
