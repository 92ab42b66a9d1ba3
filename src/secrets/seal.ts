import { createCipheriv, createDecipheriv, createHmac, createSecretKey, hkdfSync, randomBytes } from 'node:crypto'

/** The table, row and column of a sealed value. The value does not open anywhere else. */
export interface SealedColumn {
  table: string
  row: number | string
  column: string
}

/** Encrypts values that the database must not hold in clear text. */
export interface Seal {
  /** The version of the key, with which every sealed value begins. */
  version: Buffer
  seal(clear: Buffer | string, column: SealedColumn): Buffer
  unseal(sealed: Buffer, column: SealedColumn): Buffer
  /**
   * HMAC-SHA256, for comparing texts that are not stored. A plain hash would not do: all nine-digit numbers can be tried
   * in seconds.
   */
  digest(text: string): Buffer
}

/** Thrown if a value was sealed with another key. */
export class OtherKey extends Error {}

const VERSION_BYTES = 4
const NONCE_BYTES = 12
const TAG_BYTES = 16

interface SealOptions {
  /** Derived from the key unless given, which takes 30 µs, as the version does. */
  digestKey?: Buffer
  version?: Buffer
  /** Seals of other keys, whose values open too. */
  others?: Seal[]
}

/** Opens AES-256-GCM. A sealed value is the key's version, a random nonce, the encrypted bytes and the tag. */
export function openSeal(key: Buffer, options: SealOptions = {}): Seal {
  const { digestKey = derivedDigestKey(key), version = derived(key, 'version', VERSION_BYTES), others = [] } = options
  // Objects, because Node 24 takes 24 µs longer for every use of a key in a buffer. To make one takes 2 µs.
  const [secret, digestSecret] = [createSecretKey(key), createSecretKey(digestKey)]

  return {
    version,

    seal(clear, column) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', secret, nonce, { authTagLength: TAG_BYTES }).setAAD(
        additionalData(column),
      )
      const encrypted = typeof clear === 'string' ? cipher.update(clear, 'utf8') : cipher.update(clear)
      return Buffer.concat([version, nonce, encrypted, cipher.final(), cipher.getAuthTag()])
    },

    unseal(sealed, column) {
      if (!isSealedBy(sealed, { version })) return otherSeal(others, sealed, column).unseal(sealed, column)
      const nonce = sealed.subarray(VERSION_BYTES, VERSION_BYTES + NONCE_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', secret, nonce, { authTagLength: TAG_BYTES })
        .setAAD(additionalData(column))
        .setAuthTag(sealed.subarray(-TAG_BYTES))
      const clear = decipher.update(sealed.subarray(VERSION_BYTES + NONCE_BYTES, -TAG_BYTES))
      return Buffer.concat([clear, decipher.final()])
    },

    digest: (text) => createHmac('sha256', digestSecret).update(text).digest(),
  }
}

/** Whether a value was sealed with the key of a seal. */
export function isSealedBy(sealed: Buffer, { version }: Pick<Seal, 'version'>): boolean {
  return sealed.subarray(0, VERSION_BYTES).equals(version)
}

/** The digest key of a key that has no separate one. */
export function derivedDigestKey(key: Buffer): Buffer {
  return derived(key, 'digest', 32)
}

function otherSeal(others: Seal[], sealed: Buffer, { table, column }: SealedColumn): Seal {
  const found = others.find((other) => isSealedBy(sealed, other))
  if (!found) throw new OtherKey(`${table}.${column} is sealed with another encryption key`)
  return found
}

function additionalData({ table, row, column }: SealedColumn): Buffer {
  return Buffer.from(JSON.stringify([table, String(row), column]))
}

function derived(key: Buffer, purpose: string, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', `purser ${purpose}`, length))
}
