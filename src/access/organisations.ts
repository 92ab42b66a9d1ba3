import { StartupError } from '../base/startup-error.ts'
import type { Database } from '../database/database.ts'
import type { RecordIds } from '../database/record-ids.ts'
import { findOrganisation, insertOrganisation, listOrganisations } from './organisations.sql.ts'

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

/** A connector has one credential: what it reaches belongs to one organisation, which is answered. */
export async function requireOneOrganisation(database: Database): Promise<number> {
  const [only, ...others] = await listOrganisations(database, 2)
  if (only !== undefined && others.length === 0) return only
  throw new StartupError(
    'a connector serves one organisation and the database holds more: give it a database of its own',
  )
}
