import { type Static, Type } from 'typebox'
import { Tags } from '../../base/text.ts'
import { TaggedPartnerUser } from './partner-user.ts'
import { recordsWrite } from './records.ts'

const CreatePartnerUserInput = Type.Object(
  {
    userId: Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Your own number of the user',
      examples: [111],
    }),
    tags: Type.Optional(Tags),
  },
  { description: 'The user to enrol' },
)
export type CreatePartnerUserInput = Static<typeof CreatePartnerUserInput>

/** Extension. Enrols a user, once an organisation. */
export const createPartnerUser = recordsWrite({
  id: 'createPartnerUser',
  resource: 'partnerUsers',
  verb: 'create',
  area: 'rewards',
  method: 'POST',
  path: '/v0/rewards/partner-users',
  summary: 'Create partner user',
  description:
    'Enrols one of your users in rewards. `userId` is your own number for the user, unique within the organisation. Next, link cards with `POST /v0/rewards/partner-user-cards`.\n\nA `userId` that is enrolled already is refused with `partner_user_exists`, even if the user was removed; PATCH enrols a removed user again. Emits `partnerUser.created`.',
  status: 201,
  scope: 'rewards:write',
  body: CreatePartnerUserInput,
  data: TaggedPartnerUser,
  problems: ['partner_user_exists'],
  run: ({ records, write }, { body }) => records.createPartnerUser(write, body),
})
