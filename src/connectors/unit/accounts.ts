import type { DepositAccount } from '../../banking/accounts/account.ts'
import { closeAccount } from '../../banking/accounts/close-account.ts'
import { createAccount } from '../../banking/accounts/create-account.ts'
import { freezeAccount } from '../../banking/accounts/freeze-account.ts'
import { getAccount } from '../../banking/accounts/get-account.ts'
import type { ListAccountsQuery } from '../../banking/accounts/list-accounts.ts'
import { reopenAccount } from '../../banking/accounts/reopen-account.ts'
import { unfreezeAccount } from '../../banking/accounts/unfreeze-account.ts'
import type { BankingProvider } from '../../banking/provider.ts'
import { Page, type PageQuery, totalIf } from '../../base/page.ts'
import { invalidRequest, type ProblemCode } from '../../base/problem.ts'
import { changedAccount, depositAccount } from './mapping/account.ts'
import { type Connector, recordOf, relation } from './parts.ts'
import { byCreation, listQuery, refuseFilters, WHOLE_PAGE } from './query.ts'

/** Settings of the accounts, which depend on the program at Unit. */
export interface AccountSettings {
  /** The deposit product of new accounts. */
  depositProduct: string
  /** Whether the program's list of accounts can be sorted. Unit describes no order for it. */
  sortsAccounts: boolean
}

export function accountsOf(connector: Connector, { depositProduct, sortsAccounts }: AccountSettings) {
  const { one, create, change } = connector

  const move = (accountId: string, name: string, data?: { type: string; attributes: object }) => ({
    ids: [[accountId, 'account_not_found']] as [string, ProblemCode][],
    path: `/accounts/${accountId}/${name}`,
    ...(data && { body: { data } }),
    read: recordOf(changedAccount),
  })

  return {
    createAccount: (write, { customerId, tags }) =>
      create(write, createAccount, {
        ids: [[customerId, 'customer_not_found']],
        path: '/accounts',
        data: {
          type: 'depositAccount',
          attributes: { depositProduct, ...(tags && { tags }) },
          relationships: { customer: relation('customer', customerId) },
        },
        map: depositAccount,
      }),

    getAccount: (_caller, accountId) => one(getAccount, [accountId], `/accounts/${accountId}`, depositAccount),

    listAccounts: async (_caller, query) => {
      refuseSearch(query)
      refuseFilters(query, ['accountId', 'since', 'until'])
      return sortsAccounts || query.customerId === undefined
        ? accountsPage(connector, query, sortsAccounts)
        : customerAccounts(connector, query)
    },

    closeAccount: async (write, { accountId, reason, closeTo }) => {
      refuseCloseTo(closeTo)
      return change(
        write,
        closeAccount,
        move(accountId, 'close', { type: 'depositAccountClose', attributes: { reason } }),
      )
    },
    freezeAccount: (write, accountId) =>
      change(
        write,
        freezeAccount,
        move(accountId, 'freeze', {
          type: 'accountFreeze',
          attributes: { reason: 'Other', reasonText: 'asked for by the customer' },
        }),
      ),
    unfreezeAccount: (write, accountId) => change(write, unfreezeAccount, move(accountId, 'unfreeze')),
    reopenAccount: (write, accountId) => change(write, reopenAccount, move(accountId, 'reopen')),
  } satisfies Partial<BankingProvider>
}

/** The upstream closes an account only when it is empty. */
function refuseCloseTo(closeTo: string | undefined): void {
  if (closeTo === undefined) return
  const message = 'closeTo is not possible with this provider: move the balance first'
  throw invalidRequest([{ pointer: '/closeTo', code: 'not_supported', message }])
}

/** The upstream searches customers only, and knows neither limits nor the times of returns. */
export function refuseSearch(query: object): void {
  refuseFilters(query, ['search'], ': search the customers, and name one in customerId')
  refuseFilters(query, ['nearLimit', 'returnedSince'])
}

/** The most accounts of a customer that are put in order here. */
const MAX_SORTED = 10 * WHOLE_PAGE

/** A page in the upstream's order. If that order is not described, a caller who names one is refused. */
async function accountsPage(
  { list, deadlineMs }: Connector,
  { customerId, status, ...page }: ListAccountsQuery,
  sorted: boolean,
  untilMs = deadlineMs(),
): Promise<Page<DepositAccount>> {
  if (!sorted && page.sort !== undefined) {
    const message = 'customerId is required with sort: this provider lists all accounts in its own order'
    throw invalidRequest([{ parameter: 'customerId', code: 'required', message }])
  }
  const filters = { customerId, status: status && [status], type: 'deposit' }
  const path = `/accounts${listQuery(page, sorted ? byCreation(page) : undefined, filters)}`
  return list([customerId], path, page, depositAccount, untilMs)
}

/**
 * A page of one customer's accounts. They are few, so that all are read and put in order here. Those that cannot be read
 * come last.
 */
async function customerAccounts(connector: Connector, query: ListAccountsQuery): Promise<Page<DepositAccount>> {
  const { limit = 100, offset = 0, sort, count, ...filters } = query
  const untilMs = connector.deadlineMs()
  const found: DepositAccount[] = []
  let unreadable = 0
  let reason: string | undefined
  for (let from = 0, more = true; more; from += WHOLE_PAGE) {
    if (from >= MAX_SORTED) {
      const message = `this provider lists up to ${MAX_SORTED} accounts of a customer; ask for fewer with status`
      throw invalidRequest([{ parameter: 'customerId', code: 'too_many', message }])
    }
    const part = await accountsPage(connector, { ...filters, limit: WHOLE_PAGE, offset: from }, false, untilMs)
    found.push(...part.items)
    unreadable += part.omitted
    reason ??= part.omittedReason
    more = part.more
  }
  found.sort(byAge(sort))
  const [end, total] = [offset + limit, found.length + unreadable]
  const omitted = Math.max(0, Math.min(end, total) - Math.max(offset, found.length))
  const shown = new Page(found.slice(offset, end), total > end, undefined, omitted)
  return shown.because(reason).counted(totalIf(count, total))
}

/** The order of accounts by their creation, and by their ids if two were created at once. */
function byAge(sort: PageQuery['sort']): (a: DepositAccount, b: DepositAccount) => number {
  const direction = sort === 'createdAt' ? 1 : -1
  const rank = ({ createdAt, id }: DepositAccount) => `${createdAt} ${id.padStart(20, '0')}`
  return (a, b) => (rank(a) < rank(b) ? -direction : direction)
}
