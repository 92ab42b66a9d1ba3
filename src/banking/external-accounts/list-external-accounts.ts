import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { pageQuery } from '../../base/page.ts'
import { bankingRead } from '../provider.ts'
import { ExternalAccount } from './external-account.ts'

const ListExternalAccountsFilter = Type.Object({
  routingNumber: Type.Optional(Type.String()),
  accountNumber: Type.Optional(Type.String()),
  ...pageQuery,
})
export type ListExternalAccountsQuery = Static<typeof ListExternalAccountsFilter> & { customerId: string }

/** B12. Lists a customer's external accounts, oldest first. */
export const listExternalAccounts = bankingRead({
  id: 'listExternalAccounts',
  resource: 'externalAccounts',
  verb: 'list',
  number: 'B12',
  area: 'banking',
  method: 'GET',
  path: '/v0/banking/customers/:customerId/external-accounts',
  summary: 'List external accounts',
  status: 200,
  scope: 'banking:read',
  params: Type.Object({ customerId: Id('customer') }),
  query: ListExternalAccountsFilter,
  data: Type.Array(ExternalAccount),
  problems: ['customer_not_found'],
  run: ({ bank, caller }, { params, query }) =>
    bank.listExternalAccounts(caller, { customerId: params.customerId, ...query }),
})
