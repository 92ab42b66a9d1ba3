import { Type } from 'typebox'
import { FilterQuery, filterReader } from '../filter/filter.ts'
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
  status: 200,
  scope: 'rewards:read',
  query: FilterQuery,
  data: Type.Array(RewardableTransaction),
  problems: [],
  run: async ({ records, caller }, { query }) => records.listRewardableTransactions(caller, readFilter(query)),
})
