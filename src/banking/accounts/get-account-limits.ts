import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingRead } from '../provider.ts'
import { AccountLimits } from './account-limits.ts'

/** Extension. Returns the limits of an account, and what is used of them. */
export const getAccountLimits = bankingRead({
  id: 'getAccountLimits',
  resource: 'accountLimits',
  verb: 'get',
  path: '/v0/banking/accounts/:accountId/limits',
  summary: 'Get account limits',
  description:
    'Returns the payment limits of an account, how much of them the current day and month have used, and its overdraft. A member without a limit is null.',
  params: Type.Object({ accountId: Id('account') }),
  data: AccountLimits,
  problems: ['account_not_found'],
  run: ({ bank, caller }, { params }) => bank.getAccountLimits(caller, params.accountId),
})
