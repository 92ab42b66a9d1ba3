import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { PartnerUser } from './partner-user.ts'
import { recordsWrite } from './records.ts'

const UpdatePartnerUserBody = Type.Object({ isRemoved: Type.Boolean() })
export type UpdatePartnerUserInput = Static<typeof UpdatePartnerUserBody> & { partnerUserId: string }

/** Extension. Removes a partner user, or enrols a removed one again; the links of its cards stay as they are. */
export const updatePartnerUser = recordsWrite({
  id: 'updatePartnerUser',
  resource: 'partnerUsers',
  verb: 'update',
  area: 'rewards',
  method: 'PATCH',
  path: '/v0/rewards/partner-users/:partnerUserId',
  summary: 'Update partner user',
  status: 200,
  scope: 'rewards:write',
  params: Type.Object({ partnerUserId: Id('partnerUser') }),
  body: UpdatePartnerUserBody,
  data: PartnerUser,
  problems: ['partner_user_not_found'],
  run: ({ records, write }, { params, body }) => records.updatePartnerUser(write, { ...params, ...body }),
})
