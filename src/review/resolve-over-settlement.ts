import { Type } from 'typebox'
import { OverSettlement } from '../banking/authorizations/over-settlement.ts'
import { Id } from '../base/ids.ts'
import { DecisionBody, reviewWrite } from './review.ts'

/** Extension. Notes that a reviewer has dealt with an over-settlement. */
export const resolveOverSettlement = reviewWrite({
  id: 'resolveOverSettlement',
  resource: 'overSettlements',
  verb: 'resolve',
  path: '/v0/review/over-settlements/:authorizationId/resolve',
  summary: 'Resolve over-settlement',
  description:
    'Records that a reviewer has dealt with an authorization that settled for more than its trade explains. No money moves; what the merchant gives back arrives as a refund. The audit log shows the key and the `reason`.\n\nAn authorization that does not wait is refused (`over_settlement_not_open`). A later settlement opens it again. Emits `authorization.reviewed`.',
  params: Type.Object({ authorizationId: Id('authorization') }),
  body: DecisionBody,
  data: OverSettlement,
  problems: ['authorization_not_found', 'over_settlement_not_open'],
  run: ({ review, write }, { params, body }) => review.resolveOverSettlement(write, { ...params, ...body }),
})
