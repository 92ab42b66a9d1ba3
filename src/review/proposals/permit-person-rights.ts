import { Type } from 'typebox'
import { RecordId } from '../../base/ids.ts'
import { Text } from '../../base/text.ts'
import { DecisionBody } from '../review.ts'
import { proposalWrite } from './proposal.ts'

/** Extension. Asks a second person for the rights of a person who can sign, make keys or manage persons. */
export const permitPersonRights = proposalWrite({
  id: 'permitPersonRights',
  resource: 'permits',
  verb: 'personRights',
  path: '/v0/permits/people/:personId',
  summary: 'Permit rights of a person',
  description:
    'Proposes a role for a person, or a new link for a person with the role, if `PURSER_TWO_SIGNATURES` has `personRights`. For a day after another person has approved it, who proposed it may give this role or make the link in the console. It concerns roles with `review:write`, `risk:write`, `keys:write` or `people:write`. Without the rule no role needs a permit, and this changes nothing.',
  status: 204,
  scope: 'people:write',
  params: Type.Object({ personId: RecordId('Id of the person') }),
  body: Type.Object(
    {
      role: Text(1, 32, {
        description: 'The role that the person gets, or has and keeps',
        examples: ['administrator'],
      }),
      ...DecisionBody.properties,
    },
    { description: 'The rights' },
  ),
  data: Type.Null(),
  problems: ['proposal_waiting'],
  signature: {
    decision: 'personRights',
    judge: async (_context, { params: { personId }, body: { role, reason } }) => ({
      ...{ amount: null, reason },
      recordId: `${personId} ${role}`,
    }),
  },
  run: ({ proposals, write }) => proposals.permit(write),
})
