import type { Customer } from '../../../banking/customers/customer.ts'
import type { BankingProvider } from '../../../banking/provider.ts'
import { idNumber } from '../../../base/ids.ts'
import { pageWindow, toPage } from '../../../base/page.ts'
import { Problem } from '../../../base/problem.ts'
import { emit } from '../../../events/event.ts'
import type { Sandbox } from '../../../sandbox/sandbox.ts'
import type { BankParts } from '../bank-parts.ts'
import { type CustomerRow, findCustomer, insertCustomer, listCustomerRows } from './customers.sql.ts'

type Customers = Required<Pick<BankingProvider, 'getCustomer' | 'listCustomers'>> & Pick<Sandbox, 'createCustomer'>

export function customersOf({ database, ids, runOnce }: BankParts): Customers {
  return {
    async getCustomer({ organisationId }, customerId) {
      const row = await findCustomer(database, organisationId, idNumber(customerId))
      if (!row) throw new Problem('customer_not_found')
      return customerOf(row)
    },

    async listCustomers({ organisationId }, query) {
      const page = pageWindow(query)
      return toPage(await listCustomerRows(database, organisationId, page), page.limit, customerOf)
    },

    async createCustomer(write, { name, email, phone, address }) {
      const id = await ids.next()
      const { organisationId } = write.caller
      return runOnce.transaction(write, async (transaction, events) => {
        const row = await insertCustomer(transaction, { id, organisationId, name, email, phone, address })
        return emit(events, 'customer.created', row.version, customerOf(row))
      })
    },
  }
}

export function customerOf(row: CustomerRow): Customer {
  return {
    id: String(row.id),
    type: 'individualCustomer',
    createdAt: row.createdAt,
    name: row.name,
    email: row.email,
    phone: row.phone,
    address: row.address,
    status: row.status,
    tags: row.tags,
  }
}
