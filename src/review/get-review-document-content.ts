import { Type } from 'typebox'
import { Id } from '../base/ids.ts'
import { Bytes } from '../base/operation.ts'
import { reviewRead } from './review.ts'

/** Extension. Returns the file of one side of a document, and records that it was looked at. */
export const getReviewDocumentContent = reviewRead({
  id: 'getReviewDocumentContent',
  resource: 'reviewDocuments',
  verb: 'getContent',
  path: '/v0/review/documents/:documentId/content',
  summary: 'Get document content',
  description:
    'Returns the file of one side of a document as it was uploaded, with its media type and without the usual envelope. Every look emits `document.viewed`, and the audit log shows the key. A person needs the scope `personal:read`, too.\n\nAn unknown document is refused with `document_not_found`, and a side that was not uploaded with `document_not_uploaded`. Few files are read at a time; a request that waits too long for its turn gets 503.',
  personal: 'noted',
  params: Type.Object({ documentId: Id('document') }),
  query: Type.Object({
    side: Type.Optional(
      Type.Enum(['front', 'back'], { default: 'front', description: 'Side of the document: `front` or `back`' }),
    ),
  }),
  contentType: ['image/png', 'image/jpeg', 'application/pdf'],
  secret: true,
  data: Bytes,
  problems: ['document_not_found', 'document_not_uploaded', 'customer_erased'],
  run: ({ review, caller, requestId }, { params, query }) =>
    review.getReviewDocumentContent({ caller, requestId, documentId: params.documentId, side: query.side ?? 'front' }),
})
