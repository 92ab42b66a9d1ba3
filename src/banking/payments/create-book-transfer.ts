import { type Static, Type } from 'typebox'
import { Amount } from '../../base/cents.ts'
import { Id } from '../../base/ids.ts'
import { described, Text } from '../../base/text.ts'
import { bankingWrite } from '../provider.ts'
import { Payment } from './payment.ts'

const CreateBookTransferBody = Type.Object(
  {
    toAccountId: Id('account', 'The account that receives the money, of any customer of the organisation'),
    amount: described(Amount, 'Amount to move, in cents'),
    description: Text(1, 50, { description: 'Purpose that both accounts show', examples: ['Savings'] }),
  },
  { description: 'The money to move' },
)
export type CreateBookTransferInput = Static<typeof CreateBookTransferBody> & { accountId: string }

/** Extension. Moves money between two accounts of the organisation. */
export const createBookTransfer = bankingWrite({
  id: 'createBookTransfer',
  resource: 'payments',
  verb: 'transfer',
  path: '/v0/banking/accounts/:accountId/transfers',
  summary: 'Create book transfer',
  description:
    'Moves money from an account to another account of the organisation, of the same customer or of another one. No network is involved: the money is available at once. The answer is a payment of the type `bookPayment` that is `Sent`; GET /v0/banking/payments/:paymentId shows it, and GET /v0/banking/payments lists it with `type=bookPayment`. It cannot be canceled or returned.\n\nThe transfer is refused if the account is not `Open` (`account_not_open`), if the receiving account is `Closed` (`account_closed`) or the same one (`same_account`), and if the amount exceeds `available` plus any overdraft that the operator allows (`insufficient_funds`). Send an idempotency key: a retry with it does not move the money twice.\n\n`payment.created` and a `transaction.created` for each of the two accounts follow.',
  status: 201,
  params: Type.Object({ accountId: Id('account') }),
  body: CreateBookTransferBody,
  data: Payment,
  problems: [
    'account_not_found',
    'account_not_open',
    'payments_blocked',
    'account_closed',
    'insufficient_funds',
    'same_account',
    'balance_limit',
    'payment_rejected',
  ],
  run: ({ bank, write }, { params, body }) => bank.createBookTransfer(write, { accountId: params.accountId, ...body }),
})
