import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { atLeastOneOf } from '../../base/rules.ts'
import { Tags } from '../../base/text.ts'
import { TaggedPartnerUser } from './partner-user.ts'
import { recordsWrite } from './records.ts'

const changes = {
  isRemoved: Type.Optional(Type.Boolean({ description: 'True removes the user, false enrols it again' })),
  tags: Type.Optional(Tags),
}
const UpdatePartnerUserBody = Type.Object(changes, { 'x-rules': [atLeastOneOf(changes)], description: 'The change' })
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
  description:
    'Removes a partner user from rewards, or enrols a removed one again. While a user is removed, purchases earn nothing; rewards earned before are still paid. Links of cards do not change. `tags` replace those before.\n\nEmits `partnerUser.updated`, unless nothing changed.',
  status: 200,
  scope: 'rewards:write',
  params: Type.Object({ partnerUserId: Id('partnerUser') }),
  body: UpdatePartnerUserBody,
  data: TaggedPartnerUser,
  problems: ['partner_user_not_found'],
  run: ({ records, write }, { params, body }) => records.updatePartnerUser(write, { ...params, ...body }),
})
