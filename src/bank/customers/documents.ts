import { applicationRules } from '../../banking/applications/application.ts'
import {
  type ContentType,
  type Document,
  type DocumentStatus,
  documentRules,
  type UploadDocumentInput,
} from '../../banking/applications/document.ts'
import type { BankingProvider } from '../../banking/provider.ts'
import { requireAllowed, stateAfter } from '../../banking/state-rules.ts'
import { type ConcurrencyLimit, concurrencyLimit } from '../../base/concurrency-limit.ts'
import { contentMismatch, isKnownContent } from '../../base/file-content.ts'
import { idNumber } from '../../base/ids.ts'
import type { Answer, Write } from '../../base/operation.ts'
import { Problem } from '../../base/problem.ts'
import type { Queryable } from '../../database/database.ts'
import { type EventSink, type EventType, emitSealed } from '../../events/event.ts'
import type { ReviewInput } from '../../sandbox/review.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { keepReason } from '../screening/decision-reasons.ts'
import {
  type ApplicationRow,
  type DocumentRow,
  findApplication,
  lockApplication,
  lockDocuments,
  putFile,
  updateDocument,
} from './applications.sql.ts'
import { documentOf, followDocuments } from './applications.ts'

/** The operations that change a document. */
type DocumentOperation = keyof typeof documentRules
type Decision = 'approveDocument' | 'rejectDocument' | 'approveReviewDocument' | 'rejectReviewDocument'
type Upload = 'uploadDocumentFront' | 'uploadDocumentBack'

/**
 * Uploads that are checked, sealed and written at a time. Each takes a connection of the pool and some 60 MiB for as long as
 * the database needs to store up to 20 MiB; without a limit, twenty at once left no connection for anybody else.
 */
const MAX_UPLOADS = 3
const MAX_UPLOADS_OF_ORGANISATION = 2
/** How long an upload waits for its turn before it is refused with 503. */
const UPLOAD_WAIT_MS = 10_000

/** The events of the outcomes of a review. The other statuses have none. */
const reviewEventOf: Partial<Record<DocumentStatus, EventType>> = {
  Approved: 'document.approved',
  Invalid: 'document.rejected',
}

export function documentsOf(bank: BankParts) {
  const uploads = concurrencyLimit({
    total: MAX_UPLOADS,
    perOrganisation: MAX_UPLOADS_OF_ORGANISATION,
    waitMs: bank.uploadWaitMs ?? UPLOAD_WAIT_MS,
  })
  return {
    uploadDocumentFront: (write, input) => uploadDocument(bank, uploads, write, input, 'uploadDocumentFront'),
    uploadDocumentBack: (write, input) => uploadDocument(bank, uploads, write, input, 'uploadDocumentBack'),
    approveDocument: (write, input) => reviewDocument(bank, write, input, 'approveDocument'),
    rejectDocument: (write, input) => reviewDocument(bank, write, input, 'rejectDocument'),
  } satisfies Partial<BankingProvider & Sandbox>
}

/**
 * Stores one side of a document. The bytes are checked and sealed before the transaction, and written before the
 * application is locked, so that neither a connection nor the lock waits for work of this process.
 */
function uploadDocument(
  bank: BankParts,
  uploads: ConcurrencyLimit,
  write: Write<Document>,
  input: UploadDocumentInput,
  operationId: Upload,
): Promise<Answer> {
  const { organisationId } = write.caller
  const side = operationId === 'uploadDocumentFront' ? 'front' : 'back'
  const status = bank.review === 'automatic' ? 'Approved' : 'PendingReview'
  return uploads(organisationId, async () => {
    const documentId = idNumber(input.documentId)
    const sealedContent = await sealedFile(bank, organisationId, input, side)
    const newCustomerId = await bank.ids.next()
    return bank.runOnce.transaction(write, async (transaction, events) => {
      // An upload that is going to be refused is refused before its bytes are sent to the database.
      const found = await findApplication(transaction, organisationId, idNumber(input.applicationId))
      requireDocument(found, found?.documents ?? [], documentId, operationId)
      if (sealedContent instanceof Problem) throw sealedContent
      await putFile(transaction, { documentId, side, contentType: input.contentType, sealedContent })
      const locked = await lockDocument(transaction, organisationId, input, operationId)
      return changeDocument(transaction, events, locked, { status, reason: null, newCustomerId })
    })
  })
}

