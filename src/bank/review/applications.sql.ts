import type { Address } from '../../banking/address.ts'
import type { ApplicationStatus } from '../../banking/applications/application.ts'
import type { Queryable } from '../../database/database.ts'
import { isOfOrganisation, type ListWindow, listRows, period } from '../../database/lists.ts'
import type { DocumentRow } from '../customers/applications.sql.ts'

interface ReviewDocumentRow extends DocumentRow {
  files: { side: 'front' | 'back'; contentType: string; uploadedAt: string }[]
}

export interface ReviewApplicationRow {
  id: number
  createdAt: string
  status: ApplicationStatus
  name: string
  email: string
  phone: string
  address: Address
  dateOfBirth: string
  sealedSsn: Buffer
  screening: string | null
  documents: ReviewDocumentRow[]
}

/** Applications that are not decided, along the index of the queue. */
export function listReviewApplicationRows(
  database: Queryable,
  filter: { organisationId: number; status: string | null; since: string | null; until: string | null },
  page: ListWindow,
): Promise<ReviewApplicationRow[]> {
  return listRows(
    database,
    `select id, created_at as "createdAt", status, name, email, phone, address, date_of_birth::text as "dateOfBirth",
       sealed_ssn as "sealedSsn", screening, array(
         select json_build_object('id', d.id, 'documentType', d.document_type, 'status', d.status, 'reason', d.reason,
           'version', d.version, 'files', array(
             select json_build_object('side', f.side, 'contentType', f.content_type,
               'uploadedAt', to_char(f.uploaded_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
             from document_file f where f.document_id = d.id order by f.side desc))
         from document d where d.application_id = application.id order by d.id) as documents
     from application`,
    queueFilters,
    filter,
    page,
  )
}

const queueFilters = {
  always: [isOfOrganisation, `status in ('AwaitingDocuments', 'PendingReview')`],
  along: period,
  matching: ['status = $status::text'],
}

/** Leaves the decision about a locked application to a person, whatever becomes of its documents. */
export async function leaveToReviewer(transaction: Queryable, id: number): Promise<void> {
  await transaction.query(`update application set needs_decision = true where id = $1::bigint`, [id])
}
