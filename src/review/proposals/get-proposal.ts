import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { Proposal, proposalRead } from './proposal.ts'

/** Extension. Shows a decision that needs a second person. */
export const getProposal = proposalRead({
  id: 'getProposal',
  resource: 'proposals',
  verb: 'get',
  path: '/v0/proposals/:proposalId',
  summary: 'Get proposal',
  description:
    'Shows a proposal: the operation with its input, who proposed it, and what became of it. The caller needs the scopes of that operation.',
  orScope: 'risk:write',
  params: Type.Object({ proposalId: Id('proposal') }),
  data: Proposal,
  problems: ['proposal_not_found'],
  run: ({ proposals, holder }, { params }) => proposals.getProposal(holder, params.proposalId),
})
