import { type Static, Type } from 'typebox'
import { decodedBase64 } from '../../base/base64-file.ts'
import { RecordId } from '../../base/ids.ts'
import { Word } from '../../base/text.ts'
import type { StateRules } from '../state-rules.ts'

const documentStatuses = ['Required', 'ReceivedFront', 'ReceivedBack', 'PendingReview', 'Approved', 'Invalid'] as const
export type DocumentStatus = (typeof documentStatuses)[number]
const reviewable = ['Required', 'ReceivedFront', 'ReceivedBack', 'PendingReview'] as const satisfies DocumentStatus[]

export const Document = Type.Object(
  {
    id: RecordId(),
    documentType: Word(['Passport'], { description: 'Kind of document' }),
    status: Word(documentStatuses, {
      description:
        '`Required` until a file arrives. The built-in bank goes on to `PendingReview` or `Approved`; `Invalid` needs another upload',
    }),
    description: Type.String({
      description: 'Instruction for the applicant, and the reason of a rejection',
      examples: ['Upload the photo page of the passport.'],
    }),
  },
  { $id: 'Document', description: 'A document that an application needs' },
)
export type Document = Static<typeof Document>

export const ContentType = Type.Enum(['image/png', 'image/jpeg', 'application/pdf'], {
  description: 'Media type of the file; it must match the content',
})
export type ContentType = Static<typeof ContentType>

/** The body of both uploads. */
export const DocumentFile = Type.Object(
  {
    file: Type.String({
      description: 'The file in Base64, at most 20 MiB when decoded',
      contentEncoding: 'base64',
      'x-secret': true,
      examples: ['iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='],
    }),
    contentType: ContentType,
  },
  { description: 'One side of a document' },
)

export interface UploadDocumentInput {
  applicationId: string
  documentId: string
  content: Buffer
  contentType: ContentType
}

/** Decodes an upload. */
export function decodedFile({ file, contentType }: Static<typeof DocumentFile>): {
  content: Buffer
  contentType: ContentType
} {
  return { content: decodedBase64(file), contentType }
}

/**
 * The operations that need a document in a certain state. A document can be uploaded again in every state; an approved or
 * rejected one is reviewed again only after an upload.
 */
export const documentRules = {
  uploadDocumentFront: { from: documentStatuses, otherwise: 'document_wrong_state' },
  uploadDocumentBack: { from: documentStatuses, otherwise: 'document_wrong_state' },
  approveDocument: { from: reviewable, to: 'Approved', otherwise: 'document_wrong_state' },
  approveReviewDocument: { from: reviewable, to: 'Approved', otherwise: 'document_wrong_state' },
  rejectReviewDocument: { from: reviewable, to: 'Invalid', otherwise: 'document_wrong_state' },
  rejectDocument: { from: reviewable, to: 'Invalid', otherwise: 'document_wrong_state' },
} as const satisfies StateRules<string, DocumentStatus>
