import { Type } from 'typebox'
import { ExternalAccount } from '../banking/external-accounts/external-account.ts'
import { Id } from '../base/ids.ts'
import { ApprovalBody, reviewWrite } from './review.ts'

/** Extension. Approve external account that waits for a review. */
export const approveExternalAccount = reviewWrite({
  id: 'approveExternalAccount',
  resource: 'reviewExternalAccounts',
  verb: 'approve',
  path: '/v0/review/external-accounts/:externalAccountId/approve',
  summary: 'Approve external account',
  description:
    'Approves an external account that the screening left to a reviewer. Payments that wait only for this leave within seconds; those with another reason, and those that `PURSER_TWO_SIGNATURES` asks two persons for, need a decision of their own. The audit log shows the key and the `reason`.\n\nAn account that does not wait for a review is refused (`external_account_not_in_review`). Emits `externalAccount.approved`, then the events of the payments.',
  showsNumber: true,
  params: Type.Object({ externalAccountId: Id('externalAccount') }),
  body: ApprovalBody,
  data: ExternalAccount,
  problems: ['external_account_not_found', 'external_account_not_in_review', 'customer_erased'],
  run: ({ review, write }, { params, body }) => review.approveExternalAccount(write, { ...params, ...body }),
})
