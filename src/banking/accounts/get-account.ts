import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingRead } from '../provider.ts'
import { DepositAccount } from './account.ts'

/** B16. Reads one account. */
export const getAccount = bankingRead({
  id: 'getAccount',
  resource: 'accounts',
  verb: 'get',
  number: 'B16',
  path: '/v0/banking/accounts/:accountId',
  summary: 'Get account',
  description:
    'Returns an account with its current balance. `available` is what payments and cards may spend: `balance` minus `hold`.\n\nAccounts in all states can be read. The `ETag` changes with the account; send it as `If-None-Match` to poll cheaply.',
  params: Type.Object({ accountId: Id('account') }),
  data: DepositAccount,
  problems: ['account_not_found'],
  run: ({ bank, caller }, { params }) => bank.getAccount(caller, params.accountId),
})
