import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingWrite } from '../provider.ts'
import { DepositAccount } from './account.ts'

/** Extension. Opens a frozen account again. */
export const unfreezeAccount = bankingWrite({
  id: 'unfreezeAccount',
  resource: 'accounts',
  verb: 'unfreeze',
  path: '/v0/banking/accounts/:accountId/unfreeze',
  summary: 'Unfreeze account',
  description:
    'Makes a `Frozen` account `Open` again. Its cards and payments work as before.\n\nAn account that is not `Frozen` is refused with `account_not_frozen`. If a key with `risk:write` froze it, other keys are refused with `risk_key_required`. Emits `account.unfrozen`.',
  orScope: 'risk:write',
  params: Type.Object({ accountId: Id('account') }),
  data: DepositAccount,
  problems: ['account_not_found', 'account_not_frozen', 'risk_key_required', 'customer_erased'],
  run: ({ bank, write }, { params }) => bank.unfreezeAccount(write, params.accountId),
})
