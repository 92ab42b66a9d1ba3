import type { Queryable } from '../../database/database.ts'
import type { DocumentRow } from '../customers/applications.sql.ts'

export interface StoredFile {
  contentType: string
  sealedContent: Buffer
}

/** Counts a look at a document, so that its event has a version of its own. */
export async function countView(
  transaction: Queryable,
  organisationId: number,
  documentId: number,
): Promise<(DocumentRow & { applicationId: number }) | undefined> {
  const [row] = await transaction.query<DocumentRow & { applicationId: number }>(
    `update document set version = version + 1 where organisation_id = $1::bigint and id = $2::bigint
     returning id, document_type as "documentType", status, reason, version, application_id as "applicationId"`,
    [organisationId, documentId],
  )
  return row
}

export async function findFile(
  database: Queryable,
  documentId: number,
  side: 'front' | 'back',
): Promise<StoredFile | undefined> {
  const [row] = await database.query<StoredFile>(
    `select content_type as "contentType", sealed_content as "sealedContent" from document_file
     where document_id = $1::bigint and side = $2::text`,
    [documentId, side],
  )
  return row
}
