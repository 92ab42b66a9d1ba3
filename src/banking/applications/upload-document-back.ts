import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { bankingWrite } from '../provider.ts'
import { Document, DocumentFile, decodedFile, UPLOAD_BODY_LIMIT } from './document.ts'

/** B17. Uploads the back side of a document, in place of an earlier upload. */
export const uploadDocumentBack = bankingWrite({
  id: 'uploadDocumentBack',
  resource: 'applications',
  verb: 'uploadDocumentBack',
  number: 'B17',
  area: 'banking',
  method: 'POST',
  path: '/v0/banking/applications/:applicationId/documents/:documentId/back',
  summary: 'Upload document back',
  status: 201,
  scope: 'banking:write',
  bodyLimit: UPLOAD_BODY_LIMIT,
  params: Type.Object({ applicationId: Id('application'), documentId: Id('document') }),
  body: DocumentFile,
  data: Document,
  problems: ['application_not_found', 'document_not_found', 'application_wrong_state', 'content_type_mismatch'],
  run: ({ bank, write }, { params, body }) => bank.uploadDocumentBack(write, { ...params, ...decodedFile(body) }),
})
