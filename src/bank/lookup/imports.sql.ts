import type { Queryable } from '../../database/database.ts'
import type { OrganisationImport } from '../../tools/list-imports.ts'

export function listImports(database: Queryable, organisationId: number): Promise<OrganisationImport[]> {
  return database.query(
    `select case when record_id is null then 'files' else 'archive' end as source, imported_at as "importedAt",
       figures, head as sequence, encode(link, 'hex') as link
     from organisation_import where id = $1::bigint`,
    [organisationId],
  )
}

/** The ids of the records that had an id, or an account number, in the former system. */
export async function findFormer(database: Queryable, organisationId: number, former: string): Promise<number[]> {
  const rows = await database.query<{ id: number }>(
    `select distinct id from former_id where organisation_id = $1::bigint and former = $2::text
       and kind in ('customer', 'account', 'externalAccount', 'card', 'transaction')`,
    [organisationId, former],
  )
  return rows.map(({ id }) => id)
}
