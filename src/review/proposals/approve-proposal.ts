import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { ApprovalBody } from '../review.ts'
import { Proposal, proposalWrite } from './proposal.ts'

/** Extension. The second signature: runs the operation that was proposed. */
export const approveProposal = proposalWrite({
  id: 'approveProposal',
  resource: 'proposals',
  verb: 'approve',
  path: '/v0/proposals/:proposalId/approve',
  summary: 'Approve proposal',
  description:
    'Signs a `Waiting` proposal and runs its operation once: the answer is `Executed`, or `Failed` with the refusal. A caller needs the scopes of the operation. An API key and the person who proposed, or made the key that did, get `second_person_required`, whatever the session, and so do the person who invited the proposer and those whom the proposer invited.\n\nEmits `proposal.approved`, the events of the operation, and `proposal.executed` or `proposal.failed`.',
  orScope: 'risk:write',
  params: Type.Object({ proposalId: Id('proposal') }),
  body: ApprovalBody,
  data: Proposal,
  problems: ['proposal_not_found', 'proposal_not_waiting', 'second_person_required'],
  run: ({ proposals, write, holder }, { params, body }) =>
    proposals.approveProposal(write, holder, { ...params, ...body }),
})
