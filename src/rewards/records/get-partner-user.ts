import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { TaggedPartnerUser } from './partner-user.ts'
import { recordsRead } from './records.ts'

/** Extension. Reads a partner user with its tags. */
export const getPartnerUser = recordsRead({
  id: 'getPartnerUser',
  resource: 'partnerUsers',
  verb: 'get',
  area: 'rewards',
  method: 'GET',
  path: '/v0/rewards/partner-users/:partnerUserId',
  summary: 'Get partner user',
  description: 'Reads a partner user with its tags, to which the conditions of campaign offers refer.',
  status: 200,
  scope: 'rewards:read',
  params: Type.Object({ partnerUserId: Id('partnerUser') }),
  data: TaggedPartnerUser,
  problems: ['partner_user_not_found'],
  run: ({ records, caller }, { params }) => records.getPartnerUser(caller, params.partnerUserId),
})
