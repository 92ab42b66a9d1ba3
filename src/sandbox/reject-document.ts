import { Type } from 'typebox'
import { Document } from '../banking/applications/document.ts'
import { Id } from '../base/ids.ts'
import { ReviewBody } from './review.ts'
import { sandboxWrite } from './sandbox.ts'

/** Sandbox. Rejects a document in review, so that it has to be uploaded again. */
export const rejectDocument = sandboxWrite({
  id: 'rejectDocument',
  resource: 'sandbox.applications',
  verb: 'rejectDocument',
  path: '/v0/sandbox/applications/:applicationId/documents/:documentId/reject',
  summary: 'Reject document',
  description:
    'Rejects a document of an application. Its status becomes `Invalid`, and the applicant has to upload it again. The `description` of the document shows the reason.\n\nA document that has been reviewed is refused with `document_wrong_state`, and a denied application with `application_wrong_state`. Emits `document.rejected`, and `application.awaitingDocuments` if the application was in review.',
  params: Type.Object({ applicationId: Id('application'), documentId: Id('document') }),
  body: ReviewBody,
  data: Document,
  problems: [
    'application_not_found',
    'document_not_found',
    'application_wrong_state',
    'document_wrong_state',
    'customer_erased',
  ],
  run: ({ sandbox, write }, { params, body }) => sandbox.rejectDocument(write, { ...params, ...body }),
})
