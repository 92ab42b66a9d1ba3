import { Type } from 'typebox'
import { Application } from '../banking/applications/application.ts'
import { Id } from '../base/ids.ts'
import { ApprovalBody, reviewWrite } from './review.ts'

/** Extension. Approves an application that is not decided yet, and creates the customer. */
export const approveReviewApplication = reviewWrite({
  id: 'approveReviewApplication',
  resource: 'reviewApplications',
  verb: 'approve',
  path: '/v0/review/applications/:applicationId/approve',
  summary: 'Approve application as reviewer',
  description:
    'Approves an application that waits for documents or a review and creates the customer, whatever the state of its documents. The audit log shows the key and the `reason`.\n\nAn application that has been decided is refused with `application_wrong_state`. If two reviewers decide at the same time, the second one is refused. Emits `customer.created` and `application.approved`.',
  params: Type.Object({ applicationId: Id('application') }),
  body: ApprovalBody,
  data: Application,
  problems: ['application_not_found', 'application_wrong_state', 'customer_erased'],
  run: ({ review, write }, { params, body }) => review.approveReviewApplication(write, { ...params, ...body }),
})
