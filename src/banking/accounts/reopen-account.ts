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
  path: '/v0/banking/accounts/:accountId/reopen',
  summary: 'Reopen account',
  description:
    'Reopens a `Closed` account with its balance and account number. Its former cards stay closed; create new ones.\n\nAn account that is not `Closed` is refused with `account_not_closed`. If the bank had frozen the account before it was closed, a key without `risk:write` is refused with `risk_key_required`. Emits `account.reopened`.',
  params: Type.Object({ accountId: Id('account') }),
  data: DepositAccount,
  problems: ['account_not_found', 'account_not_closed', 'risk_key_required', 'customer_erased'],
  run: ({ bank, write }, { params }) => bank.reopenAccount(write, params.accountId),
})
