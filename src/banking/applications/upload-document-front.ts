import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingWrite } from '../provider.ts'
import { Document, DocumentFile, decodedFile, UPLOAD_BODY_LIMIT } from './document.ts'

/** Extension. Uploads the front side of a document, in place of an earlier upload. */
export const uploadDocumentFront = bankingWrite({
  id: 'uploadDocumentFront',
  resource: 'applications',
  verb: 'uploadDocumentFront',
  area: 'banking',
  method: 'POST',
  path: '/v0/banking/applications/:applicationId/documents/:documentId',
  summary: 'Upload document front',
  status: 201,
  scope: 'banking:write',
  bodyLimit: UPLOAD_BODY_LIMIT,
  params: Type.Object({ applicationId: Id('application'), documentId: Id('document') }),
  body: DocumentFile,
  data: Document,
  problems: ['application_not_found', 'document_not_found', 'application_wrong_state', 'content_type_mismatch'],
  run: ({ bank, write }, { params, body }) => bank.uploadDocumentFront(write, { ...params, ...decodedFile(body) }),
})
