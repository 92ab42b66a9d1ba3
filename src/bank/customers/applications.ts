import {
  type Application,
  type ApplicationStatus,
  applicationRules,
  type ListedApplication,
  statusAfterDocuments,
} from '../../banking/applications/application.ts'
import type { CreateApplicationInput } from '../../banking/applications/create-application.ts'
import type { Document } from '../../banking/applications/document.ts'
import type { ListApplicationsQuery } from '../../banking/applications/list-applications.ts'
import type { BankingProvider } from '../../banking/provider.ts'
import { stateAfter } from '../../banking/state-rules.ts'
import { idNumber } from '../../base/ids.ts'
import type { Answer, Caller, Write } from '../../base/operation.ts'
import { type Page, pageWindow, toCursorPage } from '../../base/page.ts'
import { invalidRequest, Problem } from '../../base/problem.ts'
import type { Queryable } from '../../database/database.ts'
import { type EventSink, type EventType, emitSealed } from '../../events/event.ts'
import type { ApplicationDecision } from '../../review/review.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { keepReason } from '../screening/decision-reasons.ts'
import { ssnDigest } from '../screening/same-people.ts'
import { type Screened, screen } from '../screening/screening.ts'
import {
  type ApplicationRow,
  type DocumentRow,
  findApplication,
  hasBegun,
  insertApplication,
  insertDocument,
  listApplicationRows,
  lockApplication,
  lockDocuments,
  updateApplicationStatus,
} from './applications.sql.ts'
import { insertCustomer } from './customers.sql.ts'
import { customerOf } from './customers.ts'

/** The operations that decide about an application, and the events of the decisions. */
type Decision = 'approveApplication' | 'denyApplication' | 'approveReviewApplication' | 'denyReviewApplication'

/** The outcome of an application in the sandbox, by its SSN. None of these numbers was ever issued. */
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

export function applicationsOf(bank: BankParts) {
  return {
    createApplication: (write, input) => createApplication(bank, write, input),
    getApplication: (caller, applicationId) => getApplication(bank, caller, applicationId),
    listApplications: (caller, query) => listApplications(bank, caller, query),
    approveApplication: (write, applicationId) =>
      decideApplication(bank, write, { applicationId }, 'approveApplication'),
    denyApplication: (write, applicationId) => decideApplication(bank, write, { applicationId }, 'denyApplication'),
  } satisfies Partial<BankingProvider & Sandbox>
}

async function createApplication(
  bank: BankParts,
  write: Write<Application>,
  { dateOfBirth, ssn, name, email, phone, address }: CreateApplicationInput,
): Promise<Answer> {
  const { ids, runOnce, seals } = bank
  const person = { name, email, phone, address }
  const { organisationId } = write.caller
  const id = await ids.next()
  const newCustomerId = await ids.next()
  const documentId = await ids.next()
  const seal = await seals.of(organisationId)
  const sealedSsn = seal.seal(ssn, { table: 'application', row: id, column: 'sealed_ssn' })
  const question = { applicationId: String(id), ...person, dateOfBirth, ssnLastDigits: ssn.slice(-4) }

  async function work(transaction: Queryable, events: EventSink, screened: Screened | undefined): Promise<Application> {
    await requireBegun(transaction, organisationId, dateOfBirth)
    const { status, needsDecision } = firstStateOf(bank, ssn, screened)
    const customer = { id: newCustomerId, organisationId, ...person }
    const customerId = status === 'Approved' ? await createApprovedCustomer(transaction, events, customer) : null
    const screening = screened?.outcome ?? null
    const application = { id, organisationId, status, dateOfBirth, customerId, needsDecision, screening }
    const numbers = { sealedSsn, ssnDigest: ssnDigest(seal, ssn) }
    const row = await insertApplication(transaction, { ...application, ...numbers, ...person })
    const reason = screened?.reason
    await keepReason(transaction, write, { action: 'application.created', recordId: id, subjectId: id, reason })
    const required = { id: documentId, organisationId, applicationId: id, documentType: 'Passport' as const }
    const documents = status === 'AwaitingDocuments' ? [await insertDocument(transaction, required)] : []
    return emitSealed(events, row.id, 'application.created', row.version, applicationOf(row, documents))
  }

  if (!bank.screening) return runOnce.transaction(write, (transaction, events) => work(transaction, events, undefined))
  return runOnce.transactionAfter(write, () => screenPerson(bank, write.caller, question), work)
}

/** Screens a person. A request that is going to be refused is refused before anybody is asked. */
async function screenPerson(
  bank: BankParts,
  { organisationId }: Caller,
  person: { dateOfBirth: string },
): Promise<Screened | undefined> {
  await requireBegun(bank.database, organisationId, person.dateOfBirth)
  return screen(bank, organisationId, { type: 'application.requested', data: person })
}

