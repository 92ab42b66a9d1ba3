import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingWrite } from '../provider.ts'
import { AccountPaymentBlock, BlockBody } from './payment-block.ts'

export type BlockPaymentsInput = Static<typeof BlockBody> & { accountId: string }

/** Extension. Refuses outgoing payments of an account from now on. */
export const blockPayments = bankingWrite({
  id: 'blockPayments',
  resource: 'accounts',
  verb: 'blockPayments',
  path: '/v0/banking/accounts/:accountId/block-payments',
  summary: 'Block payments',
  description:
    'Blocks outgoing payments of an account: payments and book transfers that send its money are refused until the block is released. Everything else goes on: money arrives, debits are collected, cards and received debits take money. `Pending` payments that send money become `PendingReview`, and a reviewer decides each of them, also after the release; those in a file go on.\n\nReturns of debits do the same if `blockOnReturn` is set in the limits of the account or by `PURSER_DEBIT_BLOCK_ON_RETURN`. An account in any state can be blocked; another block replaces the reason. In a sandbox a key without a list of scopes has `risk:write` too. Emits `account.paymentsBlocked`.',
  scope: 'risk:write',
  params: Type.Object({ accountId: Id('account') }),
  body: BlockBody,
  data: AccountPaymentBlock,
  problems: ['account_not_found', 'customer_erased'],
  run: ({ bank, write }, { params, body }) => bank.blockPayments(write, { ...params, ...body }),
})
