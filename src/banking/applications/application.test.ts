import { describe, expect, test } from 'vitest'
import { outcomeOf } from '../../../test/support/state-rules.ts'
import { type ApplicationStatus, applicationRules, statusAfterDocuments } from './application.ts'
import { type DocumentStatus, documentRules } from './document.ts'

/** The statuses of an application's documents, and the status that they bring an undecided application to. */
const table: [documents: DocumentStatus[], status: ApplicationStatus][] = [
  [['Approved'], 'Approved'],
  [['Approved', 'Approved'], 'Approved'],
  [['Approved', 'Required'], 'AwaitingDocuments'],
  [['Approved', 'Invalid'], 'AwaitingDocuments'],
  [['Approved', 'PendingReview'], 'PendingReview'],
  [['PendingReview', 'Required'], 'AwaitingDocuments'],
  [['ReceivedFront'], 'PendingReview'],
  [['ReceivedBack'], 'PendingReview'],
]

const decided = 'application_wrong_state'
const unchanged = { AwaitingDocuments: 'AwaitingDocuments', PendingReview: 'PendingReview', Approved: 'Approved' }

/** Each operation in each state of the application: the state afterwards, or the code of the refusal. */
const outcomes: Record<keyof typeof applicationRules, Record<ApplicationStatus, string>> = {
  approveApplication: { AwaitingDocuments: 'Approved', PendingReview: 'Approved', Approved: decided, Denied: decided },
  approveReviewApplication: {
    AwaitingDocuments: 'Approved',
    PendingReview: 'Approved',
    Approved: decided,
    Denied: decided,
  },
  denyReviewApplication: { AwaitingDocuments: 'Denied', PendingReview: 'Denied', Approved: decided, Denied: decided },
  requestReviewDocument: {
    AwaitingDocuments: 'AwaitingDocuments',
    PendingReview: 'AwaitingDocuments',
    Approved: decided,
    Denied: decided,
  },
  denyApplication: { AwaitingDocuments: 'Denied', PendingReview: 'Denied', Approved: decided, Denied: decided },
  uploadDocumentFront: { ...unchanged, Denied: decided },
  uploadDocumentBack: { ...unchanged, Denied: decided },
  approveDocument: { ...unchanged, Denied: decided },
  rejectDocument: { ...unchanged, Denied: decided },
  approveReviewDocument: { ...unchanged, Denied: decided },
  rejectReviewDocument: { ...unchanged, Denied: decided },
}

describe('the rules of an application', () => {
  for (const operationId of Object.keys(outcomes) as (keyof typeof applicationRules)[]) {
    for (const [status, outcome] of Object.entries(outcomes[operationId]) as [ApplicationStatus, string][]) {
      test(`answer ${outcome} to ${operationId} of an application that is ${status}`, () => {
        expect(outcomeOf(applicationRules, operationId, status)).toBe(outcome)
      })
    }
  }
})

describe('the rules of a document', () => {
  const open: DocumentStatus[] = ['Required', 'ReceivedFront', 'ReceivedBack', 'PendingReview']
  const reviewed: DocumentStatus[] = ['Approved', 'Invalid']

  test('allow an upload in every state', () => {
    for (const status of [...open, ...reviewed]) {
      expect(outcomeOf(documentRules, 'uploadDocumentFront', status)).toBe(status)
      expect(outcomeOf(documentRules, 'uploadDocumentBack', status)).toBe(status)
    }
  })

  test('allow one review after an upload', () => {
    for (const status of open) {
      expect(outcomeOf(documentRules, 'approveDocument', status)).toBe('Approved')
      expect(outcomeOf(documentRules, 'rejectDocument', status)).toBe('Invalid')
      expect(outcomeOf(documentRules, 'approveReviewDocument', status)).toBe('Approved')
      expect(outcomeOf(documentRules, 'rejectReviewDocument', status)).toBe('Invalid')
    }
    for (const status of reviewed) {
      expect(outcomeOf(documentRules, 'approveDocument', status)).toBe('document_wrong_state')
      expect(outcomeOf(documentRules, 'rejectDocument', status)).toBe('document_wrong_state')
      expect(outcomeOf(documentRules, 'approveReviewDocument', status)).toBe('document_wrong_state')
      expect(outcomeOf(documentRules, 'rejectReviewDocument', status)).toBe('document_wrong_state')
    }
  })
})

describe('an application', () => {
  for (const [documents, status] of table) {
    test(`with documents ${documents.join(', ')} becomes ${status}`, () => {
      for (const before of ['AwaitingDocuments', 'PendingReview'] as const) {
        expect(statusAfterDocuments(before, documents)).toBe(status)
        const withDecision = status === 'Approved' ? 'PendingReview' : status
        expect(statusAfterDocuments(before, documents, true)).toBe(withDecision)
      }
    })
  }

  test('that was approved or denied keeps its status, whatever its documents', () => {
    for (const decided of ['Approved', 'Denied'] as const) {
      for (const [documents] of table) expect(statusAfterDocuments(decided, documents)).toBe(decided)
    }
  })
})
