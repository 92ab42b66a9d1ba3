import { StartupError } from '../base/startup-error.ts'
import type { Database } from '../database/database.ts'
import { findMarker, insertMarker, type Marker } from './marker.sql.ts'
import { isSealedBy, openSeal, type Seal, type SealedColumn } from './seal.ts'

const COLUMN: SealedColumn = { table: 'encryption_marker', row: 1, column: 'sealed' }

export function sealedMarker(seal: Seal): Buffer {
  return seal.seal('purser', COLUMN)
}

/** The one of the operator's keys that sealed a marker; undefined if none of them did. */
export function keyOfMarker(marker: Buffer, keys: Buffer[]): Buffer | undefined {
  return keys.find((key) => {
    const seal = openSeal(key)
    return isSealedBy(marker, seal) && seal.unseal(marker, COLUMN).equals(Buffer.from('purser'))
  })
}

/**
 * Refuses keys other than those of the database: the one of its first start, or of its last change, which sealed the marker,
 * and during a change the next one as well.
 */
export async function requireKey(database: Database, keys: Buffer[]): Promise<Marker> {
  const [first] = keys
  if (first) await insertMarker(database, sealedMarker(openSeal(first)))
  const marker = await findMarker(database)
  if (!keyOfMarker(marker.sealed, keys)) {
    throw new StartupError(
      'the database was sealed with another encryption key: set PURSER_ENCRYPTION_KEY to the key of its first start, or of its last rotation',
    )
  }
  if (marker.next && !keyOfMarker(marker.next, keys)) {
    throw new StartupError(
      'the encryption key is being changed: set PURSER_ENCRYPTION_KEY_NEW to the new key until the rotation is finished',
    )
  }
  return marker
}
