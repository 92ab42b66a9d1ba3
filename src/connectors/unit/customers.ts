import { createVerificationToken } from '../../banking/customers/create-verification-token.ts'
import { getCustomer } from '../../banking/customers/get-customer.ts'
import type { BankingProvider } from '../../banking/provider.ts'
import { customer, verificationToken } from './mapping/customer.ts'
import { type Connector, recordOf } from './parts.ts'
import { byCreation, listQuery, refuseFilters } from './query.ts'

export function customersOf({ one, list, change }: Connector) {
  return {
    createVerificationToken: (write, customerId) =>
      change(write, createVerificationToken, {
        ids: [[customerId, 'customer_not_found']],
        path: `/customers/${customerId}/token/verification`,
        // The interface has no channel to choose, and the upstream requires one.
        body: { data: { type: 'customerTokenVerification', attributes: { channel: 'sms' } } },
        read: recordOf(verificationToken),
      }),

    getCustomer: (_caller, customerId) => one(getCustomer, [customerId], `/customers/${customerId}`, customer),

    listCustomers: async (_caller, { search, ...query }) => {
      refuseFilters(query, ['status', 'since', 'until'])
      return list([], `/customers${listQuery(query, byCreation(query), { query: search })}`, query, customer)
    },
  } satisfies Partial<BankingProvider>
}
