import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingWrite } from '../provider.ts'
import { AccountHold } from './account-hold.ts'

/** Extension. Ends a hold, so that its amount is available again. */
export const releaseAccountHold = bankingWrite({
  id: 'releaseAccountHold',
  resource: 'accountHolds',
  verb: 'release',
  path: '/v0/banking/accounts/:accountId/holds/:holdId/release',
  summary: 'Release account hold',
  description:
    'Ends an `Active` hold on an account in any state: its `hold` falls, and `available` grows. A hold for a `LegalOrder`, or by a key with `risk:write`, can only be released by such a key; others get `risk_key_required`. A hold that has ended is refused with `account_hold_not_active`; the id of a hold on another account is refused with `account_hold_not_found`.\n\nEmits `accountHold.released`.',
  orScope: 'risk:write',
  params: Type.Object({ accountId: Id('account'), holdId: Id('accountHold') }),
  data: AccountHold,
  problems: [
    ...(['account_not_found', 'account_hold_not_found', 'account_hold_not_active', 'risk_key_required'] as const),
    'proposal_waiting',
  ],
  signature: {
    decision: 'holdRelease',
    scope: 'risk:write',
    judge: async ({ bank, caller }, { params }) => {
      const { status, reason, amount, customerId } = await bank.getAccountHold(caller, params)
      if (status !== 'Active' || reason !== 'LegalOrder' || !caller.decidesRisk) return undefined
      return { amount, reason: null, recordId: params.holdId, customerId }
    },
  },
  run: ({ bank, write }, { params }) => bank.releaseAccountHold(write, params),
})
