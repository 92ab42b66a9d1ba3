import type { Address } from '../../banking/address.ts'
import type { ApplicationStatus } from '../../banking/applications/application.ts'
import type { ContentType, Document, DocumentStatus } from '../../banking/applications/document.ts'
import type { Queryable } from '../../database/database.ts'
import { isOfOrganisation, type ListWindow, listRows, type OwnFilter, period } from '../../database/lists.ts'
import { applicationMatches } from './matches.sql.ts'

export interface ApplicationRow {
  id: number
  organisationId: number
  createdAt: string
  status: ApplicationStatus
  name: string
  email: string
  phone: string
  address: Address
  customerId: number | null
  /** Whether a person has to decide, whatever the documents. */
  needsDecision: boolean
  version: number
  erased: boolean
}

/** The columns of a new application that nothing but its insertion and its reviewer see. */
interface NewApplicationColumns {
  dateOfBirth: string
  sealedSsn: Buffer
  ssnDigest: Buffer
  screening: string | null
}

export interface DocumentRow {
  id: number
  documentType: Document['documentType']
  status: DocumentStatus
  reason: string | null
  version: number
}

const columns = `id, organisation_id as "organisationId", created_at as "createdAt", status, name, email, phone, address,
  customer_id as "customerId", needs_decision as "needsDecision", version,
  exists (select from customer_key k where k.id = application.id and k.data_key is null) as erased`
const documentColumns = `id, document_type as "documentType", status, reason, version`

/** Whether a day has begun in the organisation's bank time. */
export async function hasBegun(database: Queryable, organisationId: number, day: string): Promise<boolean> {
  const [row] = await database.query<{ begun: boolean }>(`select $2::date <= bank_time($1::bigint)::date as begun`, [
    organisationId,
    day,
  ])
  return row?.begun ?? false
}

export async function insertApplication(
  transaction: Queryable,
  application: Omit<ApplicationRow, 'createdAt' | 'version' | 'erased'> & NewApplicationColumns,
): Promise<ApplicationRow> {
  const [row] = await transaction.query<ApplicationRow>(
    `insert into application (id, organisation_id, created_at, status, name, date_of_birth, sealed_ssn, email, phone,
       address, customer_id, needs_decision, screening, ssn_digest)
     values ($1::bigint, $2::bigint, bank_time($2), $3::text, $4::text, $5::date, $6::bytea, $7::text, $8::text,
       $9::json, $10::bigint, $11::boolean, $12::text, $13::bytea)
     returning ${columns}`,
    [
      application.id,
      application.organisationId,
      application.status,
      application.name,
      application.dateOfBirth,
      application.sealedSsn,
      application.email,
      application.phone,
      JSON.stringify(application.address),
      application.customerId,
      application.needsDecision,
      application.screening,
      application.ssnDigest,
    ],
  )
  if (!row) throw new Error('an insert returned no row')
  return row
}

/** Reads an application with its documents in one statement, so that both are of the same moment. */
export async function findApplication(
  database: Queryable,
  organisationId: number,
  id: number,
): Promise<(ApplicationRow & { documents: DocumentRow[] }) | undefined> {
  const [row] = await database.query<ApplicationRow & { documents: DocumentRow[] }>(
    `select ${columns}, array(
       select json_build_object('id', d.id, 'documentType', d.document_type, 'status', d.status, 'reason', d.reason,
         'version', d.version)
       from document d where d.application_id = application.id order by d.id) as documents
     from application where organisation_id = $1::bigint and id = $2::bigint`,
    [organisationId, id],
  )
  return row
}

export function listApplicationRows(
  database: Queryable,
  filter: OwnFilter,
  page: ListWindow,
): Promise<ApplicationRow[]> {
  const filters = {
    always: [isOfOrganisation],
    along: [...period, applicationMatches('$search::text')],
    matching: ['status = $status::text'],
  }
  return listRows(database, `select ${columns} from application`, filters, filter, page)
}

export async function lockApplication(
  transaction: Queryable,
  organisationId: number,
  id: number,
): Promise<ApplicationRow | undefined> {
  const [row] = await transaction.query<ApplicationRow>(
    `select ${columns} from application where organisation_id = $1::bigint and id = $2::bigint for no key update`,
    [organisationId, id],
  )
  return row
}

export async function updateApplicationStatus(
  transaction: Queryable,
  id: number,
  status: ApplicationStatus,
  customerId: number | null,
): Promise<ApplicationRow> {
  const [row] = await transaction.query<ApplicationRow>(
    `update application set status = $2::text, customer_id = $3::bigint, version = version + 1 where id = $1::bigint
     returning ${columns}`,
    [id, status, customerId],
  )
  if (!row) throw new Error('an update of a locked application returned no row')
  return row
}

export async function insertDocument(
  transaction: Queryable,
  document: { id: number; organisationId: number; applicationId: number; documentType: Document['documentType'] },
): Promise<DocumentRow> {
  const [row] = await transaction.query<DocumentRow>(
    `insert into document (id, organisation_id, application_id, document_type, status)
     values ($1::bigint, $2::bigint, $3::bigint, $4::text, 'Required')
     returning ${documentColumns}`,
    [document.id, document.organisationId, document.applicationId, document.documentType],
  )
  if (!row) throw new Error('an insert returned no row')
  return row
}

export function lockDocuments(transaction: Queryable, applicationId: number): Promise<DocumentRow[]> {
  return transaction.query(
    `select ${documentColumns} from document where application_id = $1::bigint order by id for no key update`,
    [applicationId],
  )
}

export async function updateDocument(
  transaction: Queryable,
  { id, status, reason }: Omit<DocumentRow, 'version'>,
): Promise<DocumentRow> {
  const [row] = await transaction.query<DocumentRow>(
    `update document set status = $2::text, reason = $3::text, version = version + 1 where id = $1::bigint
     returning ${documentColumns}`,
    [id, status, reason],
  )
  if (!row) throw new Error('an update of a locked document returned no row')
  return row
}

/** Stores one side of a document in place of an earlier upload. */
export async function putFile(
  transaction: Queryable,
  file: { documentId: number; side: 'front' | 'back'; contentType: ContentType; sealedContent: Buffer },
): Promise<void> {
  await transaction.query(
    `insert into document_file (document_id, organisation_id, side, content_type, sealed_content, uploaded_at)
     select id, organisation_id, $2::text, $3::text, $4::bytea, bank_time(organisation_id) from document where id = $1::bigint
     on conflict (document_id, side) do update set content_type = excluded.content_type,
       sealed_content = excluded.sealed_content, uploaded_at = excluded.uploaded_at, version = document_file.version + 1`,
    [file.documentId, file.side, file.contentType, file.sealedContent],
  )
}

/** The id of the application that a document belongs to. */
export async function findApplicationOf(
  database: Queryable,
  organisationId: number,
  documentId: number,
): Promise<number | undefined> {
  const [row] = await database.query<{ id: number }>(
    `select application_id as id from document where organisation_id = $1::bigint and id = $2::bigint`,
    [organisationId, documentId],
  )
  return row?.id
}
