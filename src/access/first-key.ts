import { sha256 } from '../base/sha256.ts'
import { StartupError } from '../base/startup-error.ts'
import type { Database } from '../database/database.ts'
import type { RecordIds } from '../database/record-ids.ts'
import {
  configuredHashes,
  existsUsableKey,
  findFirstKey,
  insertFirstKey,
  revokeOtherConfiguredKeys,
} from './api-keys.sql.ts'
import { ensureOrganisation } from './organisations.ts'

/** The first key and its source: the environment, or the data folder, for which it was generated. */
export type FirstKey = { source: 'configured' | 'generated'; key: string }

export interface EnsuredKey {
  organisationId: number
  /** Why the key does not work, for the operator; undefined where it works. */
  warning: string | undefined
}

/**
 * Ensures that the first organisation and its first key exist. A configured key replaces the one configured before, which
 * stops working; generated keys live side by side, since each data folder has its own. A key that was revoked or rotated
 * by request stays so: a leaked key must not come back with a restart. Nor may a caller's request fail the next start, so
 * that the service starts without the key as long as any full key works.
 */
export async function ensureFirstKey(
  database: Database,
  ids: RecordIds,
  { source, key }: FirstKey,
  daysBack: number,
): Promise<EnsuredKey> {
  const organisationId = await ensureOrganisation(database, ids, 'default', daysBack)
  const hash = sha256(key)
  const id = await ids.next()
  const warning = await database.transaction(async (transaction) => {
    const existing = await findFirstKey(transaction, hash)
    if (existing?.ended) {
      if (await existsUsableKey(transaction, true)) return remedies[source]
      throw new StartupError(remedies[source])
    }
    // Rotated and still in its grace: it works, and the key that replaced it must go on working.
    if (existing?.current === false) return undefined
    await insertFirstKey(transaction, { id, organisationId, source, hash })
    if (source === 'configured') await revokeOtherConfiguredKeys(transaction, hash)
    return undefined
  })
  return { organisationId, warning }
}

const remedies = {
  configured: 'the key in PURSER_API_KEY was revoked, was rotated or has expired: set another one',
  generated:
    'the key in the file api-key of the data folder was revoked or rotated: delete the file, and the next start makes another',
}

/** The hashes of the keys that came from the environment, of any process on this database. */
export function findConfigured(database: Database): Promise<Buffer[]> {
  return configuredHashes(database)
}

/** Whether any organisation has a key that works. */
export function hasUsableKey(database: Database): Promise<boolean> {
  return existsUsableKey(database, false)
}
