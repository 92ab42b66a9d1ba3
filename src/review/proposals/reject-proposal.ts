import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { DecisionBody } from '../review.ts'
import { Proposal, proposalWrite } from './proposal.ts'

/** Extension. Ends a proposal, so that its operation never runs. */
export const rejectProposal = proposalWrite({
  id: 'rejectProposal',
  resource: 'proposals',
  verb: 'reject',
  path: '/v0/proposals/:proposalId/reject',
  summary: 'Reject proposal',
  description:
    'Rejects a `Waiting` proposal with a reason: its operation does not run. The caller needs the scopes of the operation. Emits `proposal.rejected`.',
  orScope: 'risk:write',
  params: Type.Object({ proposalId: Id('proposal') }),
  body: DecisionBody,
  data: Proposal,
  problems: ['proposal_not_found', 'proposal_not_waiting'],
  run: ({ proposals, write, holder }, { params, body }) =>
    proposals.rejectProposal(write, holder, { ...params, ...body }),
})
