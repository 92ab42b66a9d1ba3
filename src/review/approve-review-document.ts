import { Type } from 'typebox'
import { Document } from '../banking/applications/document.ts'
import { Id } from '../base/ids.ts'
import { ApprovalBody, reviewWrite } from './review.ts'

/** Extension. Approves a document of an application. */
export const approveReviewDocument = reviewWrite({
  id: 'approveReviewDocument',
  resource: 'reviewDocuments',
  verb: 'approve',
  path: '/v0/review/documents/:documentId/approve',
  summary: 'Approve document as reviewer',
  description:
    'Approves a document of an application, even without an uploaded file. When nothing is missing, the application becomes `PendingReview` and waits for its own decision; one that only waited for its documents is approved with the last of them. The audit log shows the key and the `reason`.\n\nA document that has been reviewed is refused with `document_wrong_state` until it is uploaded again, and a denied application with `application_wrong_state`. Emits `document.approved`, and an event of the application if its status changes.',
  params: Type.Object({ documentId: Id('document') }),
  body: ApprovalBody,
  data: Document,
  problems: ['document_not_found', 'application_wrong_state', 'document_wrong_state', 'customer_erased'],
  run: ({ review, write }, { params, body }) => review.approveReviewDocument(write, { ...params, ...body }),
})
