import { type Static, Type } from 'typebox'
import { ListedTransaction } from '../banking/transactions/transaction.ts'
import { Amount } from '../base/cents.ts'
import { Id } from '../base/ids.ts'
import { sandboxWrite } from './sandbox.ts'

const SettleAuthorizationBody = Type.Object({ amount: Type.Optional(Amount), final: Type.Optional(Type.Boolean()) })
export type SettleAuthorizationInput = Static<typeof SettleAuthorizationBody> & { authorizationId: string }

/** Sandbox. Settles the held amount, or another one. The authorization is then complete, unless `final` is false. */
export const settleAuthorization = sandboxWrite({
  id: 'settleAuthorization',
  resource: 'sandbox.authorizations',
  verb: 'settle',
  area: 'sandbox',
  method: 'POST',
  path: '/v0/sandbox/authorizations/:authorizationId/settle',
  summary: 'Settle authorization',
  status: 201,
  scope: 'sandbox:write',
  params: Type.Object({ authorizationId: Id('authorization') }),
  body: SettleAuthorizationBody,
  data: ListedTransaction,
  problems: ['authorization_not_found', 'authorization_not_open', 'nothing_held', 'balance_limit'],
  run: ({ sandbox, write }, { params, body }) =>
    sandbox.settleAuthorization(write, { authorizationId: params.authorizationId, ...body }),
})
