import { type Static, Type } from 'typebox'
import { Amount } from '../../base/cents.ts'
import { Id } from '../../base/ids.ts'
import { Tags, Text } from '../../base/text.ts'
import { bankingWrite } from '../provider.ts'
import { Payment } from './payment.ts'

const CreatePaymentBody = Type.Object({
  amount: Amount,
  counterpartyAccountId: Id('externalAccount'),
  description: Text(1, 10, { examples: ['Rent'] }),
  addenda: Type.Optional(Text(1, 80, { examples: ['Invoice 1'] })),
  originalType: Type.Enum(['ACH']),
  tags: Type.Optional(Tags),
})
export type CreatePaymentInput = Static<typeof CreatePaymentBody> & { accountId: string }

/** B8. Sends an ACH credit from an account to one of its owner's external accounts. */
export const createPayment = bankingWrite({
  id: 'createPayment',
  resource: 'payments',
  verb: 'create',
  number: 'B8',
  area: 'banking',
  method: 'POST',
  path: '/v0/banking/accounts/:accountId/payments',
  summary: 'Create payment',
  status: 201,
  scope: 'banking:write',
  params: Type.Object({ accountId: Id('account') }),
  body: CreatePaymentBody,
  data: Payment,
  problems: [
    'account_not_found',
    'account_not_open',
    'external_account_not_found',
    'insufficient_funds',
    'same_account',
    'balance_limit',
    'payment_rejected',
  ],
  run: ({ bank, write }, { params, body }) => bank.createPayment(write, { accountId: params.accountId, ...body }),
})
