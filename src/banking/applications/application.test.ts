import { describe, expect, test } from 'vitest'
import { type ApplicationStatus, statusAfterDocuments } from './application.ts'
import type { DocumentStatus } from './document.ts'

/** The documents of an application, and where they bring it while it is undecided. */
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

describe('an application', () => {
  for (const [documents, status] of table) {
    test(`with documents ${documents.join(', ')} becomes ${status}`, () => {
      for (const before of ['AwaitingDocuments', 'PendingReview'] as const) {
        expect(statusAfterDocuments(before, documents)).toBe(status)
      }
    })
  }

  test('that is decided stays so, whatever its documents', () => {
    for (const decided of ['Approved', 'Denied'] as const) {
      for (const [documents] of table) expect(statusAfterDocuments(decided, documents)).toBe(decided)
    }
  })
})
