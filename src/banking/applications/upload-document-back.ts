import { Type } from 'typebox'
import { UPLOAD_BODY_LIMIT } from '../../base/base64-file.ts'
import { Id } from '../../base/ids.ts'
import { bankingWrite } from '../provider.ts'
import { Document, DocumentFile, decodedFile } from './document.ts'

/** B17. Uploads the back side of a document, in place of an earlier upload. */
export const uploadDocumentBack = bankingWrite({
  id: 'uploadDocumentBack',
  resource: 'applications',
  verb: 'uploadDocumentBack',
  number: 'B17',
  path: '/v0/banking/applications/:applicationId/documents/:documentId/back',
  summary: 'Upload document back',
  description:
    'Uploads the back side of a document of an application, as Base64 in JSON. It replaces an earlier upload. The built-in bank approves the document at once, or leaves it `PendingReview` if the service is set to manual review.\n\nA file that is not what `contentType` says is refused with `content_type_mismatch`, and one above 20 MiB with `payload_too_large`. A denied application takes no documents (`application_wrong_state`).\n\nAn approval emits `document.approved`. The last one also approves the application, with `customer.created` and `application.approved`. Under manual review `application.pendingReview` is emitted once nothing is missing.',
  status: 201,
  bodyLimit: UPLOAD_BODY_LIMIT,
  params: Type.Object({ applicationId: Id('application'), documentId: Id('document') }),
  body: DocumentFile,
  data: Document,
  problems: [
    'application_not_found',
    'document_not_found',
    'application_wrong_state',
    'content_type_mismatch',
    'customer_erased',
  ],
  run: ({ bank, write }, { params, body }) => bank.uploadDocumentBack(write, { ...params, ...decodedFile(body) }),
})
