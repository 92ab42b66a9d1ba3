import { closeAccount } from '../../banking/accounts/close-account.ts'
import { createAccount } from '../../banking/accounts/create-account.ts'
import { freezeAccount } from '../../banking/accounts/freeze-account.ts'
import { getAccount } from '../../banking/accounts/get-account.ts'
import { reopenAccount } from '../../banking/accounts/reopen-account.ts'
import { unfreezeAccount } from '../../banking/accounts/unfreeze-account.ts'
import type { BankingProvider } from '../../banking/provider.ts'
import type { ProblemCode } from '../../base/problem.ts'
import { depositAccount } from './mapping/account.ts'
import { type Connector, recordOf, relation } from './parts.ts'
import { byCreation, listQuery } from './query.ts'

type Accounts = Required<
  Pick<
    BankingProvider,
    | 'createAccount'
    | 'getAccount'
    | 'listAccounts'
    | 'closeAccount'
    | 'reopenAccount'
    | 'freezeAccount'
    | 'unfreezeAccount'
  >
>

export function accountsOf({ one, list, create, change }: Connector): Accounts {
  const move = (accountId: string, name: string, data?: object) => ({
    ids: [[accountId, 'account_not_found']] as [string, ProblemCode][],
    path: `/accounts/${accountId}/${name}`,
    ...(data && { body: { data } }),
    read: recordOf(depositAccount),
  })

  return {
    createAccount: (write, { customerId, tags }) =>
      create(write, createAccount, {
        ids: [[customerId, 'customer_not_found']],
        path: '/accounts',
        data: {
          type: 'depositAccount',
          attributes: { depositProduct: 'checking', ...(tags && { tags }) },
          relationships: { customer: relation('customer', customerId) },
        },
        map: depositAccount,
      }),

    getAccount: (_caller, accountId) => one(getAccount, [accountId], `/accounts/${accountId}`, depositAccount),

    listAccounts: (_caller, { customerId, status, ...page }) => {
      const filters = { customerId, status: status && [status], type: 'deposit' }
      return list([customerId], `/accounts${listQuery(page, byCreation(page), filters)}`, page, depositAccount)
    },

    closeAccount: (write, { accountId, reason }) =>
      change(write, closeAccount, move(accountId, 'close', { type: 'depositAccountClose', attributes: { reason } })),
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
  }
}
