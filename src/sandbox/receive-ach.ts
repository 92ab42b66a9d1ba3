import { type Static, Type } from 'typebox'
import { Direction } from '../banking/payments/payment.ts'
import { ListedTransaction } from '../banking/transactions/transaction.ts'
import { Amount } from '../base/cents.ts'
import { Id } from '../base/ids.ts'
import { Text } from '../base/text.ts'
import { sandboxWrite } from './sandbox.ts'

const ReceiveAchBody = Type.Object({
  amount: Amount,
  companyName: Text(1, 50, { examples: ['Sample Payroll'] }),
  description: Type.Optional(Text(1, 50, { examples: ['Salary'] })),
  direction: Type.Optional(Direction),
})
export type ReceiveAchInput = Static<typeof ReceiveAchBody> & { accountId: string }

/** Sandbox. Credits an account with money from another bank, or debits it on behalf of one. */
export const receiveAch = sandboxWrite({
  id: 'receiveAch',
  resource: 'sandbox.accounts',
  verb: 'receiveAch',
  area: 'sandbox',
  method: 'POST',
  path: '/v0/sandbox/accounts/:accountId/receive-ach',
  summary: 'Receive ACH',
  status: 201,
  scope: 'sandbox:write',
  params: Type.Object({ accountId: Id('account') }),
  body: ReceiveAchBody,
  data: ListedTransaction,
  problems: ['account_not_found', 'account_closed', 'account_not_open', 'insufficient_funds', 'balance_limit'],
  run: ({ sandbox, write }, { params, body }) => sandbox.receiveAch(write, { accountId: params.accountId, ...body }),
})
