import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingWrite } from '../provider.ts'
import { CloseReason, DepositAccount } from './account.ts'

const CloseAccountBody = Type.Object({ reason: CloseReason })
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
  status: 200,
  scope: 'banking:write',
  params: Type.Object({ accountId: Id('account') }),
  body: CloseAccountBody,
  data: DepositAccount,
  problems: ['account_not_found', 'account_closed'],
  run: ({ bank, write }, { params, body }) => bank.closeAccount(write, { accountId: params.accountId, ...body }),
})
