import { Type } from 'typebox'
import { FilterQuery, filterReader, filterText } from '../filter/filter.ts'
import { recordsRead } from './records.ts'
import { Reward } from './reward.ts'

const readFilter = filterReader(Reward)

/** Extension. Lists rewards in the filter language. */
export const listRewards = recordsRead({
  id: 'listRewards',
  resource: 'rewards',
  verb: 'list',
  area: 'rewards',
  method: 'GET',
  path: '/v0/rewards/rewards',
  summary: 'List rewards',
  description: `Lists the cash back that purchases earned, by \`id\` unless \`orderByClause\` says otherwise.${filterText(Reward)}`,
  status: 200,
  scope: 'rewards:read',
  fromStandby: true,
  query: FilterQuery,
  data: Type.Array(Reward),
  problems: [],
  run: async ({ records, caller }, { query }) => records.listRewards(caller, readFilter(query)),
})
