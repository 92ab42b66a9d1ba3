import { Type } from 'typebox'
import { ExternalAccount } from '../banking/external-accounts/external-account.ts'
import { Id } from '../base/ids.ts'
import { DecisionBody, reviewWrite } from './review.ts'

/** Extension. Reject external account that waits for a review. */
export const rejectExternalAccount = reviewWrite({
  id: 'rejectExternalAccount',
  resource: 'reviewExternalAccounts',
  verb: 'reject',
  path: '/v0/review/external-accounts/:externalAccountId/reject',
  summary: 'Reject external account',
  description:
    'Rejects an external account that the screening left to a reviewer. It is deleted, and the payments that wait for it become `Rejected` within seconds. The audit log shows the key and the `reason`.\n\nAn account that does not wait for a review is refused (`external_account_not_in_review`). Emits `externalAccount.rejected`, then the events of the payments.',
  showsNumber: true,
  params: Type.Object({ externalAccountId: Id('externalAccount') }),
  body: DecisionBody,
  data: ExternalAccount,
  problems: ['external_account_not_found', 'external_account_not_in_review', 'customer_erased'],
  run: ({ review, write }, { params, body }) => review.rejectExternalAccount(write, { ...params, ...body }),
})
