import { type Static, Type } from 'typebox'
import { RecordId } from '../../base/ids.ts'
import { invalidRequest, Problem } from '../../base/problem.ts'
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

const MIB = 1024 * 1024
const MAX_FILE_BYTES = 20 * MIB
/** Room for the largest file in Base64, which is a third longer. */
export const UPLOAD_BODY_LIMIT = 28 * MIB
/** Bytes that are compared at a time; a multiple of three, so that each slice is whole Base64. */
const SLICE_BYTES = 3 * 256 * 1024

/** Decodes an upload. Refuses a file that is empty, too large, or not Base64 as RFC 4648 defines it. */
export function decodedFile({ file, contentType }: Static<typeof DocumentFile>): {
  content: Buffer
  contentType: ContentType
} {
  if (Buffer.byteLength(file, 'base64') > MAX_FILE_BYTES) {
    throw new Problem('payload_too_large', { detail: 'The decoded file may hold 20 MiB.' })
  }
  const content = Buffer.from(file, 'base64')
  if (content.length === 0 || !isBase64Of(file, content)) {
    const message = 'file must be Base64: the standard alphabet, padded, without spaces'
    throw invalidRequest([{ pointer: '/file', code: 'bad_format', message }])
  }
  return { content, contentType }
}

/**
 * Whether a text is the Base64 of these bytes. The decoder skips characters that it does not know, so that only strict
 * Base64 is encoded to the same text again. Encoding slice by slice needs no second copy of 28 MiB.
 */
function isBase64Of(text: string, content: Buffer): boolean {
  if (text.length !== Math.ceil(content.length / 3) * 4) return false
  for (let start = 0; start < content.length; start += SLICE_BYTES) {
    const slice = content.toString('base64', start, Math.min(start + SLICE_BYTES, content.length))
    if (!text.startsWith(slice, (start / 3) * 4)) return false
  }
  return true
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
