import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { cursorRule, queueQuery } from '../../base/page.ts'
import { bankingRead } from '../provider.ts'
import { ExternalAccount } from './external-account.ts'

const ListExternalAccountsFilter = Type.Object(
  {
    routingNumber: Type.Optional(Type.String({ description: 'Only accounts with this routing number' })),
    accountNumber: Type.Optional(Type.String({ description: 'Only accounts with this account number' })),
    ...queueQuery,
  },
  { 'x-rules': [cursorRule] },
)
export type ListExternalAccountsQuery = Static<typeof ListExternalAccountsFilter> & { customerId: string }

/** B12. Lists a customer's external accounts, oldest first. */
export const listExternalAccounts = bankingRead({
  id: 'listExternalAccounts',
  resource: 'externalAccounts',
  verb: 'list',
  number: 'B12',
  path: '/v0/banking/customers/:customerId/external-accounts',
  summary: 'List external accounts',
  description:
    'Lists the external accounts of a customer, without deleted ones. Unlike other lists, it begins with the oldest. An unknown customer is refused with `customer_not_found`.',
  fromStandby: true,
  params: Type.Object({ customerId: Id('customer') }),
  query: ListExternalAccountsFilter,
  data: Type.Array(ExternalAccount),
  problems: ['customer_not_found'],
  run: ({ bank, caller }, { params, query }) =>
    bank.listExternalAccounts(caller, { customerId: params.customerId, ...query }),
})
