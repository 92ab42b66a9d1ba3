import { Type } from 'typebox'
import { Application } from '../banking/applications/application.ts'
import { Id } from '../base/ids.ts'
import { ApprovalBody, reviewWrite } from './review.ts'

/** Extension. Approves an application that is not decided yet, and creates the customer. */
export const approveReviewApplication = reviewWrite({
  id: 'approveReviewApplication',
  resource: 'reviewApplications',
  verb: 'approve',
  area: 'review',
  method: 'POST',
  path: '/v0/review/applications/:applicationId/approve',
  summary: 'Approve application as reviewer',
  description:
    'Approves an application that waits for documents or a review, whatever the state of its documents, and creates the customer. The audit log shows the key and the `reason`.\n\nAn application that was decided is refused with `application_wrong_state`; of two reviewers who decide at the same time, one is. `customer.created` and `application.approved` follow.',
  status: 200,
  scope: 'review:write',
  params: Type.Object({ applicationId: Id('application') }),
  body: ApprovalBody,
  data: Application,
  problems: ['application_not_found', 'application_wrong_state', 'customer_erased'],
  run: ({ review, write }, { params, body }) => review.approveReviewApplication(write, { ...params, ...body }),
})
