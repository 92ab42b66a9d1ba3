import type { Counterparty } from '../../banking/payments/payment.ts'
import type { BankingProvider } from '../../banking/provider.ts'
import { type ListedTransaction, summaryOf, type Transaction } from '../../banking/transactions/transaction.ts'
import { idNumber } from '../../base/ids.ts'
import { Page, pageOf, window } from '../../base/page.ts'
import { Problem } from '../../base/problem.ts'
import type { Books, SourceKind } from '../../ledger/books.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { BuiltinParts } from './parts.ts'
import { depositAccountIn } from './payments.ts'
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

const originalTypes: Record<SourceKind, string> = { payment: 'ACH', payment_return: 'ACH', received_ach: 'ACH' }

export function transactionsOf({ database, ids, perform, lane, routingNumber }: BuiltinParts): Transactions {
  function attributesOf(row: TransactionRow) {
    const counterparty = counterpartyOf(row)
    return {
      createdAt: row.createdAt,
      amount: row.amount,
      direction: row.direction,
      balance: row.balance,
      summary: summaryOf(counterparty.name, row.description ?? row.payment?.description ?? ''),
      counterparty,
      tags: {
        originalType: originalTypes[row.sourceKind],
        ...(row.payment && { paymentId: String(row.payment.id) }),
      },
    }
  }

  /** The payment's copy for whoever paid; for everybody else the account on the other side. */
  function counterpartyOf({ payment, accountId, party, other }: TransactionRow): Counterparty {
    if (payment?.accountId === accountId) {
      const { name, routingNumber: routing, accountNumber, accountType } = payment
      return { name, routingNumber: routing, accountNumber, accountType }
    }
    return { name: party ?? other.name, routingNumber, accountNumber: other.accountNumber, accountType: 'Checking' }
  }

  function listed(row: TransactionRow): ListedTransaction {
    return { type: 'bookTransaction', id: String(row.id), ...attributesOf(row) }
  }

  return {
    async getTransaction({ organisationId }, { transactionId, accountId }) {
      const row = await findTransaction(database, organisationId, idNumber(transactionId))
      if (!row || row.accountId !== idNumber(accountId)) throw new Problem('transaction_not_found')
      return {
        type: 'bookTransaction',
        id: String(row.id),
        attributes: attributesOf(row),
        relationships: relationsOf(row),
      }
    },

    async listTransactions({ organisationId }, { customerId, accountId, direction, since, until, ...query }) {
      const page = window(query)
      const filter = { organisationId, since: since ?? null, until: until ?? null }
      const rows = await listRows()
      return rows === undefined ? new Page([], false) : pageOf(rows, page.limit, listed)

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
      const clearingId = await lane.internalAccount(organisationId, 'ach_clearing')
      const transferId = await ids.nextPair()
      const credit = direction === 'Credit'

      function decide(books: Books): ListedTransaction {
        const account = depositAccountIn(books, organisationId, accountId)
        if (account.status === 'Closed') throw new Problem('account_closed')
        if (!credit && account.status !== 'Open') throw new Problem('account_not_open')
        if (!credit && account.balance - account.hold < amount) throw new Problem('insufficient_funds')
        const clearing = books.account(clearingId)
        if (account.customerId === null || !clearing) throw new Error('the accounts were read under lock')
        const transfer = books.transfer({
          id: transferId,
          debitAccountId: credit ? clearingId : accountId,
          creditAccountId: credit ? accountId : clearingId,
          amount,
          sourceKind: 'received_ach',
          sourceId: null,
          party: companyName,
          description: description ?? `ACH ${direction.toLowerCase()}`,
        })
        return listed({
          ...transfer,
          id: credit ? transfer.id + 1 : transfer.id,
          accountId,
          customerId: account.customerId,
          direction,
          balance: credit ? transfer.creditBalance : transfer.debitBalance,
          payment: null,
          other: clearing,
        })
      }

      return perform.once(write, () => lane.run({ write, accountIds: [accountId, clearingId], decide }))
    },
  }
}

function relationsOf(row: TransactionRow): Transaction['relationships'] {
  const one = (type: string, id: number) => ({ data: { type, id: String(id) } })
  const customer = one('customer', row.customerId)
  const external = row.payment?.accountId === row.accountId ? row.payment.externalAccountId : null
  return {
    account: one('account', row.accountId),
    customer,
    customers: { data: [customer.data] },
    ...(row.payment && { payment: one('payment', row.payment.id) }),
    ...(row.other.customerId !== null
      ? {
          counterpartyAccount: one('account', row.other.id),
          counterpartyCustomer: one('customer', row.other.customerId),
        }
      : external !== null && { counterpartyAccount: one('counterparty', external) }),
    org: one('org', row.organisationId),
  }
}
