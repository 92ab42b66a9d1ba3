import { type Static, Type } from 'typebox'
import { ListedTransaction } from '../banking/transactions/transaction.ts'
import { Amount } from '../base/cents.ts'
import { Id } from '../base/ids.ts'
import { sandboxWrite } from './sandbox.ts'

const RefundAuthorizationBody = Type.Object({ amount: Type.Optional(Amount) })
export type RefundAuthorizationInput = Static<typeof RefundAuthorizationBody> & { authorizationId: string }

/** Sandbox. Refunds the settled amount, or a part of it. */
export const refundAuthorization = sandboxWrite({
  id: 'refundAuthorization',
  resource: 'sandbox.authorizations',
  verb: 'refund',
  area: 'sandbox',
  method: 'POST',
  path: '/v0/sandbox/authorizations/:authorizationId/refund',
  summary: 'Refund authorization',
  status: 201,
  scope: 'sandbox:write',
  params: Type.Object({ authorizationId: Id('authorization') }),
  body: RefundAuthorizationBody,
  data: ListedTransaction,
  problems: ['authorization_not_found', 'authorization_not_settled', 'refund_exceeds_settlement', 'balance_limit'],
  run: ({ sandbox, write }, { params, body }) =>
    sandbox.refundAuthorization(write, { authorizationId: params.authorizationId, ...body }),
})
