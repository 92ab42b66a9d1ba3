import { StartupError } from '../base/startup-error.ts'
import type { Database, Queryable } from '../database/database.ts'
import { lockMarker, saveMarker } from './marker.sql.ts'
import { keyOfMarker, sealedMarker } from './marker.ts'
import { finishPositions } from './reseal.sql.ts'
import { resealAll } from './reseal.ts'
import { openSeal, type Seal } from './seal.ts'
import { countKeys, lockKeysOfOthers, replaceKeys } from './seals.sql.ts'
import { isMade, openSeals, unwrapped, wrapped } from './seals.ts'

export interface Rotation {
  /** The operator's key, or the next one if an earlier rotation was finished. */
  key: Buffer
  newKey: Buffer
}

/** Receives how far the rotation is. */
export interface RotationProgress {
  values(columns: number, of: number): void
  keys(done: number, of: number): void
}

/** Organisations whose keys are sealed anew in one transaction. */
const PORTION = 200

/**
 * Changes the operator's key while the service runs, whose processes have both keys. The keys of organisations are sealed
 * anew in portions and the marker moves last, so that a rotation that broke off is finished by another one with the same
 * keys. Returns false if it was finished before.
 */
export async function rotateEncryption(
  database: Database,
  { key, newKey }: Rotation,
  progress: RotationProgress,
): Promise<boolean> {
  if (key.equals(newKey)) throw new StartupError('PURSER_ENCRYPTION_KEY_NEW is the present key: make another one')
  if (!(await begin(database, key, newKey))) return false
  const keys = [key, newKey]
  await resealAll({ database, seals: openSeals(database, keys), keys }, progress.values)
  const operator = keys.map((each) => openSeal(each))
  const next = openSeal(newKey)
  for (let rewrapped = PORTION; rewrapped === PORTION; ) {
    rewrapped = await database.transaction((transaction) => rewrap(transaction, operator, next, PORTION))
    const { all, ofVersion } = await countKeys(database, next.version)
    progress.keys(ofVersion, all)
  }
  await database.transaction((transaction) => finish(transaction, operator, next))
  return true
}

/** Notes the key that the rotation changes to; false if it was finished before. */
function begin(database: Database, key: Buffer, newKey: Buffer): Promise<boolean> {
  return database.transaction(async (transaction) => {
    const { sealed, next } = await lockMarker(transaction)
    if (keyOfMarker(sealed, [newKey])) return false
    if (!keyOfMarker(sealed, [key])) {
      throw new StartupError('PURSER_ENCRYPTION_KEY is not the key of this database: nothing was changed')
    }
    if (next && !keyOfMarker(next, [newKey])) {
      throw new StartupError(
        'a rotation to another key is under way: set PURSER_ENCRYPTION_KEY_NEW to that key and finish it first',
      )
    }
    if (!next) await saveMarker(transaction, { sealed, next: sealedMarker(openSeal(newKey)) })
    return true
  })
}

/** Seals the keys of some organisations anew, and returns of how many. */
async function rewrap(transaction: Queryable, operator: Seal[], next: Seal, limit: number): Promise<number> {
  const rows = await lockKeysOfOthers(transaction, next.version, limit)
  const again = rows.filter(isMade).map((row) => wrapped(next, row.organisationId, unwrapped(operator, row)))
  if (again.length > 0) await replaceKeys(transaction, again)
  return again.length
}

/** Moves the marker. Organisations that were created meanwhile hold it until their keys are there. */
async function finish(transaction: Queryable, operator: Seal[], next: Seal): Promise<void> {
  await lockMarker(transaction)
  while ((await rewrap(transaction, operator, next, PORTION)) > 0);
  await finishPositions(transaction)
  await saveMarker(transaction, { sealed: sealedMarker(next), next: null })
}
