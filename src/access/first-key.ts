import { sha256 } from '../base/sha256.ts'
import { StartupError } from '../base/startup-error.ts'
import type { Database } from '../database/database.ts'
import type { RecordIds } from '../database/record-ids.ts'
import {
  configuredHashes,
  countUsableKeys,
  findFirstKey,
  insertFirstKey,
  revokeOtherConfiguredKeys,
} from './api-keys.sql.ts'
import { ensureOrganisation } from './organisations.ts'

/** Where a first key comes from: the environment, or the data folder, where it was generated. */
export type FirstKey = { source: 'configured' | 'generated'; key: string }

/**
 * The first organisation and key exist after this. A configured key takes the place of the one configured before, which
 * stops working; generated ones live side by side, since each data folder has its own. What was revoked by request
 * stays revoked: a leaked key must not come back with a restart.
 */
export async function ensureFirstKey(
  database: Database,
  ids: RecordIds,
  { source, key }: FirstKey,
  daysBack: number,
): Promise<number> {
  const organisationId = await ensureOrganisation(database, ids, 'default', daysBack)
  const hash = sha256(key)
  const id = await ids.next()
  await database.transaction(async (transaction) => {
    const known = await findFirstKey(transaction, hash)
    if (known?.ended) throw new StartupError(cures[source])
    // Rotated away and still in its grace: it works, and its successor must not end for it.
    if (known?.current === false) return
    await insertFirstKey(transaction, { id, organisationId, source, hash })
    if (source === 'configured') await revokeOtherConfiguredKeys(transaction, hash)
  })
  return organisationId
}

const cures = {
  configured: 'the key in PURSER_API_KEY was revoked, was rotated or has expired: set another one',
  generated:
    'the key in the file api-key of the data folder was revoked or rotated: delete the file, and the next start makes another',
}

/** The hashes of the keys that the environment has set, at any process on this database. */
export function findConfigured(database: Database): Promise<Buffer[]> {
  return configuredHashes(database)
}

export async function hasUsableKey(database: Database): Promise<boolean> {
  return (await countUsableKeys(database)) > 0
}
