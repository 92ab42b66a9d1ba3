import type { BankingProvider } from '../../banking/provider.ts'
import { getTransaction } from '../../banking/transactions/get-transaction.ts'
import { listedTransaction, transaction } from './mapping/transaction.ts'
import type { Connector } from './parts.ts'
import { byCreation, listQuery, refuseFilters } from './query.ts'

export function transactionsOf({ one, list }: Connector) {
  return {
    getTransaction: (_caller, { transactionId, accountId }) => {
      const path = `/accounts/${accountId}/transactions/${transactionId}`
      return one(getTransaction, [accountId, transactionId], path, transaction)
    },

    listTransactions: async (_caller, { customerId, accountId, direction, since, until, ...page }) => {
      refuseFilters(page, ['fromAmount', 'toAmount'])
      const filters = { customerId, accountId, direction: direction && [direction], since, until }
      const path = `/transactions${listQuery(page, byCreation(page), filters)}`
      return list([customerId, accountId], path, page, listedTransaction)
    },
  } satisfies Partial<BankingProvider>
}
