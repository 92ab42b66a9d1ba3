import type { BankingProvider } from '../../../banking/provider.ts'
import type { ListedTransaction } from '../../../banking/transactions/transaction.ts'
import { idNumber } from '../../../base/ids.ts'
import { Page, pageWindow, toPage } from '../../../base/page.ts'
import { Problem } from '../../../base/problem.ts'
import type { Books } from '../../../ledger/books.ts'
import type { TransferOrder } from '../../../ledger/records.ts'
import type { Sandbox } from '../../../sandbox/sandbox.ts'
import type { BankParts } from '../bank-parts.ts'
import { depositAccountIn } from './payments.ts'
import { listedTransaction, post, sideOf, transaction } from './transaction-view.ts'
import {
  accountsOfCustomer,
  findTransaction,
  listOfAccount,
  listOfAccountSide,
  listOfAccounts,
  listOfOrganisation,
  type TransactionRow,
} from './transactions.sql.ts'

type Transactions = Pick<BankingProvider, 'getTransaction' | 'listTransactions'> & Pick<Sandbox, 'receiveAch'>

export function transactionsOf({ database, ids, runOnce, lane, routingNumber }: BankParts): Transactions {
  return {
    async getTransaction({ organisationId }, { transactionId, accountId }) {
      const row = await findTransaction(database, organisationId, idNumber(transactionId))
      if (!row || row.accountId !== idNumber(accountId)) throw new Problem('transaction_not_found')
      return transaction(row, routingNumber)
    },

    async listTransactions({ organisationId }, { customerId, accountId, direction, since, until, ...query }) {
      const page = pageWindow(query)
      const filter = { organisationId, since: since ?? null, until: until ?? null }
      const rows = await listRows()
      return rows === undefined
        ? new Page([], false)
        : toPage(rows, page.limit, (row) => listedTransaction(row, routingNumber))

      async function listRows(): Promise<TransactionRow[] | undefined> {
        const every = { ...filter, direction: direction ?? null }
        if (customerId === undefined && accountId === undefined) return listOfOrganisation(database, every, page)
        const accountIds = await accountsMeant()
        const [only, ...more] = accountIds
        if (only === undefined) return undefined
        if (more.length > 0) return listOfAccounts(database, { ...every, accountIds }, page)
        if (direction) return listOfAccountSide(database, { ...filter, accountId: only, direction }, page)
        return listOfAccount(database, { ...filter, accountId: only }, page)
      }

      async function accountsMeant(): Promise<number[]> {
        const wanted = accountId === undefined ? undefined : idNumber(accountId)
        if (customerId === undefined) return wanted === undefined ? [] : [wanted]
        const all = await accountsOfCustomer(database, organisationId, idNumber(customerId))
        return wanted === undefined ? all : all.filter((id) => id === wanted)
      }
    },

    async receiveAch(write, { accountId: textId, amount, companyName, description, direction = 'Credit' }) {
      const { organisationId } = write.caller
      const accountId = idNumber(textId)
      const transferId = await ids.nextPair()
      const credit = direction === 'Credit'

      function decide(books: Books): ListedTransaction {
        const account = depositAccountIn(books, organisationId, accountId)
        if (account.status === 'Closed') throw new Problem('account_closed')
        if (!credit && account.status !== 'Open') throw new Problem('account_not_open')
        if (!credit && account.balance - account.hold < amount) throw new Problem('insufficient_funds')
        const clearingId = books.internal('ach_clearing').id
        const order: TransferOrder = {
          id: transferId,
          debitAccountId: credit ? clearingId : accountId,
          creditAccountId: credit ? accountId : clearingId,
          amount,
          sourceKind: 'received_ach',
          sourceId: null,
          party: companyName,
          description: description ?? `ACH ${direction.toLowerCase()}`,
        }
        const transfer = post(books, order, null, routingNumber)
        return listedTransaction(sideOf(books, transfer, accountId, null), routingNumber)
      }

      return runOnce.attempt(write, () =>
        lane.run({ write, accountIds: [accountId], internal: ['ach_clearing'], decide }),
      )
    },
  }
}
