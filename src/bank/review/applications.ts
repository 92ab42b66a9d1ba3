import { applicationRules, requireNoOpenDocument } from '../../banking/applications/application.ts'
import type { Document } from '../../banking/applications/document.ts'
import { stateAfter } from '../../banking/state-rules.ts'
import { idNumber } from '../../base/ids.ts'
import type { Answer, Caller, Write } from '../../base/operation.ts'
import { type Page, pageWindow, toCursorPage } from '../../base/page.ts'
import { Problem } from '../../base/problem.ts'
import { emitSealed } from '../../events/event.ts'
import type { ListReviewApplicationsQuery } from '../../review/list-review-applications.ts'
import type { ApplicationDecision } from '../../review/review.ts'
import type { ReviewApplication, SamePerson } from '../../review/review-application.ts'
import type { Seal } from '../../secrets/seal.ts'
import { insertDocument, lockApplication, lockDocuments } from '../customers/applications.sql.ts'
import { changeApplicationStatus, documentOf } from '../customers/applications.ts'
import type { BankParts } from '../parts/bank-parts.ts'
import { keepReason } from '../screening/decision-reasons.ts'
import { samePeopleOf } from '../screening/same-people.ts'
import { leaveToReviewer, listReviewApplicationRows, type ReviewApplicationRow } from './applications.sql.ts'

export async function listReviewApplications(
  { database, seals }: BankParts,
  { organisationId }: Caller,
  { status, since, until, ...query }: ListReviewApplicationsQuery,
): Promise<Page<ReviewApplication>> {
  const page = pageWindow({ ...query, sort: query.sort ?? 'createdAt' })
  const seal = await seals.of(organisationId)
  const filter = { organisationId, status: status ?? null, since: since ?? null, until: until ?? null }
  const rows = await listReviewApplicationRows(database, filter, page)
  const ids = rows.slice(0, page.limit).map(({ id }) => id)
  const same = await samePeopleOf(database, organisationId, ids)
  return toCursorPage(rows, page.limit, (row) => reviewApplication(row, seal, same.get(row.id) ?? []))
}

function reviewApplication(row: ReviewApplicationRow, seal: Seal, samePeople: SamePerson[]): ReviewApplication {
  const { id, status, createdAt, name, email, dateOfBirth, sealedSsn, phone, address, screening, documents } = row
  const ssn = seal.unseal(sealedSsn, { table: 'application', row: id, column: 'sealed_ssn' }).toString()
  return {
    id: String(id),
    status,
    createdAt,
    name,
    email,
    dateOfBirth,
    ssnLastDigits: ssn.slice(-4),
    phone,
    address,
    samePeople,
    screening,
    documents: documents.map((document) => ({ ...documentOf(document), files: document.files })),
  }
}

/** Adds a document to an application, about which the reviewer then decides. One that waits for a document or its review gets no other. */
export async function requestReviewDocument(
  { ids, runOnce }: BankParts,
  write: Write<Document>,
  { applicationId, reason }: ApplicationDecision,
): Promise<Answer> {
  const { organisationId } = write.caller
  const documentId = await ids.next()
  return runOnce.transaction(write, async (transaction, events) => {
    const row = await lockApplication(transaction, organisationId, idNumber(applicationId))
    if (!row) throw new Problem('application_not_found')
    const before = await lockDocuments(transaction, row.id)
    requireNoOpenDocument({ status: row.status, documents: before })
    const status = stateAfter(applicationRules, 'requestReviewDocument', row.status)
    await leaveToReviewer(transaction, row.id)
    const required = { id: documentId, organisationId, applicationId: row.id, documentType: 'Passport' as const }
    const document = await insertDocument(transaction, required)
    const action = 'document.requested'
    await keepReason(transaction, write, { action, recordId: document.id, subjectId: row.id, reason })
    const shown = emitSealed(events, row.id, action, document.version, documentOf(document))
    const documents = [...before, document]
    if (status !== row.status) {
      await changeApplicationStatus(transaction, events, { row, documents }, { status, newCustomerId: 0 })
    }
    return shown
  })
}
