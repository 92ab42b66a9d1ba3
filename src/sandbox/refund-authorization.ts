import { Type } from 'typebox'
import { refundMembers } from '../banking/authorizations/charge.ts'
import { ListedTransaction } from '../banking/transactions/transaction.ts'
import { Id } from '../base/ids.ts'
import { sandboxWrite } from './sandbox.ts'

const RefundAuthorizationBody = Type.Object(refundMembers, { description: 'The refund' })

/** Sandbox. Refunds the settled amount, or a part of it. */
export const refundAuthorization = sandboxWrite({
  id: 'refundAuthorization',
  resource: 'sandbox.authorizations',
  verb: 'refund',
  path: '/v0/sandbox/authorizations/:authorizationId/refund',
  summary: 'Refund authorization',
  description:
    'Refunds money that settled: `amount`, or all that was not refunded yet. The answer is the transaction of the account, which is credited in any state. Rewards of the purchase shrink or are taken back.\n\nIf nothing settled, the answer is `authorization_not_settled`; above the rest that can be refunded it is `refund_exceeds_settlement`. Emits `transaction.created`, and for rewards `reward.amountChanged`, `reward.reversed` or `reward.clawedBack`.',
  status: 201,
  params: Type.Object({ authorizationId: Id('authorization') }),
  body: RefundAuthorizationBody,
  data: ListedTransaction,
  problems: ['authorization_not_found', 'authorization_not_settled', 'refund_exceeds_settlement', 'balance_limit'],
  run: ({ sandbox, write }, { params, body }) =>
    sandbox.refundAuthorization(write, { authorizationId: params.authorizationId, ...body }),
})
