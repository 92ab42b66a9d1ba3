import { type Static, Type } from 'typebox'
import { Direction } from '../banking/payments/payment.ts'
import { ListedTransaction } from '../banking/transactions/transaction.ts'
import { Amount } from '../base/cents.ts'
import { Id } from '../base/ids.ts'
import { described, Text } from '../base/text.ts'
import { sandboxWrite } from './sandbox.ts'

const ReceiveAchBody = Type.Object(
  {
    amount: described(Amount, 'Amount in cents'),
    companyName: Text(1, 50, { description: 'Name of the sender', examples: ['Sample Payroll'] }),
    description: Type.Optional(
      Text(1, 50, { description: 'Purpose; by default `ACH credit` or `ACH debit`', examples: ['Salary'] }),
    ),
    direction: Type.Optional(described(Direction, '`Credit` brings money, `Debit` takes it; absent for `Credit`')),
  },
  { description: 'The transfer of the other bank' },
)
export type ReceiveAchInput = Static<typeof ReceiveAchBody> & { accountId: string }

/** Sandbox. Credits an account with money from another bank, or debits it on behalf of one. */
export const receiveAch = sandboxWrite({
  id: 'receiveAch',
  resource: 'sandbox.accounts',
  verb: 'receiveAch',
  path: '/v0/sandbox/accounts/:accountId/receive-ach',
  summary: 'Receive ACH',
  description:
    'Books an ACH transfer that another bank sends: a `Credit` brings money, a `Debit` takes it. The answer is the transaction of the account. This is the way to fund a sandbox account.\n\nA `Closed` account is refused with `account_closed`. A debit needs an `Open` account (`account_not_open`) and enough money (`insufficient_funds`); a balance beyond the allowed range is refused with `balance_limit`. Emits `transaction.created`.\n\nWith `PURSER_ACH=windows` the transfer comes as an ACH file with one entry that settled on the last banking day. It is then also a received payment, its texts must be ASCII (16 characters of the name, ten of the description), and an amount that no entry can carry is refused with `amount_over_rail_limit`.',
  status: 201,
  params: Type.Object({ accountId: Id('account') }),
  body: ReceiveAchBody,
  data: ListedTransaction,
  problems: [
    'account_not_found',
    'account_closed',
    'account_not_open',
    'insufficient_funds',
    'balance_limit',
    'amount_over_rail_limit',
  ],
  run: ({ sandbox, write }, { params, body }) => sandbox.receiveAch(write, { accountId: params.accountId, ...body }),
})
