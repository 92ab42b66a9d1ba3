import { Type } from 'typebox'
import { FilterQuery, filterReader, filterText } from '../filter/filter.ts'
import { recordsRead } from './records.ts'
import { RewardableTransaction } from './rewardable-transaction.ts'

const readFilter = filterReader(RewardableTransaction)

/** R4. Lists rewardable transactions in the filter language. */
export const listRewardableTransactions = recordsRead({
  id: 'listRewardableTransactions',
  resource: 'rewardableTransactions',
  verb: 'list',
  number: 'R4',
  area: 'rewards',
  method: 'GET',
  path: '/v0/rewards/rewardable-transactions',
  summary: 'List rewardable transactions',
  description: `Lists the settled purchases with linked cards, whether or not an offer matched, by \`id\` unless \`orderByClause\` says otherwise. \`GET /v0/rewards/rewards\` lists what they earned.${filterText(RewardableTransaction)}`,
  status: 200,
  scope: 'rewards:read',
  fromStandby: true,
  query: FilterQuery,
  data: Type.Array(RewardableTransaction),
  problems: [],
  run: async ({ records, caller }, { query }) => records.listRewardableTransactions(caller, readFilter(query)),
})
