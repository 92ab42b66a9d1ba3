import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { recordsRead } from './records.ts'
import { Reward } from './reward.ts'

/** Extension. Returns one reward. */
export const getReward = recordsRead({
  id: 'getReward',
  resource: 'rewards',
  verb: 'get',
  area: 'rewards',
  method: 'GET',
  path: '/v0/rewards/rewards/:rewardId',
  summary: 'Get reward',
  description:
    'Returns a reward in its current state. `userAmount` shrinks if part of the purchase is refunded. An unknown id is refused with `reward_not_found`.',
  status: 200,
  scope: 'rewards:read',
  params: Type.Object({ rewardId: Id('reward') }),
  data: Reward,
  problems: ['reward_not_found'],
  run: ({ records, caller }, { params }) => records.getReward(caller, params.rewardId),
})
