import type { EventType } from '../../client/src/index.ts'
import type { Stage } from './stage.ts'
import type { Trigger } from './trigger.ts'

const ofDocument = ['application', 'document'] as const

/** Events of applications and their documents. */
export const applicationTriggers = {
  'application.created': {
    does: 'Applies for an account; the application is approved at once.',
    takes: [],
    calls: ['createApplication'],
    play: async (stage) => stage.keep('application', await stage.newApplication('approved')),
  },
  'application.awaitingDocuments': {
    does: 'Rejects the document of an application in review. Needs PURSER_REVIEW=manual.',
    takes: ofDocument,
    calls: ['createApplication', 'uploadDocumentFront', 'rejectDocument'],
    before: ['uploadDocumentFront'],
    play: async (stage) => {
      const document = await stage.document()
      if (document.status !== 'PendingReview') await stage.upload(document)
      await review(stage, document, 'reject')
      return document.applicationId
    },
  },
  'application.pendingReview': {
    does: 'Uploads the document of an application, which then waits. Needs PURSER_REVIEW=manual.',
    takes: ofDocument,
    calls: ['createApplication', 'uploadDocumentFront'],
    play: async (stage) => {
      const document = await stage.document()
      await stage.upload(document)
      return document.applicationId
    },
  },
  'application.approved': {
    does: 'Approves an application, and creates its customer.',
    takes: ['application'],
    calls: ['createApplication', 'approveApplication'],
    play: async (stage) => {
      return (await stage.purser.sandbox.applications.approve(await stage.application('pendingReview'))).id
    },
  },
  'application.denied': {
    does: 'Denies an application.',
    takes: ['application'],
    calls: ['createApplication', 'denyApplication'],
    play: async (stage) => {
      return (await stage.purser.sandbox.applications.deny(await stage.application('pendingReview'))).id
    },
  },
  'document.approved': {
    does: 'Approves the document of an application.',
    takes: ofDocument,
    calls: ['createApplication', 'approveDocument'],
    before: ['uploadDocumentFront'],
    play: async (stage) => review(stage, await stage.document(), 'approve'),
  },
  'document.rejected': {
    does: 'Rejects the document of an application.',
    takes: ofDocument,
    calls: ['createApplication', 'rejectDocument'],
    before: ['uploadDocumentFront'],
    play: async (stage) => review(stage, await stage.document(), 'reject'),
  },
} satisfies Partial<Record<EventType, Trigger>>

async function review(
  { purser }: Stage,
  { applicationId, documentId }: { applicationId: string; documentId: string },
  verdict: 'approve' | 'reject',
): Promise<string> {
  const { approveDocument, rejectDocument } = purser.sandbox.applications
  if (verdict === 'approve') await approveDocument(applicationId, documentId, {})
  else await rejectDocument(applicationId, documentId, { reason: 'The picture is blurred' })
  return documentId
}
