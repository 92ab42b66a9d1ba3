import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingWrite } from '../provider.ts'
import { CloseReason, DepositAccount } from './account.ts'

const CloseAccountBody = Type.Object(
  {
    reason: CloseReason,
    closeTo: Type.Optional(Id('account', 'Another account of the same customer, to which the whole balance is moved')),
  },
  { description: 'The reason of the closure, and where the balance goes' },
)
export type CloseAccountInput = Static<typeof CloseAccountBody> & { accountId: string }

/** Extension. Closes an open or frozen account, which in live mode is empty or names where its balance goes. */
export const closeAccount = bankingWrite({
  id: 'closeAccount',
  resource: 'accounts',
  verb: 'close',
  path: '/v0/banking/accounts/:accountId/close',
  summary: 'Close account',
  description:
    'Closes an `Open` or `Frozen` account and ends its cards. In live mode its balance must be zero and nothing may be held, else it is refused with `account_not_empty`; in sandbox mode an account closes whatever its balance, and its holds stay in force.\n\nWith `closeTo` the whole balance is moved to another account of the same customer, in the same transaction, as a payment of type `bookPayment` with the description `Closed account`. It refuses an account on which amounts are held or that is overdrawn (`account_not_empty`), a `Frozen` account with a balance (`account_not_open`), and a `closeTo` that is the account itself (`same_account`), `Closed` (`account_closed`) or not one of the customer (`account_not_found`). A `Frozen` one receives the money.\n\nPayments, received payments and card purchases are refused from now on; refunds, returns and settlements of open authorizations are still booked.\n\nA `Closed` account is refused with `account_closed`; one that a key with `risk:write` froze, with `risk_key_required` for every other key. `POST /v0/banking/accounts/:accountId/reopen` opens the account again; its cards stay closed.\n\n`account.closed` follows, and `card.statusChanged` for each card that ended; before them, if a balance is moved, `payment.created` and a `transaction.created` for each of the two accounts.',
  params: Type.Object({ accountId: Id('account') }),
  body: CloseAccountBody,
  data: DepositAccount,
  problems: [
    'account_not_found',
    'account_closed',
    'account_not_empty',
    'account_not_open',
    'payments_blocked',
    'risk_key_required',
    'same_account',
    'balance_limit',
    'customer_erased',
  ],
  run: ({ bank, write }, { params, body }) => bank.closeAccount(write, { accountId: params.accountId, ...body }),
})
