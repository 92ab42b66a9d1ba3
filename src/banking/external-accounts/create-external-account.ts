import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { Text } from '../../base/text.ts'
import { bankingWrite } from '../provider.ts'
import { AccountNumber, AccountType, ExternalAccount, HolderType, RoutingNumber } from './external-account.ts'

const CreateExternalAccountBody = Type.Object({
  type: HolderType,
  name: Text(1, 50, { examples: ['Grace Sample'] }),
  routingNumber: RoutingNumber,
  accountNumber: AccountNumber,
  accountType: AccountType,
  permissions: Type.Optional(Type.Enum(['CreditOnly'])),
})
export type CreateExternalAccountInput = Static<typeof CreateExternalAccountBody> & { customerId: string }

/** B11. Records an account at any bank, which the customer can then pay. */
export const createExternalAccount = bankingWrite({
  id: 'createExternalAccount',
  resource: 'externalAccounts',
  verb: 'create',
  number: 'B11',
  area: 'banking',
  method: 'POST',
  path: '/v0/banking/customers/:customerId/external-accounts',
  summary: 'Create external account',
  status: 201,
  scope: 'banking:write',
  params: Type.Object({ customerId: Id('customer') }),
  body: CreateExternalAccountBody,
  data: ExternalAccount,
  problems: ['customer_not_found', 'invalid_routing_number'],
  run: ({ bank, write }, { params, body }) =>
    bank.createExternalAccount(write, { customerId: params.customerId, ...body }),
})
