import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { Text } from '../../base/text.ts'
import { bankingWrite } from '../provider.ts'
import { AccountNumber, AccountType, ExternalAccount, HolderType, RoutingNumber } from './external-account.ts'

const CreateExternalAccountBody = Type.Object(
  {
    type: HolderType,
    name: Text(1, 50, { description: 'Name of the holder', examples: ['Grace Sample'] }),
    routingNumber: RoutingNumber,
    accountNumber: AccountNumber,
    accountType: AccountType,
    permissions: Type.Optional(
      Type.Enum(['CreditOnly'], { description: '`CreditOnly`, even if it is absent: money can only be sent there' }),
    ),
  },
  { description: 'The account to record' },
)
export type CreateExternalAccountInput = Static<typeof CreateExternalAccountBody> & { customerId: string }

/** B11. Records an account at any bank, which the customer can then pay. */
export const createExternalAccount = bankingWrite({
  id: 'createExternalAccount',
  resource: 'externalAccounts',
  verb: 'create',
  number: 'B11',
  path: '/v0/banking/customers/:customerId/external-accounts',
  summary: 'Create external account',
  description:
    'Records an account at any bank, which the customer can then pay with `POST /v0/banking/accounts/:accountId/payments`. Nothing is sent to the other bank, and the same account may be recorded more than once.\n\nAn unknown customer is refused with `customer_not_found`. In live mode a routing number with a wrong checksum is refused with `invalid_routing_number`; a sandbox takes any nine digits. If the operator has a screening (a service that checks names), it may refuse the account (`external_account_refused`) or ask for a review. Then `review` is `PendingReview`, and payments to the account wait until a reviewer decides.\n\nEmits `externalAccount.created`.',
  status: 201,
  showsNumber: true,
  params: Type.Object({ customerId: Id('customer') }),
  body: CreateExternalAccountBody,
  data: ExternalAccount,
  problems: ['customer_not_found', 'invalid_routing_number', 'external_account_refused', 'customer_erased'],
  run: ({ bank, write }, { params, body }) =>
    bank.createExternalAccount(write, { customerId: params.customerId, ...body }),
})
