import { Type } from 'typebox'
import { FilterQuery, filterReader, filterText } from '../filter/filter.ts'
import { recordsRead } from './records.ts'
import { RewardPayment } from './reward-payment.ts'

const readFilter = filterReader(RewardPayment)

/** R5. Lists the payouts of rewards in the filter language. */
export const listRewardPayments = recordsRead({
  id: 'listRewardPayments',
  resource: 'rewardPayments',
  verb: 'list',
  number: 'R5',
  area: 'rewards',
  method: 'GET',
  path: '/v0/rewards/reward-payments',
  summary: 'List reward payments',
  description: `Lists the payouts of rewards, by \`id\` unless \`orderByClause\` says otherwise. \`GET /v0/banking/payments/:paymentId\` returns the payment of each.${filterText(RewardPayment)}`,
  status: 200,
  scope: 'rewards:read',
  fromStandby: true,
  query: FilterQuery,
  data: Type.Array(RewardPayment),
  problems: [],
  run: async ({ records, caller }, { query }) => records.listRewardPayments(caller, readFilter(query)),
})
