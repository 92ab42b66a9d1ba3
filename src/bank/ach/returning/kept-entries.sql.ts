import { bigint, bytea, rowSet } from '../../../database/arrays.ts'
import type { Queryable } from '../../../database/database.ts'

/** Received payments that can still be returned and whose entry is only in a file of this database that is all organisations'. */
const lacking = `
  received_payment r join ach_file f on f.id = r.file_id
  where r.organisation_id = $1::bigint and r.sealed_entry is null and r.status <> 'Returned'
    and f.organisation_id is null and not f.arrived`

/** The first file after an id that has such received payments. */
export async function nextFileToKeep(
  database: Queryable,
  organisationId: number,
  after: number,
): Promise<number | undefined> {
  const [row] = await database.query<{ id: number | null }>(
    `select min(f.id) as id from ${lacking} and f.id > $2::bigint`,
    [organisationId, after],
    'once',
  )
  return row?.id ?? undefined
}

export function linesToKeep(
  database: Queryable,
  organisationId: number,
  fileId: number,
): Promise<{ id: number; line: number }[]> {
  return database.query(
    `select r.id, r.line from ${lacking} and f.id = $2::bigint order by r.id`,
    [organisationId, fileId],
    'once',
  )
}

const sealedRows = rowSet<{ id: number; sealedEntry: Buffer }>({
  id: bigint(({ id }) => id),
  sealed_entry: bytea(({ sealedEntry }) => sealedEntry),
})

export async function keepSealed(database: Queryable, entries: { id: number; sealedEntry: Buffer }[]): Promise<void> {
  await database.query(
    `update received_payment r set sealed_entry = n.sealed_entry from (${sealedRows.select}) n where r.id = n.id`,
    sealedRows.values(entries),
    'once',
  )
}
