import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingWrite } from '../provider.ts'
import { AccountPaymentBlock, BlockBody } from './payment-block.ts'

/** Extension. Lets an account send payments again. */
export const releasePayments = bankingWrite({
  id: 'releasePayments',
  resource: 'accounts',
  verb: 'releasePayments',
  path: '/v0/banking/accounts/:accountId/release-payments',
  summary: 'Release payments',
  description:
    'Ends the block of outgoing payments of an account. The audit log shows the reason. In a sandbox a key without a list of scopes has `risk:write` too. An account that is not blocked is refused with `payments_not_blocked`. Emits `account.paymentsReleased`.',
  scope: 'risk:write',
  params: Type.Object({ accountId: Id('account') }),
  body: BlockBody,
  data: AccountPaymentBlock,
  problems: ['account_not_found', 'payments_not_blocked', 'customer_erased'],
  run: ({ bank, write }, { params, body }) => bank.releasePayments(write, { ...params, ...body }),
})