/** Approves or rejects a document that is not reviewed since its last upload. */
export async function reviewDocument(
  { ids, runOnce }: BankParts,
  write: Write<Document>,
  input: ReviewInput,
  operationId: Decision,
): Promise<Answer> {
  const newCustomerId = await ids.next()
  return runOnce.transaction(write, async (transaction, events) => {
    const locked = await lockDocument(transaction, write.caller.organisationId, input, operationId)
    const status = stateAfter(documentRules, operationId, locked.document.status)
    const reason = status === 'Invalid' ? (input.reason ?? null) : null
    const { document, application } = locked
    const action = status === 'Invalid' ? 'document.rejected' : 'document.approved'
    const decision = { action, recordId: document.id, subjectId: application.id, reason: input.reason } as const
    await keepReason(transaction, write, decision)
    return changeDocument(transaction, events, locked, { status, reason, newCustomerId })
  })
}

interface LockedDocument {
  application: ApplicationRow
  /** All documents of the application. */
  documents: DocumentRow[]
  document: DocumentRow
}

/** Locks an application and its documents, and checks that the operation is allowed. */
async function lockDocument(
  transaction: Queryable,
  organisationId: number,
  { applicationId, documentId }: { applicationId: string; documentId: string },
  operationId: DocumentOperation,
): Promise<LockedDocument> {
  const application = await lockApplication(transaction, organisationId, idNumber(applicationId))
  const documents = application ? await lockDocuments(transaction, application.id) : []
  return requireDocument(application, documents, idNumber(documentId), operationId)
}

/** Finds a document in its application, or throws the refusal of the operation. */
function requireDocument(
  application: ApplicationRow | undefined,
  documents: DocumentRow[],
  documentId: number,
  operationId: DocumentOperation,
): LockedDocument {
  if (!application) throw new Problem('application_not_found')
  if (application.erased) throw new Problem('customer_erased')
  const document = documents.find(({ id }) => id === documentId)
  if (!document) throw new Problem('document_not_found')
  requireAllowed(applicationRules, operationId, application.status)
  requireAllowed(documentRules, operationId, document.status)
  return { application, documents, document }
}

/** Changes a locked document, and the application as far as its documents decide its status. */
async function changeDocument(
  transaction: Queryable,
  events: EventSink,
  { application, documents, document }: LockedDocument,
  change: { status: DocumentStatus; reason: string | null; newCustomerId: number },
): Promise<Document> {
  const { status, reason, newCustomerId } = change
  const changed = await updateDocument(transaction, { ...document, status, reason })
  const shown = documentOf(changed)
  const outcome = changed.status === document.status ? undefined : reviewEventOf[changed.status]
  if (outcome) emitSealed(events, application.id, outcome, changed.version, shown)
  const now = documents.map((each) => (each.id === changed.id ? changed : each))
  await followDocuments(transaction, events, { row: application, documents: now }, newCustomerId)
  return shown
}

/** Checks and seals the bytes of an upload; returns the refusal if they are not of their declared type. */
async function sealedFile(
  { mode, seals }: BankParts,
  organisationId: number,
  { documentId, content, contentType }: UploadDocumentInput,
  side: 'front' | 'back',
): Promise<Buffer | Problem> {
  const mismatch = await typeMismatch(mode, content, contentType)
  if (mismatch !== undefined) return new Problem('content_type_mismatch', { detail: mismatch })
  const seal = await seals.of(organisationId)
  return seal.seal(content, {
    table: 'document_file',
    row: `${idNumber(documentId)}/${side}`,
    column: 'sealed_content',
  })
}

/** Says how the bytes contradict their declared type. The sandbox accepts bytes of no known type: files are made up there. */
async function typeMismatch(
  mode: BankParts['mode'],
  content: Buffer,
  contentType: ContentType,
): Promise<string | undefined> {
  const mismatch = await contentMismatch(content, contentType)
  if (mismatch || mode === 'sandbox' || (await isKnownContent(content))) return mismatch
  return `The bytes of the file are not ${contentType}.`
}
