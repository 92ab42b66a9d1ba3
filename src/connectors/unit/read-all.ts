import type { DepositAccount } from '../../banking/accounts/account.ts'
import type { ListedCard } from '../../banking/cards/card.ts'
import type { Customer } from '../../banking/customers/customer.ts'
import type { ExternalAccount } from '../../banking/external-accounts/external-account.ts'
import type { ListedTransaction } from '../../banking/transactions/transaction.ts'
import type { Page } from '../../base/page.ts'
import type { UnitClient } from './client.ts'
import { WHOLE_PAGE } from './query.ts'
import { openUnitBank } from './unit.ts'

/** All records of an organisation at Unit, page after page. Nothing at Unit is changed. */
export interface UnitRecords {
  customers(): AsyncIterable<Customer>
  /** Open, frozen and closed ones. */
  accounts(): AsyncIterable<DepositAccount>
  externalAccounts(customerId: string): AsyncIterable<ExternalAccount>
  cards(): AsyncIterable<ListedCard>
  /** Of all accounts, oldest first. */
  transactions(): AsyncIterable<ListedTransaction>
}

/** The credential decides what is read, and not the caller. */
const caller = { organisationId: 0, keyId: 0 }
const statuses = ['Open', 'Frozen', 'Closed'] as const

/** Reads through the connector. `leftOut` hears of records that the connector cannot show. */
export function openUnitRecords(client: UnitClient, leftOut: (records: number, reason: string) => void): UnitRecords {
  const bank = openUnitBank({ client, claims: { once: () => Promise.reject(new Error('Unit is only read')) } })

  async function* all<Item>(read: (page: { limit: number; offset: number }) => Promise<Page<Item>>) {
    for (let offset = 0; ; offset += WHOLE_PAGE) {
      const { items, more, omitted, omittedReason } = await read({ limit: WHOLE_PAGE, offset })
      if (omitted > 0) leftOut(omitted, omittedReason ?? 'it cannot be read')
      yield* items
      if (!more) return
    }
  }

  return {
    customers: () => all((page) => bank.listCustomers(caller, { ...page, sort: 'createdAt' })),
    async *accounts() {
      for (const status of statuses) yield* all((page) => bank.listAccounts(caller, { ...page, status }))
    },
    externalAccounts: (customerId) => all((page) => bank.listExternalAccounts(caller, { ...page, customerId })),
    cards: () => all((page) => bank.listCards(caller, { ...page, sort: 'createdAt' })),
    transactions: () => all((page) => bank.listTransactions(caller, { ...page, sort: 'createdAt' })),
  }
}
