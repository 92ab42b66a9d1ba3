import { Type } from 'typebox'
import { Problem } from '../../base/problem.ts'
import { DecisionBody } from '../review.ts'
import { proposalWrite } from './proposal.ts'

/** The lists whose records show people or account numbers, as `GET /v0/exports/:list` names them. */
export const personalLists = [
  'accounts',
  'all-authorizations',
  'applications',
  'cards',
  'customers',
  'events',
  'external-accounts',
  'ledger-accounts',
  'payments',
  'received-payments',
  'review-applications',
  'review-external-accounts',
  'review-payments',
  'transactions',
] as const

/** Extension. Asks a second person for the export of a list with personal data. */
export const permitExport = proposalWrite({
  id: 'permitExport',
  resource: 'permits',
  verb: 'export',
  path: '/v0/permits/exports/:list',
  summary: 'Permit export',
  description:
    'Proposes the export of a list with personal data, if `PURSER_TWO_SIGNATURES` has `personalExport`. For a day after another person has approved it, who proposed it may export this list with `GET /v0/exports/:list`. Without the rule no export needs a permit, and this changes nothing.',
  status: 204,
  orScope: 'risk:write',
  params: Type.Object({
    list: Type.String({ description: 'The list, as its export names it', examples: ['customers'] }),
  }),
  body: DecisionBody,
  data: Type.Null(),
  problems: ['proposal_waiting', 'route_not_found'],
  signature: {
    decision: 'personalExport',
    judge: async (_context, { params, body }) => ({
      ...{ amount: null, reason: body.reason },
      recordId: requirePersonal(params.list),
    }),
  },
  run: async ({ proposals, write }, { params }) => {
    requirePersonal(params.list)
    return proposals.permit(write)
  },
})

function requirePersonal(list: string): string {
  if (personalLists.some((each) => each === list)) return list
  const detail = `There is no list with personal data of this name; there are ${personalLists.join(', ')}.`
  throw new Problem('route_not_found', { detail })
}
