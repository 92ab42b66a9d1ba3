import { Type } from 'typebox'
import { Application } from '../banking/applications/application.ts'
import { Id } from '../base/ids.ts'
import { DecisionBody, reviewWrite } from './review.ts'

/** Extension. Denies an application that is not decided yet. */
export const denyReviewApplication = reviewWrite({
  id: 'denyReviewApplication',
  resource: 'reviewApplications',
  verb: 'deny',
  path: '/v0/review/applications/:applicationId/deny',
  summary: 'Deny application as reviewer',
  description:
    'Denies an application that waits for documents or a review. It takes no more documents. The audit log shows the key and the `reason`, which the applicant does not see.\n\nAn application that has been decided is refused with `application_wrong_state`. If two reviewers decide at the same time, the second one is refused. Emits `application.denied`.',
  params: Type.Object({ applicationId: Id('application') }),
  body: DecisionBody,
  data: Application,
  problems: ['application_not_found', 'application_wrong_state', 'customer_erased'],
  run: ({ review, write }, { params, body }) => review.denyReviewApplication(write, { ...params, ...body }),
})
