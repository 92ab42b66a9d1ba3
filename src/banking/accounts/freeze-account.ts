import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingWrite } from '../provider.ts'
import { DepositAccount } from './account.ts'

/** Extension. Stops payments and new card authorizations of an open account. Money still arrives. */
export const freezeAccount = bankingWrite({
  id: 'freezeAccount',
  resource: 'accounts',
  verb: 'freeze',
  area: 'banking',
  method: 'POST',
  path: '/v0/banking/accounts/:accountId/freeze',
  summary: 'Freeze account',
  status: 200,
  scope: 'banking:write',
  params: Type.Object({ accountId: Id('account') }),
  data: DepositAccount,
  problems: ['account_not_found', 'account_not_open'],
  run: ({ bank, write }, { params }) => bank.freezeAccount(write, params.accountId),
})
