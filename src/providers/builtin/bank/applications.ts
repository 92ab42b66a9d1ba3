import {
  type Application,
  type ApplicationStatus,
  isUndecided,
  statusAfterDocuments,
} from '../../../banking/applications/application.ts'
import {
  type ContentType,
  type Document,
  type DocumentStatus,
  isReviewable,
  type UploadDocumentInput,
} from '../../../banking/applications/document.ts'
import type { BankingProvider } from '../../../banking/provider.ts'
import { contentMismatch, isKnownContent } from '../../../base/file-content.ts'
import { idNumber } from '../../../base/ids.ts'
import type { Answer, Write } from '../../../base/operation.ts'
import { invalidRequest, Problem } from '../../../base/problem.ts'
import type { Queryable } from '../../../database/database.ts'
import { type EventSink, type EventType, emit } from '../../../events/event.ts'
import type { ReviewInput } from '../../../sandbox/review.ts'
import type { Sandbox } from '../../../sandbox/sandbox.ts'
import type { BankParts } from '../bank-parts.ts'
import {
  type ApplicationRow,
  type DocumentRow,
  findApplication,
  hasBegun,
  insertApplication,
  insertDocument,
  lockApplication,
  lockDocuments,
  putFile,
  updateApplicationStatus,
  updateDocument,
} from './applications.sql.ts'
import { insertCustomer } from './customers.sql.ts'
import { customerOf } from './customers.ts'

type Applications = Required<
  Pick<BankingProvider, 'createApplication' | 'getApplication' | 'uploadDocumentFront' | 'uploadDocumentBack'>
> &
  Pick<Sandbox, 'approveApplication' | 'denyApplication' | 'approveDocument' | 'rejectDocument'>

/** What becomes of an application in the sandbox, by its SSN; no such number was ever issued. */
const magicSsns: Record<string, ApplicationStatus> = {
  '000000001': 'Denied',
  '000000003': 'AwaitingDocuments',
  '000000004': 'PendingReview',
}

const eventOf: Record<ApplicationStatus, EventType> = {
  AwaitingDocuments: 'application.awaitingDocuments',
  PendingReview: 'application.pendingReview',
  Approved: 'application.approved',
  Denied: 'application.denied',
}

/** What a review can come to; the steps before it are not told. */
const reviewEventOf: Partial<Record<DocumentStatus, EventType>> = {
  Approved: 'document.approved',
  Invalid: 'document.rejected',
}

