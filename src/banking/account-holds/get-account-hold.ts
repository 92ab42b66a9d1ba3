import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingRead } from '../provider.ts'
import { AccountHold } from './account-hold.ts'

/** Extension. Reads one hold, in any state. */
export const getAccountHold = bankingRead({
  id: 'getAccountHold',
  resource: 'accountHolds',
  verb: 'get',
  path: '/v0/banking/accounts/:accountId/holds/:holdId',
  summary: 'Get account hold',
  description:
    'Returns a hold on an account in any state. The id of a hold on another account is refused with `account_hold_not_found`.',
  params: Type.Object({ accountId: Id('account'), holdId: Id('accountHold') }),
  data: AccountHold,
  problems: ['account_not_found', 'account_hold_not_found'],
  run: ({ bank, caller }, { params }) => bank.getAccountHold(caller, params),
})
