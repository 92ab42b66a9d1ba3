import { Type } from 'typebox'
import { Document } from '../banking/applications/document.ts'
import { Id } from '../base/ids.ts'
import { ApprovalBody, reviewWrite } from './review.ts'

/** Extension. Asks the applicant for a passport. */
export const requestReviewDocument = reviewWrite({
  id: 'requestReviewDocument',
  resource: 'reviewApplications',
  verb: 'requestDocument',
  path: '/v0/review/applications/:applicationId/documents',
  summary: 'Request document',
  description:
    'Asks the applicant for a passport. The application gets one more `Required` document, and its status is `AwaitingDocuments` until the file is uploaded. The audit log shows the key and the `reason`.\n\nAn application that has been decided is refused with `application_wrong_state`, and one that already waits for a document or its review with `document_wrong_state`. Emits `document.requested`, and `application.awaitingDocuments` if the application was in review.',
  status: 201,
  params: Type.Object({ applicationId: Id('application') }),
  body: ApprovalBody,
  data: Document,
  problems: ['application_not_found', 'application_wrong_state', 'document_wrong_state', 'customer_erased'],
  run: ({ review, write }, { params, body }) => review.requestReviewDocument(write, { ...params, ...body }),
})
