import { StartupError } from '../base/startup-error.ts'
import type { Database, Queryable } from '../database/database.ts'
import type { RecordIds } from '../database/record-ids.ts'
import { findEpoch, findOrganisation, insertOrganisation, listOrganisations } from './organisations.sql.ts'

export { wakeOrganisation } from './organisations.sql.ts'

/** Finds or creates the organisation of this name. Bank time of a new one starts so many days in the past. */
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

/** Whether a database has the whole organisation since its latest move. The rows of one that arrives are there before that. */
export async function hasArrived(database: Queryable, id: number, epoch: number): Promise<boolean> {
  return ((await findEpoch(database, id)) ?? -1) >= epoch
}

/** Returns the only organisation. A connector has one credential, so that its data belongs to one organisation. */
export async function requireOneOrganisation(database: Database): Promise<number> {
  const [only, ...others] = await listOrganisations(database, 2)
  if (only !== undefined && others.length === 0) return only
  throw new StartupError(
    'a connector serves one organisation and the database holds more: give it a database of its own',
  )
}
