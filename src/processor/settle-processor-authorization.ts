import { Type } from 'typebox'
import { settlementMembers } from '../banking/authorizations/charge.ts'
import { ListedTransaction } from '../banking/transactions/transaction.ts'
import { Id } from '../base/ids.ts'
import { processorId, processorWrite } from './processor.ts'

const SettleProcessorAuthorizationBody = Type.Object(
  { ...settlementMembers, processorId },
  { description: 'The settlement' },
)

/** Extension. Settles the held amount, or another one. The authorization is then complete, unless `final` is false. */
export const settleProcessorAuthorization = processorWrite({
  id: 'settleProcessorAuthorization',
  resource: 'processorAuthorizations',
  verb: 'settle',
  path: '/v0/processor/authorizations/:authorizationId/settle',
  summary: 'Settle purchase',
  description:
    'Settles an open authorization for the held amount, or for `amount`, which may be less or more. The answer is the transaction of the account. With `final` false the rest of the hold stays for further settlements.\n\nAn authorization that is not `Authorized` is refused with `authorization_not_open`; without `amount`, and with nothing left to settle, the answer is `nothing_held`. A settlement is never refused for lack of funds. `authorization.completed` (or `authorization.amountChanged`) and `transaction.created` follow, and the events of rewards for a linked card.\n\nThe same `processorId` with the same content gets the same answer; with other content it is refused with `processor_id_reused`. Refusals are not kept, so a refused message may be sent again.',
  status: 201,
  params: Type.Object({ authorizationId: Id('authorization') }),
  body: SettleProcessorAuthorizationBody,
  data: ListedTransaction,
  problems: [
    'authorization_not_found',
    'authorization_not_open',
    'nothing_held',
    'balance_limit',
    'processor_id_reused',
  ],
  run: ({ processor, write }, { params, body }) =>
    processor.settleProcessorAuthorization(write, { ...params, ...body }),
})
