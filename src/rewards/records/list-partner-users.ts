import { Type } from 'typebox'
import { FilterQuery, filterReader, filterText } from '../filter/filter.ts'
import { PartnerUser } from './partner-user.ts'
import { recordsRead } from './records.ts'

const readFilter = filterReader(PartnerUser)

/** R3. Lists partner users in the filter language. */
export const listPartnerUsers = recordsRead({
  id: 'listPartnerUsers',
  resource: 'partnerUsers',
  verb: 'list',
  number: 'R3',
  area: 'rewards',
  method: 'GET',
  path: '/v0/rewards/partner-users',
  summary: 'List partner users',
  description: `Lists the users who take part in rewards, removed ones too, by \`id\` unless \`orderByClause\` says otherwise.${filterText(PartnerUser)}`,
  status: 200,
  scope: 'rewards:read',
  fromStandby: true,
  query: FilterQuery,
  data: Type.Array(PartnerUser),
  problems: [],
  run: async ({ records, caller }, { query }) => records.listPartnerUsers(caller, readFilter(query)),
})