async function requireBegun(database: Queryable, organisationId: number, dateOfBirth: string): Promise<void> {
  if (await hasBegun(database, organisationId, dateOfBirth)) return
  const message = 'dateOfBirth must not be in the future'
  throw invalidRequest([{ pointer: '/dateOfBirth', code: 'out_of_range', message }])
}

/** The first status of an application, and whether a person has to decide, whatever its documents. */
function firstStateOf(
  { mode, review }: BankParts,
  ssn: string,
  screened: Screened | undefined,
): { status: ApplicationStatus; needsDecision: boolean } {
  const magic = mode === 'sandbox' ? magicSsns[ssn] : undefined
  if (screened?.outcome === 'refuse') return { status: 'Denied', needsDecision: false }
  const needsDecision = screened?.outcome === 'review' || (magic === undefined && review === 'manual')
  const first = magic ?? 'Approved'
  return { status: needsDecision && first === 'Approved' ? 'PendingReview' : first, needsDecision }
}

async function getApplication(
  { database }: BankParts,
  { organisationId }: Caller,
  applicationId: string,
): Promise<Application> {
  const row = await findApplication(database, organisationId, idNumber(applicationId))
  if (!row) throw new Problem('application_not_found')
  return applicationOf(row, row.documents)
}

async function listApplications(
  { database }: BankParts,
  { organisationId }: Caller,
  query: ListApplicationsQuery,
): Promise<Page<ListedApplication>> {
  const page = pageWindow(query)
  const filter = { ...query, organisationId, search: query.search?.trim() }
  const rows = await listApplicationRows(database, filter, page)
  return toCursorPage(rows, page.limit, listedApplication)
}

/** Approves or denies an application that is not decided yet. */
export async function decideApplication(
  { ids, runOnce }: BankParts,
  write: Write<Application>,
  { applicationId, reason }: ApplicationDecision,
  operationId: Decision,
): Promise<Answer> {
  const newCustomerId = await ids.next()
  return runOnce.transaction(write, async (transaction, events) => {
    const row = await lockApplication(transaction, write.caller.organisationId, idNumber(applicationId))
    if (!row) throw new Problem('application_not_found')
    const status = stateAfter(applicationRules, operationId, row.status)
    const documents = await lockDocuments(transaction, row.id)
    await keepReason(transaction, write, { action: eventOf[status], recordId: row.id, subjectId: row.id, reason })
    return changeApplicationStatus(transaction, events, { row, documents }, { status, newCustomerId })
  })
}

/** Moves a locked application to the status that its documents bring it to. */
export async function followDocuments(
  transaction: Queryable,
  events: EventSink,
  application: { row: ApplicationRow; documents: DocumentRow[] },
  newCustomerId: number,
): Promise<void> {
  const { row, documents } = application
  const status = statusAfterDocuments(
    row.status,
    documents.map((document) => document.status),
    row.needsDecision,
  )
  if (status === row.status) return
  await changeApplicationStatus(transaction, events, application, { status, newCustomerId })
}

/** Changes the status of a locked application. An approval creates the customer. */
export async function changeApplicationStatus(
  transaction: Queryable,
  events: EventSink,
  { row, documents }: { row: ApplicationRow; documents: DocumentRow[] },
  { status, newCustomerId }: { status: ApplicationStatus; newCustomerId: number },
): Promise<Application> {
  const { organisationId, name, email, phone, address } = row
  const person = { id: newCustomerId, organisationId, name, email, phone, address }
  const customerId = status === 'Approved' ? await createApprovedCustomer(transaction, events, person) : null
  const changed = await updateApplicationStatus(transaction, row.id, status, customerId)
  return emitSealed(events, row.id, eventOf[status], changed.version, applicationOf(changed, documents))
}

/** Creates the customer of an approved application. Its event precedes that of the application, which names it. */
async function createApprovedCustomer(
  transaction: Queryable,
  events: EventSink,
  person: Parameters<typeof insertCustomer>[1],
): Promise<number> {
  const row = await insertCustomer(transaction, person)
  emitSealed(events, row.id, 'customer.created', row.version, customerOf(row))
  return row.id
}

function applicationOf(row: ApplicationRow, documents: DocumentRow[]): Application {
  return { ...listedApplication(row), documents: documents.map(documentOf) }
}

function listedApplication(row: ApplicationRow): ListedApplication {
  return {
    id: String(row.id),
    status: row.status,
    createdAt: row.createdAt,
    name: row.name,
    email: row.email,
    ...(row.customerId && { customerId: String(row.customerId) }),
  }
}

export function documentOf({ id, documentType, status, reason }: DocumentRow): Document {
  const instruction = 'Upload the photo page of the passport.'
  const description = reason === null ? instruction : `${instruction} Rejected: ${reason}`
  return { id: String(id), documentType, status, description }
}
