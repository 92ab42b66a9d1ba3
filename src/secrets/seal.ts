import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { StartupError } from '../base/startup-error.ts'
import type { Database } from '../database/database.ts'
import { findMarker, insertMarker } from './seal.sql.ts'

/** The table, row and column of a sealed value. The value does not open anywhere else. */
export interface SealedColumn {
  table: string
  row: number | string
  column: string
}

/** Encrypts values that the database must not hold in clear text. */
export interface Seal {
  seal(clear: Buffer | string, column: SealedColumn): Buffer
  unseal(sealed: Buffer, column: SealedColumn): Buffer
  /**
   * HMAC-SHA256, for comparing texts that are not stored. A plain hash would not do: all nine-digit numbers can be tried
   * in seconds.
   */
  digest(text: string): Buffer
}

/** Thrown where a value was sealed with another key. */
export class OtherKey extends Error {}

const VERSION_BYTES = 4
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Opens AES-256-GCM. A sealed value is the key's version, a random nonce, the encrypted bytes and the tag. */
export function openSeal(key: Buffer): Seal {
  const version = derived(key, 'version', VERSION_BYTES)
  const digestKey = derived(key, 'digest', 32)

  return {
    seal(clear, column) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES }).setAAD(
        additionalData(column),
      )
      const encrypted = typeof clear === 'string' ? cipher.update(clear, 'utf8') : cipher.update(clear)
      return Buffer.concat([version, nonce, encrypted, cipher.final(), cipher.getAuthTag()])
    },

    unseal(sealed, column) {
      if (!sealed.subarray(0, VERSION_BYTES).equals(version)) {
        throw new OtherKey(`${column.table}.${column.column} is sealed with another encryption key`)
      }
      const nonce = sealed.subarray(VERSION_BYTES, VERSION_BYTES + NONCE_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
        .setAAD(additionalData(column))
        .setAuthTag(sealed.subarray(-TAG_BYTES))
      const clear = decipher.update(sealed.subarray(VERSION_BYTES + NONCE_BYTES, -TAG_BYTES))
      return Buffer.concat([clear, decipher.final()])
    },

    digest: (text) => createHmac('sha256', digestKey).update(text).digest(),
  }
}

const MARKER: SealedColumn = { table: 'encryption_marker', row: 1, column: 'sealed' }

/** Refuses a key other than the one of the database's first start, which sealed the marker. */
export async function requireKey(database: Database, seal: Seal): Promise<void> {
  await insertMarker(database, seal.seal('purser', MARKER))
  try {
    seal.unseal(await findMarker(database), MARKER)
  } catch (error) {
    if (!(error instanceof OtherKey)) throw error
    throw new StartupError(
      'the database was sealed with another encryption key: set PURSER_ENCRYPTION_KEY to the key of its first start',
    )
  }
}

function additionalData({ table, row, column }: SealedColumn): Buffer {
  return Buffer.from(JSON.stringify([table, String(row), column]))
}

function derived(key: Buffer, purpose: string, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `purser ${purpose}`, length))
}
