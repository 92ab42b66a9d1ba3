import { getCustomer } from '../../banking/customers/get-customer.ts'
import { createExternalAccount } from '../../banking/external-accounts/create-external-account.ts'
import { deleteExternalAccount } from '../../banking/external-accounts/delete-external-account.ts'
import type { BankingProvider } from '../../banking/provider.ts'
import { externalAccount } from './mapping/external-account.ts'
import { type Connector, relation } from './parts.ts'
import { listQuery } from './query.ts'

export function externalAccountsOf({ one, list, create, change, deadlineMs }: Connector) {
  return {
    // `permissions` is not sent: CreditOnly, the one value that the interface takes, is what the upstream gives without it.
    createExternalAccount: (write, { customerId, type, name, routingNumber, accountNumber, accountType }) =>
      create(write, createExternalAccount, {
        ids: [[customerId, 'customer_not_found']],
        path: '/counterparties',
        data: {
          type: 'achCounterparty',
          attributes: { type, name, routingNumber, accountNumber, accountType },
          relationships: { customer: relation('customer', customerId) },
        },
        map: externalAccount,
      }),

    async listExternalAccounts(_caller, { customerId, routingNumber, accountNumber, ...page }) {
      const filters = { customerId, routingNumber, accountNumber }
      const path = `/counterparties${listQuery(page, page.sort ?? 'createdAt', filters)}`
      const untilMs = deadlineMs()
      const found = await list([customerId], path, page, externalAccount, untilMs)
      // The upstream's list is also empty for a customer that does not exist.
      if (found.items.length + found.omitted === 0) {
        await one(getCustomer, [customerId], `/customers/${customerId}`, () => undefined, untilMs)
      }
      return found
    },

    deleteExternalAccount: (write, externalAccountId) =>
      change(write, deleteExternalAccount, {
        ids: [[externalAccountId, 'external_account_not_found']],
        method: 'DELETE',
        path: `/counterparties/${externalAccountId}`,
        read: () => null,
      }),
  } satisfies Partial<BankingProvider>
}
