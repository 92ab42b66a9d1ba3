import { sha256 } from '../base/sha256.ts'
import { StartupError } from '../base/startup-error.ts'
import { type Database, OrganisationEnded, OrganisationMoving, type Queryable } from '../database/database.ts'
import type { RecordIds } from '../database/record-ids.ts'
import {
  configuredHashes,
  existsUsableKey,
  findFirstKey,
  insertFirstKey,
  revokeOtherConfiguredKeys,
} from './api-keys.sql.ts'
import { findFirstOrganisation, holdOrganisation } from './organisations.sql.ts'
import { ensureOrganisation } from './organisations.ts'

/** The first key and its source: the environment, or the data folder, for which it was generated. */
export type FirstKey = { source: 'configured' | 'generated'; key: string }

export interface EnsuredKey {
  /** Undefined if the organisation is in another database, or about to be. */
  organisationId: number | undefined
  /** Why the key does not work, for the operator; undefined if it works. */
  warning: string | undefined
}

/** The organisation of the first key. */
const FIRST = 'default'

/**
 * Ensures in the first database that the first organisation and its first key exist. A configured key replaces the one configured
 * before, which stops working; generated keys live side by side, since each data folder has its own. A key that was revoked
 * or rotated by request stays so: a leaked key must not come back with a restart. Nor may a caller's request fail the next
 * start, so that the service starts without the key as long as any full key works. An organisation that has moved to
 * another database is not made again: `ensureMovedKey` looks after its key there.
 */
export async function ensureFirstKey(
  database: Database,
  ids: RecordIds,
  first: FirstKey,
  daysBack: number,
): Promise<EnsuredKey> {
  const { id, known, leaving } = await findFirstOrganisation(database, FIRST)
  if (id === null && known) return { organisationId: undefined, warning: undefined }
  const organisationId = id ?? (await ensureOrganisation(database, ids, FIRST, daysBack))
  try {
    const warning = await keepKey(database, ids, organisationId, first)
    if (warning === remedies[first.source] && !(await existsUsableKey(database, true))) throw new StartupError(warning)
    return { organisationId: leaving ? undefined : organisationId, warning }
  } catch (error) {
    // It has moved, or another organisation has replaced it by a reset.
    if (error instanceof OrganisationEnded) return ensureFirstKey(database, ids, first, daysBack)
    throw error
  }
}

/**
 * Ensures the same in a further database, if the first organisation has moved there. Returns why the key does not work; the
 * database joins all the same, because it has other organisations.
 */
export async function ensureMovedKey(
  home: Database,
  { database, ids }: { database: Database; ids: RecordIds },
  first: FirstKey,
): Promise<string | undefined> {
  const { id, leaving } = await findFirstOrganisation(home, FIRST)
  if (id !== null && !leaving) return undefined
  const moved = await findFirstOrganisation(database, FIRST)
  try {
    return moved.id === null ? undefined : await keepKey(database, ids, moved.id, first)
  } catch (error) {
    if (error instanceof OrganisationEnded) return ensureMovedKey(home, { database, ids }, first)
    throw error
  }
}

/** Inserts a key that is new. Returns why a key does not work. A key that works is not written: its organisation may be moving. */
async function keepKey(
  database: Database,
  ids: RecordIds,
  organisationId: number,
  { source, key }: FirstKey,
): Promise<string | undefined> {
  const hash = sha256(key)
  const id = await ids.next()
  const work = async (transaction: Queryable) => {
    const existing = await findFirstKey(transaction, hash)
    if (existing?.ended) return remedies[source]
    // Rotated and still in its grace: it works, and the key that replaced it must go on working.
    if (existing?.current === false) return undefined
    if (!existing || existing.revoked) await insertFirstKey(transaction, { id, organisationId, source, hash })
    if (source === 'configured') await revokeOtherConfiguredKeys(transaction, hash)
    if (!(await holdOrganisation(transaction, organisationId))) throw new OrganisationEnded('it has ended meanwhile')
    return undefined
  }
  return database.transaction(work).catch((error: unknown) => {
    if (error instanceof OrganisationMoving) return MOVING
    throw error
  })
}

const remedies = {
  configured: 'the key in PURSER_API_KEY was revoked, was rotated or has expired: set another one',
  generated:
    'the key in the file api-key of the data folder was revoked or rotated: delete the file, and the next start makes another',
}
const MOVING = `the organisation ${FIRST} is being moved to another cell and takes no new key: finish its move, and start again`

/** The hashes of the keys that came from the environment, of any process on this database. */
export function findConfigured(database: Database): Promise<Buffer[]> {
  return configuredHashes(database)
}

/** Whether any organisation has a key that works. */
export function hasUsableKey(database: Database): Promise<boolean> {
  return existsUsableKey(database, false)
}
