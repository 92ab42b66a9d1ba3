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
  area: 'sandbox',
  method: 'POST',
  path: '/v0/sandbox/applications/:applicationId/documents/:documentId/reject',
  summary: 'Reject document',
  status: 200,
  scope: 'sandbox:write',
  params: Type.Object({ applicationId: Id('application'), documentId: Id('document') }),
  body: ReviewBody,
  data: Document,
  problems: ['application_not_found', 'document_not_found', 'application_wrong_state', 'document_wrong_state'],
  run: ({ sandbox, write }, { params, body }) => sandbox.rejectDocument(write, { ...params, ...body }),
})
