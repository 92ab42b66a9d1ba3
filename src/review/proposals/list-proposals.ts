import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { cursorQuery, cursorRule } from '../../base/page.ts'
import { Proposal, proposalRead, proposalStates } from './proposal.ts'

const ListProposalsQuery = Type.Object(
  {
    recordId: Type.Optional(Id('record', 'Only proposals about the record with this id')),
    state: Type.Optional(Type.Enum([...proposalStates], { description: 'Only proposals in this state' })),
    ...cursorQuery,
  },
  { 'x-rules': [cursorRule] },
)
export type ListProposalsQuery = Static<typeof ListProposalsQuery>

/** Extension. Lists decisions that need a second person. */
export const listProposals = proposalRead({
  id: 'listProposals',
  resource: 'proposals',
  verb: 'list',
  path: '/v0/proposals',
  summary: 'List proposals',
  description:
    'Lists decisions that `PURSER_TWO_SIGNATURES` asks a second person for, newest first, in all states or one, about all records or one. A caller sees those of the operations that it may call.',
  orScope: 'risk:write',
  query: ListProposalsQuery,
  data: Type.Array(Proposal),
  problems: [],
  run: ({ proposals, holder }, { query }) => proposals.listProposals(holder, query),
})
