import { type Static, Type } from 'typebox'
import { RecordId } from '../../base/ids.ts'
import { Problem } from '../../base/problem.ts'
import { CreatedAt, Word } from '../../base/text.ts'
import { requireAllowed, type StateRules } from '../state-rules.ts'
import { Document, type DocumentStatus } from './document.ts'

const applicationStatuses = ['AwaitingDocuments', 'PendingReview', 'Approved', 'Denied'] as const
export type ApplicationStatus = (typeof applicationStatuses)[number]

/** The statuses that a list can be asked for. The last two are those of an upstream. */
export const ListedStatus = Type.Enum([...applicationStatuses, 'Pending', 'Canceled'], {
  description: 'Only applications in this status. `Pending` and `Canceled` exist at an upstream only',
})

const listedMembers = {
  id: RecordId(),
  status: Word(applicationStatuses, {
    description: '`Approved` and `Denied` are final; the others wait for documents or for a decision',
  }),
  createdAt: CreatedAt,
  name: Type.String({ description: 'Full name of the applicant', examples: ['Ada Example'] }),
  email: Type.String({ description: 'E-mail address of the applicant', examples: ['ada@example.com'] }),
  customerId: Type.Optional(RecordId('The customer that the approval created; absent before it')),
}

export const Application = Type.Object(
  {
    ...listedMembers,
    documents: Type.Array(Document, { description: 'The documents that the application needs; often none' }),
  },
  { $id: 'Application', description: 'The application of a person who wants to become a customer' },
)
export type Application = Static<typeof Application>

/** An application in a list, without its documents: an upstream lists applications without them. */
export const ListedApplication = Type.Object(listedMembers, {
  $id: 'ListedApplication',
  description: 'An application in a list, without its documents',
})
export type ListedApplication = Static<typeof ListedApplication>

const undecided = ['AwaitingDocuments', 'PendingReview'] as const satisfies ApplicationStatus[]
const notDenied = [...undecided, 'Approved'] as const

/** The operations that need an application in a certain state. */
export const applicationRules = {
  approveApplication: { from: undecided, to: 'Approved', otherwise: 'application_wrong_state' },
  approveReviewApplication: { from: undecided, to: 'Approved', otherwise: 'application_wrong_state' },
  denyReviewApplication: { from: undecided, to: 'Denied', otherwise: 'application_wrong_state' },
  requestReviewDocument: { from: undecided, to: 'AwaitingDocuments', otherwise: 'application_wrong_state' },
  denyApplication: { from: undecided, to: 'Denied', otherwise: 'application_wrong_state' },
  uploadDocumentFront: { from: notDenied, otherwise: 'application_wrong_state' },
  uploadDocumentBack: { from: notDenied, otherwise: 'application_wrong_state' },
  approveDocument: { from: notDenied, otherwise: 'application_wrong_state' },
  rejectDocument: { from: notDenied, otherwise: 'application_wrong_state' },
  approveReviewDocument: { from: notDenied, otherwise: 'application_wrong_state' },
  rejectReviewDocument: { from: notDenied, otherwise: 'application_wrong_state' },
} as const satisfies StateRules<string, ApplicationStatus>

/** Refuses to ask for another document if the application was decided, or waits for a document or its review. */
export function requireNoOpenDocument(application: {
  status: ApplicationStatus
  documents: readonly { status: DocumentStatus }[]
}): void {
  requireAllowed(applicationRules, 'requestReviewDocument', application.status)
  if (application.documents.every(({ status }) => status === 'Approved')) return
  throw new Problem('document_wrong_state', { detail: 'The application already waits for a document or its review.' })
}

/**
 * The status of an application after a change of its documents. An application that was decided keeps its status, and one
 * that needs a decision of its own waits for it.
 */
export function statusAfterDocuments(
  status: ApplicationStatus,
  documents: DocumentStatus[],
  needsDecision = false,
): ApplicationStatus {
  if (status === 'Approved' || status === 'Denied') return status
  if (documents.every((document) => document === 'Approved')) return needsDecision ? 'PendingReview' : 'Approved'
  const missing = documents.some((document) => document === 'Required' || document === 'Invalid')
  return missing ? 'AwaitingDocuments' : 'PendingReview'
}
