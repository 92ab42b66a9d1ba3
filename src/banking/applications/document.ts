import { type Static, Type } from 'typebox'
import { RecordId } from '../../base/ids.ts'
import { invalidRequest, Problem } from '../../base/problem.ts'
import { Word } from '../../base/text.ts'

const documentStatuses = ['Required', 'ReceivedFront', 'ReceivedBack', 'PendingReview', 'Approved', 'Invalid'] as const
export type DocumentStatus = (typeof documentStatuses)[number]

export const Document = Type.Object(
  {
    id: RecordId(),
    documentType: Word(['Passport']),
    status: Word(documentStatuses),
    description: Type.String({ examples: ['Upload the photo page of the passport.'] }),
  },
  { $id: 'Document' },
)
export type Document = Static<typeof Document>

export const ContentType = Type.Enum(['image/png', 'image/jpeg', 'application/pdf'])
export type ContentType = Static<typeof ContentType>

/** The body of both uploads. */
export const DocumentFile = Type.Object({
  file: Type.String({
    description: 'The file in Base64, at most 20 MiB when decoded',
    contentEncoding: 'base64',
    examples: ['iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='],
  }),
  contentType: ContentType,
})

export interface UploadDocumentInput {
  applicationId: string
  documentId: string
  content: Buffer
  contentType: ContentType
}

const MIB = 1024 * 1024
const LARGEST_FILE = 20 * MIB
/** Room for the largest file in Base64, which is a third longer. */
export const UPLOAD_BODY_LIMIT = 28 * MIB

/** The bytes of an upload; refused where they are none, too many, or not in Base64 as RFC 4648 has it. */
export function decodedFile({ file, contentType }: Static<typeof DocumentFile>): {
  content: Buffer
  contentType: ContentType
} {
  const content = Buffer.from(file, 'base64')
  // The decoder skips what it does not know; only strict Base64 comes out as it went in.
  if (content.length === 0 || content.toString('base64') !== file) {
    const message = 'file must be Base64: the standard alphabet, padded, without spaces'
    throw invalidRequest([{ pointer: '/file', code: 'bad_format', message }])
  }
  if (content.length > LARGEST_FILE) {
    throw new Problem('payload_too_large', { detail: 'The decoded file may hold 20 MiB.' })
  }
  return { content, contentType }
}

/** Whether a review may still decide: what was approved or rejected is reviewed again only after an upload. */
export function isReviewable(status: DocumentStatus): boolean {
  return status !== 'Approved' && status !== 'Invalid'
}
