import { type Static, Type } from 'typebox'
import { RecordId } from '../../base/ids.ts'
import { Timestamp, Word } from '../../base/text.ts'
import { Document, type DocumentStatus } from './document.ts'

const applicationStatuses = ['AwaitingDocuments', 'PendingReview', 'Approved', 'Denied'] as const
export type ApplicationStatus = (typeof applicationStatuses)[number]

export const Application = Type.Object(
  {
    id: RecordId(),
    status: Word(applicationStatuses),
    createdAt: Timestamp,
    name: Type.String({ examples: ['Ada Example'] }),
    email: Type.String({ examples: ['ada@example.com'] }),
    customerId: Type.Optional(RecordId()),
    documents: Type.Array(Document),
  },
  { $id: 'Application' },
)
export type Application = Static<typeof Application>

/** Whether an application still waits for its decision. */
export function isUndecided(status: ApplicationStatus): boolean {
  return status === 'AwaitingDocuments' || status === 'PendingReview'
}

/** The status of an application after a change of its documents; a decision stands, whatever is uploaded later. */
export function statusAfterDocuments(status: ApplicationStatus, documents: DocumentStatus[]): ApplicationStatus {
  if (!isUndecided(status)) return status
  if (documents.every((document) => document === 'Approved')) return 'Approved'
  const missing = documents.some((document) => document === 'Required' || document === 'Invalid')
  return missing ? 'AwaitingDocuments' : 'PendingReview'
}
