import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { Proposal, proposalWrite } from './proposal.ts'

/** Extension. Takes an own proposal back. */
export const withdrawProposal = proposalWrite({
  id: 'withdrawProposal',
  resource: 'proposals',
  verb: 'withdraw',
  path: '/v0/proposals/:proposalId/withdraw',
  summary: 'Withdraw proposal',
  description:
    'Takes a `Waiting` proposal back. Only who made it may: the same person in any session, or the same API key. Emits `proposal.withdrawn`.',
  orScope: 'risk:write',
  params: Type.Object({ proposalId: Id('proposal') }),
  data: Proposal,
  problems: ['proposal_not_found', 'proposal_not_waiting', 'not_proposer'],
  run: ({ proposals, write, holder }, { params }) => proposals.withdrawProposal(write, holder, params.proposalId),
})
