import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingWrite } from '../provider.ts'
import { DepositAccount } from './account.ts'

/** Extension. Stops payments and new card authorizations of an open account. Money still arrives. */
export const freezeAccount = bankingWrite({
  id: 'freezeAccount',
  resource: 'accounts',
  verb: 'freeze',
  path: '/v0/banking/accounts/:accountId/freeze',
  summary: 'Freeze account',
  description:
    'Freezes an `Open` account. No payment leaves it, its cards decline purchases, and no card can be created or activated. Money still arrives, and open authorizations settle.\n\nPayments that have not left (`Pending`) become `PendingReview`, and their money stays reserved. Each waits until a reviewer approves or rejects it or it is canceled, even after the account is unfrozen. Payments in a file (`Clearing`) go on.\n\nA freeze by a key with `risk:write` is one by the bank: only such a key can unfreeze, close or reopen the account. It also applies to an account that the app has frozen already.\n\nAn account that is not `Open` is refused with `account_not_open`. Emits `account.frozen`, and `payment.pendingReview` for each payment that was stopped.',
  orScope: 'risk:write',
  params: Type.Object({ accountId: Id('account') }),
  data: DepositAccount,
  problems: ['account_not_found', 'account_not_open', 'customer_erased'],
  run: ({ bank, write }, { params }) => bank.freezeAccount(write, params.accountId),
})
