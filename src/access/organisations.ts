import type { Database } from '../database/database.ts'
import type { RecordIds } from '../database/record-ids.ts'
import { findOrganisation, insertOrganisation } from './organisations.sql.ts'

/** The organisation of this name, made when it is not there yet; its bank time then starts so many days back. */
export async function ensureOrganisation(
  database: Database,
  ids: RecordIds,
  name: string,
  daysBack = 0,
): Promise<number> {
  const found = await findOrganisation(database, name)
  if (found !== undefined) return found
  await insertOrganisation(database, { id: await ids.next(), name, daysBack })
  return ensureOrganisation(database, ids, name, daysBack)
}
