import { type Static, Type } from 'typebox'
import { Text } from '../../base/text.ts'
import { DecisionBody } from '../review.ts'
import { proposalWrite } from './proposal.ts'

const PermitRailResumeBody = Type.Object(
  {
    decisions: Type.Array(Text(1, 300, { description: 'A decision', examples: ['purser-260203A.ach left'] }), {
      minItems: 1,
      maxItems: 1_000,
      description: 'Decisions about the files, in the words of `purser ach resume`',
    }),
    digest: Type.String({
      pattern: '^[0-9a-f]{64}$',
      description: 'The digest that `purser ach resume` prints: of the decisions, the files and what is held',
      examples: ['3b7c0f7a9e2d4c61b8a5f0e3d2c1b4a5968778695a4b3c2d1e0f1a2b3c4d5e6f'],
    }),
    ...DecisionBody.properties,
  },
  { description: 'The decisions about the files' },
)
export type RailResumePermit = Omit<Static<typeof PermitRailResumeBody>, 'reason'>

/** Extension. Asks a second person for the resume of held ACH files. */
export const permitRailResume = proposalWrite({
  id: 'permitRailResume',
  resource: 'permits',
  verb: 'railResume',
  path: '/v0/permits/rail-resume',
  summary: 'Permit rail resume',
  description:
    'Proposes the decisions with which `purser ach resume` lets ACH files leave again, if `PURSER_TWO_SIGNATURES` has `railResume`. The command prints this request, and works after another person has approved it: for these decisions, files and lines of the journal alone. Without the rule the command needs no permit, and this changes nothing.\n\nThe files are those of the whole bank, so only keys and persons of the first organisation may use this; others get `forbidden`.',
  status: 204,
  scope: 'risk:write',
  body: PermitRailResumeBody,
  data: Type.Null(),
  problems: ['proposal_waiting'],
  signature: {
    decision: 'railResume',
    judge: async ({ proposals, caller }, { body }) => {
      await proposals.requireOperator(caller)
      return { amount: null, reason: body.reason, recordId: body.digest }
    },
  },
  run: ({ proposals, write }) => proposals.permit(write),
})
