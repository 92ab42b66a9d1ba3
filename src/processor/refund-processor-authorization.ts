import { Type } from 'typebox'
import { refundMembers } from '../banking/authorizations/charge.ts'
import { ListedTransaction } from '../banking/transactions/transaction.ts'
import { Id } from '../base/ids.ts'
import { processorId, processorWrite } from './processor.ts'

const RefundProcessorAuthorizationBody = Type.Object({ ...refundMembers, processorId }, { description: 'The refund' })

/** Extension. Refunds the settled amount, or a part of it. */
export const refundProcessorAuthorization = processorWrite({
  id: 'refundProcessorAuthorization',
  resource: 'processorAuthorizations',
  verb: 'refund',
  path: '/v0/processor/authorizations/:authorizationId/refund',
  summary: 'Refund purchase',
  description:
    'Refunds money that settled: `amount`, or all that was not refunded yet. The answer is the transaction of the account, which is credited in any state. Rewards of the purchase shrink or are taken back.\n\nIf nothing settled, the answer is `authorization_not_settled`; above the rest that can be refunded it is `refund_exceeds_settlement`. Emits `transaction.created`, and the events of rewards for a linked card.\n\nThe same `processorId` with the same content gets the same answer; with other content it is refused with `processor_id_reused`. Refusals are not kept, so a refused message may be sent again.',
  status: 201,
  params: Type.Object({ authorizationId: Id('authorization') }),
  body: RefundProcessorAuthorizationBody,
  data: ListedTransaction,
  problems: [
    'authorization_not_found',
    'authorization_not_settled',
    'refund_exceeds_settlement',
    'balance_limit',
    'processor_id_reused',
  ],
  run: ({ processor, write }, { params, body }) =>
    processor.refundProcessorAuthorization(write, { ...params, ...body }),
})
