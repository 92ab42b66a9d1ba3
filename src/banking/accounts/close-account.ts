import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingWrite } from '../provider.ts'
import { CloseReason, DepositAccount } from './account.ts'

const CloseAccountBody = Type.Object({ reason: CloseReason }, { description: 'The reason of the closure' })
export type CloseAccountInput = Static<typeof CloseAccountBody> & { accountId: string }

/** Extension. Closes an open or frozen account, whatever its balance. */
export const closeAccount = bankingWrite({
  id: 'closeAccount',
  resource: 'accounts',
  verb: 'close',
  area: 'banking',
  method: 'POST',
  path: '/v0/banking/accounts/:accountId/close',
  summary: 'Close account',
  description:
    'Closes an `Open` or `Frozen` account, whatever its balance, and ends its cards. Payments, received payments and card purchases are refused from now on; refunds, returns and settlements of open authorizations are still booked.\n\nA `Closed` account is refused with `account_closed`. `POST /v0/banking/accounts/:accountId/reopen` opens the account again; its cards stay closed.\n\n`account.closed` follows, and `card.statusChanged` for each card that ended.',
  status: 200,
  scope: 'banking:write',
  params: Type.Object({ accountId: Id('account') }),
  body: CloseAccountBody,
  data: DepositAccount,
  problems: ['account_not_found', 'account_closed', 'customer_erased'],
  run: ({ bank, write }, { params, body }) => bank.closeAccount(write, { accountId: params.accountId, ...body }),
})
