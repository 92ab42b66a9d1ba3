import { Type } from 'typebox'
import { settlementMembers } from '../banking/authorizations/charge.ts'
import { ListedTransaction } from '../banking/transactions/transaction.ts'
import { Id } from '../base/ids.ts'
import { sandboxWrite } from './sandbox.ts'

const SettleAuthorizationBody = Type.Object(settlementMembers, { description: 'The settlement' })

/** Sandbox. Settles the held amount, or another one. The authorization is then complete, unless `final` is false. */
export const settleAuthorization = sandboxWrite({
  id: 'settleAuthorization',
  resource: 'sandbox.authorizations',
  verb: 'settle',
  path: '/v0/sandbox/authorizations/:authorizationId/settle',
  summary: 'Settle authorization',
  description:
    'Settles an open authorization for the held amount, or for `amount`, which may be less or more. The answer is the transaction of the account. With `final` false the rest of the hold stays for further settlements.\n\nAn authorization that is not `Authorized` is refused with `authorization_not_open`; without `amount`, and with nothing left to settle, the answer is `nothing_held`. A settlement is never refused for lack of funds.\n\n`authorization.completed` (or `authorization.amountChanged`) and `transaction.created` follow; for a linked card also `rewardableTransaction.created`, and `reward.created` if an offer matches, which is paid at once (`reward.paid`) unless the service delays payouts.',
  status: 201,
  params: Type.Object({ authorizationId: Id('authorization') }),
  body: SettleAuthorizationBody,
  data: ListedTransaction,
  problems: ['authorization_not_found', 'authorization_not_open', 'nothing_held', 'balance_limit'],
  run: ({ sandbox, write }, { params, body }) =>
    sandbox.settleAuthorization(write, { authorizationId: params.authorizationId, ...body }),
})
