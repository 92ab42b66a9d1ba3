import { type Static, Type } from 'typebox'
import { PartnerUser } from './partner-user.ts'
import { recordsWrite } from './records.ts'

const CreatePartnerUserInput = Type.Object({
  userId: Type.Integer({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: "The issuer's number of the user",
    examples: [111],
  }),
})
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
  status: 201,
  scope: 'rewards:write',
  body: CreatePartnerUserInput,
  data: PartnerUser,
  problems: ['partner_user_exists'],
  run: ({ records, write }, { body }) => records.createPartnerUser(write, body),
})
