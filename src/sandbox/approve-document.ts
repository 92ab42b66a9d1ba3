import { Type } from 'typebox'
import { Document } from '../banking/applications/document.ts'
import { Id } from '../base/ids.ts'
import { ReviewBody } from './review.ts'
import { sandboxWrite } from './sandbox.ts'

/** Sandbox. Approves a document, with or without a file. The last approval approves the application. */
export const approveDocument = sandboxWrite({
  id: 'approveDocument',
  resource: 'sandbox.applications',
  verb: 'approveDocument',
  path: '/v0/sandbox/applications/:applicationId/documents/:documentId/approve',
  summary: 'Approve document',
  description:
    'Approves a document of an application, even without an uploaded file. When all documents are approved, so is the application, and its customer is created.\n\nA document that has been reviewed is refused with `document_wrong_state` until it is uploaded again, and a denied application with `application_wrong_state`. Emits `document.approved`; with the last document also `customer.created` and `application.approved`.',
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
  run: ({ sandbox, write }, { params, body }) => sandbox.approveDocument(write, { ...params, ...body }),
})
