import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'
import { sha256 } from '../base/sha256.ts'
import { StartupError } from '../base/startup-error.ts'
import type { Database } from '../database/database.ts'
import { findMarker, insertMarker } from './seal.sql.ts'

/** Where a sealed value lies. A value that was moved to another place does not open. */
export interface Place {
  table: string
  row: number | string
  column: string
}

/** Encrypts what must not lie in the database in clear text. */
export interface Seal {
  seal(clear: Buffer | string, place: Place): Buffer
  unseal(sealed: Buffer, place: Place): Buffer
  /** For comparing texts without keeping them. Keyed, because nine digits are guessed from a plain hash in seconds. */
  digest(text: string): Buffer
}

/** The value was sealed with another key. */
export class OtherKey extends Error {}

const VERSION_BYTES = 4
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** AES-256-GCM. A sealed value is the key's version, a random nonce, the encrypted bytes, the tag. */
export function openSeal(key: Buffer): Seal {
  const version = derived(key, 'version', VERSION_BYTES)
  const digestKey = derived(key, 'digest', 32).toString('hex')

  return {
    seal(clear, place) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES }).setAAD(bound(place))
      const encrypted = typeof clear === 'string' ? cipher.update(clear, 'utf8') : cipher.update(clear)
      return Buffer.concat([version, nonce, encrypted, cipher.final(), cipher.getAuthTag()])
    },

    unseal(sealed, place) {
      if (!sealed.subarray(0, VERSION_BYTES).equals(version)) {
        throw new OtherKey(`${place.table}.${place.column} is sealed with another encryption key`)
      }
      const nonce = sealed.subarray(VERSION_BYTES, VERSION_BYTES + NONCE_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES })
        .setAAD(bound(place))
        .setAuthTag(sealed.subarray(-TAG_BYTES))
      const clear = decipher.update(sealed.subarray(VERSION_BYTES + NONCE_BYTES, -TAG_BYTES))
      return Buffer.concat([clear, decipher.final()])
    },

    // The key in front is enough, since nobody is shown a digest; an HMAC takes four times as long.
    digest: (text) => sha256(digestKey + text),
  }
}

const MARKER: Place = { table: 'encryption_marker', row: 1, column: 'sealed' }

/** Refuses a key that cannot open what the database holds; the first key that comes is the right one. */
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

function bound({ table, row, column }: Place): Buffer {
  return Buffer.from(JSON.stringify([table, String(row), column]))
}

function derived(key: Buffer, purpose: string, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `purser ${purpose}`, length))
}
