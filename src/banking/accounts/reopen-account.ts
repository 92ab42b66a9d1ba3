import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingWrite } from '../provider.ts'
import { DepositAccount } from './account.ts'

/** B15. Opens a closed account again. The balance is kept, and cards that ended stay ended. */
export const reopenAccount = bankingWrite({
  id: 'reopenAccount',
  resource: 'accounts',
  verb: 'reopen',
  number: 'B15',
  area: 'banking',
  method: 'POST',
  path: '/v0/banking/accounts/:accountId/reopen',
  summary: 'Reopen account',
  status: 200,
  scope: 'banking:write',
  params: Type.Object({ accountId: Id('account') }),
  data: DepositAccount,
  problems: ['account_not_found', 'account_not_closed'],
  run: ({ bank, write }, { params }) => bank.reopenAccount(write, params.accountId),
})
