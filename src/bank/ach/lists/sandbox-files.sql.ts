import type { Queryable } from '../../../database/database.ts'
import { isOfOrganisation, type ListWindow, listRows, type OwnFilter, period } from '../../../database/lists.ts'

export interface FileRow {
  id: number
  direction: 'out' | 'in'
  state: string
  name: string
  createdAt: string
  entryCount: number
  credits: number
  debits: number
  sha256: Buffer | null
  deliveredAt: string | null
}

const columns = `id, direction, state, name, window_at as "createdAt", entry_count as "entryCount", credits, debits, sha256,
  delivered_at as "deliveredAt"`

/** A file of an organisation. Files of a live bank belong to no organisation. */
export async function findFile(database: Queryable, organisationId: number, id: number): Promise<FileRow | undefined> {
  const [row] = await database.query<FileRow>(
    `select ${columns} from ach_file where id = $2::bigint and organisation_id = $1::bigint`,
    [organisationId, id],
  )
  return row
}

const filters = {
  always: [isOfOrganisation],
  along: period,
  matching: ['direction = any($directions::text[])', 'state = any($states::text[])'],
}

export function listFiles(database: Queryable, filter: OwnFilter, page: ListWindow): Promise<FileRow[]> {
  const select = `select ${columns} from (select *, window_at as created_at from ach_file) f`
  return listRows(database, select, filters, filter, page, 'once')
}

export interface FileContent {
  id: number
  keyOrganisationId: number
  /** Null if it is too large, or there is none. */
  sealedContent: Buffer | null
}

/** The sealed bytes of a file of an organisation, up to a size. */
export async function findContent(
  database: Queryable,
  { organisationId, id, maxBytes }: { organisationId: number; id: number; maxBytes: number },
): Promise<FileContent | undefined> {
  const [row] = await database.query<FileContent>(
    `select id, key_organisation_id as "keyOrganisationId",
       case when octet_length(sealed_content) <= $3::int then sealed_content end as "sealedContent"
     from ach_file where id = $2::bigint and organisation_id = $1::bigint`,
    [organisationId, id, maxBytes],
    'once',
  )
  return row
}
