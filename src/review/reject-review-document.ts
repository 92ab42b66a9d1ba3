import { Type } from 'typebox'
import { Document } from '../banking/applications/document.ts'
import { Id } from '../base/ids.ts'
import { DecisionBody, reviewWrite } from './review.ts'

/** Extension. Rejects a document, so that it has to be uploaded again. */
export const rejectReviewDocument = reviewWrite({
  id: 'rejectReviewDocument',
  resource: 'reviewDocuments',
  verb: 'reject',
  path: '/v0/review/documents/:documentId/reject',
  summary: 'Reject document as reviewer',
  description:
    'Rejects a document of an application. Its status becomes `Invalid`, and the applicant has to upload it again. The `description` of the document shows the `reason`, and the audit log shows it with the key.\n\nA document that has been reviewed is refused with `document_wrong_state`, and a denied application with `application_wrong_state`. Emits `document.rejected`, and `application.awaitingDocuments` if the application was in review.',
  params: Type.Object({ documentId: Id('document') }),
  body: DecisionBody,
  data: Document,
  problems: ['document_not_found', 'application_wrong_state', 'document_wrong_state', 'customer_erased'],
  run: ({ review, write }, { params, body }) => review.rejectReviewDocument(write, { ...params, ...body }),
})
