import type { Customer } from '../../banking/customers/customer.ts'
import type { ListCustomersQuery } from '../../banking/customers/list-customers.ts'
import type { BankingProvider } from '../../banking/provider.ts'
import { idNumber } from '../../base/ids.ts'
import type { Answer, Caller, Write } from '../../base/operation.ts'
import { type Page, pageWindow, toCursorPage } from '../../base/page.ts'
import { Problem } from '../../base/problem.ts'
import { emitSealed } from '../../events/event.ts'
import type { CreateCustomerInput } from '../../sandbox/create-customer.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { type CustomerRow, countCustomers, findCustomer, insertCustomer, listCustomerRows } from './customers.sql.ts'

export function customersOf(bank: BankParts) {
  return {
    getCustomer: (caller, customerId) => getCustomer(bank, caller, customerId),
    listCustomers: (caller, query) => listCustomers(bank, caller, query),
    createCustomer: (write, input) => createCustomer(bank, write, input),
  } satisfies Partial<BankingProvider & Sandbox>
}

async function getCustomer({ database }: BankParts, { organisationId }: Caller, customerId: string): Promise<Customer> {
  const row = await findCustomer(database, organisationId, idNumber(customerId))
  if (!row) throw new Problem('customer_not_found')
  return customerOf(row)
}

async function listCustomers(
  { database }: BankParts,
  { organisationId }: Caller,
  query: ListCustomersQuery,
): Promise<Page<Customer>> {
  const page = pageWindow(query)
  const filter = { ...query, organisationId, search: query.search?.trim() }
  const rows = await listCustomerRows(database, filter, page)
  const total = query.count ? await database.transaction((each) => countCustomers(each, filter)) : undefined
  return toCursorPage(rows, page.limit, customerOf).counted(total)
}

/** Creates a customer: now, or for a scenario's history at an earlier time. */
export async function createCustomer(
  { ids, runOnce }: BankParts,
  write: Write<Customer>,
  { name, email, phone, address }: CreateCustomerInput,
  createdAt: string | null = null,
): Promise<Answer> {
  const id = await ids.next()
  const { organisationId } = write.caller
  return runOnce.transaction(write, async (transaction, events) => {
    const row = await insertCustomer(transaction, { id, organisationId, createdAt, name, email, phone, address })
    return emitSealed(events, row.id, 'customer.created', row.version, customerOf(row))
  })
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