export function applicationsOf({ database, ids, runOnce, seal, mode, review }: BankParts): Applications {
  /** The customer that an approval brings, told of before the application that names it. */
  async function approvedCustomer(
    transaction: Queryable,
    events: EventSink,
    person: Parameters<typeof insertCustomer>[1],
  ): Promise<number> {
    const row = await insertCustomer(transaction, person)
    emit(events, 'customer.created', row.version, customerOf(row))
    return row.id
  }

  /** Moves an application that is locked; with its approval the customer comes to be. */
  async function moveApplication(
    transaction: Queryable,
    events: EventSink,
    { row, documents }: { row: ApplicationRow; documents: DocumentRow[] },
    { status, newCustomerId }: { status: ApplicationStatus; newCustomerId: number },
  ): Promise<Application> {
    if (status === row.status) return application(row, documents)
    const { organisationId, name, email, phone, address } = row
    const person = { id: newCustomerId, organisationId, name, email, phone, address }
    const customerId = status === 'Approved' ? await approvedCustomer(transaction, events, person) : null
    const moved = await updateApplicationStatus(transaction, row.id, status, customerId)
    return emit(events, eventOf[status], moved.version, application(moved, documents))
  }

  async function decide(
    write: Write<Application>,
    applicationId: string,
    status: 'Approved' | 'Denied',
  ): Promise<Answer> {
    const newCustomerId = await ids.next()
    return runOnce.transaction(write, async (transaction, events) => {
      const row = await lockApplication(transaction, write.caller.organisationId, idNumber(applicationId))
      if (!row) throw new Problem('application_not_found')
      if (!isUndecided(row.status)) throw new Problem('application_wrong_state')
      const documents = await lockDocuments(transaction, row.id)
      return moveApplication(transaction, events, { row, documents }, { status, newCustomerId })
    })
  }

  /** Changes one document, and moves the application to where its documents have brought it. */
  async function changeDocument(
    write: Write<Document>,
    { applicationId, documentId }: { applicationId: string; documentId: string },
    change: (transaction: Queryable, row: DocumentRow) => DocumentRow | Promise<DocumentRow>,
  ): Promise<Answer> {
    const newCustomerId = await ids.next()
    return runOnce.transaction(write, async (transaction, events) => {
      const owner = await lockApplication(transaction, write.caller.organisationId, idNumber(applicationId))
      if (!owner) throw new Problem('application_not_found')
      const rows = await lockDocuments(transaction, owner.id)
      const row = rows.find(({ id }) => id === idNumber(documentId))
      if (!row) throw new Problem('document_not_found')
      if (owner.status === 'Denied') throw new Problem('application_wrong_state')
      const changed = await updateDocument(transaction, await change(transaction, row))
      const shown = document(changed)
      const outcome = changed.status === row.status ? undefined : reviewEventOf[changed.status]
      if (outcome) emit(events, outcome, changed.version, shown)
      const documents = rows.map((each) => (each.id === changed.id ? changed : each))
      const statuses = documents.map(({ status }) => status)
      const status = statusAfterDocuments(owner.status, statuses)
      await moveApplication(transaction, events, { row: owner, documents }, { status, newCustomerId })
      return shown
    })
  }

  async function upload(
    write: Write<Document>,
    { content, contentType, ...names }: UploadDocumentInput,
    side: 'front' | 'back',
  ): Promise<Answer> {
    const mismatch = await typeMismatch(content, contentType)
    return changeDocument(write, names, async (transaction, row) => {
      if (mismatch) throw new Problem('content_type_mismatch', { detail: mismatch })
      const place = { table: 'document_file', row: `${row.id}/${side}`, column: 'sealed_content' }
      const sealedContent = seal.seal(content, place)
      await putFile(transaction, { documentId: row.id, side, contentType, sealedContent })
      return { ...row, status: review === 'automatic' ? 'Approved' : 'PendingReview', reason: null }
    })
  }

  /** Tells bytes of another type by their content. What no one knows passes in the sandbox, where files are made up. */
  async function typeMismatch(content: Buffer, contentType: ContentType): Promise<string | undefined> {
    const mismatch = await contentMismatch(content, contentType)
    if (mismatch || mode === 'sandbox' || (await isKnownContent(content))) return mismatch
    return `The bytes of the file are not ${contentType}.`
  }

  function reviewed(write: Write<Document>, { reason, ...names }: ReviewInput, status: 'Approved' | 'Invalid') {
    return changeDocument(write, names, (_transaction, row) => {
      if (!isReviewable(row.status)) throw new Problem('document_wrong_state')
      return { ...row, status, reason: status === 'Invalid' ? (reason ?? null) : null }
    })
  }

  return {
    async createApplication(write, { dateOfBirth, ssn, ...person }) {
      const { organisationId } = write.caller
      const id = await ids.next()
      const newCustomerId = await ids.next()
      const documentId = await ids.next()
      const status = (mode === 'sandbox' ? magicSsns[ssn] : undefined) ?? 'Approved'
      const sealedSsn = seal.seal(ssn, { table: 'application', row: id, column: 'sealed_ssn' })
      return runOnce.transaction(write, async (transaction, events) => {
        if (!(await hasBegun(transaction, organisationId, dateOfBirth))) {
          const message = 'dateOfBirth must not be in the future'
          throw invalidRequest([{ pointer: '/dateOfBirth', code: 'out_of_range', message }])
        }
        const customer = { id: newCustomerId, organisationId, ...person }
        const customerId = status === 'Approved' ? await approvedCustomer(transaction, events, customer) : null
        const row = await insertApplication(transaction, {
          id,
          organisationId,
          status,
          dateOfBirth,
          sealedSsn,
          customerId,
          ...person,
        })
        const asked = { id: documentId, organisationId, applicationId: id, documentType: 'Passport' as const }
        const documents = status === 'AwaitingDocuments' ? [await insertDocument(transaction, asked)] : []
        return emit(events, 'application.created', row.version, application(row, documents))
      })
    },

    async getApplication({ organisationId }, applicationId) {
      const row = await findApplication(database, organisationId, idNumber(applicationId))
      if (!row) throw new Problem('application_not_found')
      return application(row, row.documents)
    },

    uploadDocumentFront: (write, input) => upload(write, input, 'front'),
    uploadDocumentBack: (write, input) => upload(write, input, 'back'),
    approveApplication: (write, applicationId) => decide(write, applicationId, 'Approved'),
    denyApplication: (write, applicationId) => decide(write, applicationId, 'Denied'),
    approveDocument: (write, input) => reviewed(write, input, 'Approved'),
    rejectDocument: (write, input) => reviewed(write, input, 'Invalid'),
  }
}

function application(row: ApplicationRow, documents: DocumentRow[]): Application {
  return {
    id: String(row.id),
    status: row.status,
    createdAt: row.createdAt,
    name: row.name,
    email: row.email,
    ...(row.customerId && { customerId: String(row.customerId) }),
    documents: documents.map(document),
  }
}

function document({ id, documentType, status, reason }: DocumentRow): Document {
  const asked = 'Upload the photo page of the passport.'
  return { id: String(id), documentType, status, description: reason === null ? asked : `${asked} Rejected: ${reason}` }
}
