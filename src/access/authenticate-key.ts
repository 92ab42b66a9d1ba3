import { clock } from '../base/clock.ts'
import type { Caller, Scope } from '../base/operation.ts'
import { Recent } from '../base/recent.ts'
import { sha256 } from '../base/sha256.ts'
import type { Database } from '../database/database.ts'
import { findUsableKey, type KeyUse, updateLastUses } from './api-keys.sql.ts'
import { isForged } from './key-text.ts'

export interface KeyHolder extends Caller {
  /** Null for a key without restriction. */
  scopes: Scope[] | null
  /** Of the very secret that was sent: a key has several while one that was rotated away still works. */
  hash: Buffer
  /** True for a secret that was replaced by a rotation and still works. */
  inGrace: boolean
}

export interface ApiKeys {
  /** Who holds this key, or undefined where nobody may use it. At once where the answer is remembered. */
  holderOf(key: string): KeyHolder | undefined | Promise<KeyHolder | undefined>
  /** Whether this key was good when it was last asked about. */
  recalls(key: string): boolean
  /** A key has changed: ask about it anew. */
  forget(keyId: number): void
  /** Writes down when keys were last used, those of a minute at once; a request never waits for it. */
  saveUses(): Promise<void>
}

/** Short enough that a revoked key stops working everywhere within five seconds. */
const REMEMBERED_MS = 4_000
/** A flood of made-up keys must not fill the memory. */
const REMEMBERED_MOST = 10_000

interface Remembered {
  holder: KeyHolder | undefined
  /** By the monotonic clock: setting the other one back must not keep a revoked key alive. */
  untilMs: number
}

/**
 * `configured` are the hashes of keys from the environment, which have whatever form the operator gave them; `sole` is
 * the organisation that a connector serves: what it reaches is shown to no other, also one that was made meanwhile.
 */
export function openApiKeys(database: Database, configured: Buffer[], sole?: number): ApiKeys {
  const remembered = new Recent<string, Remembered>(REMEMBERED_MOST)
  const asked = new Map<string, Promise<KeyHolder | undefined>>()
  let uses = new Map<number, string>()

  async function ask(key: string, hash: Buffer): Promise<KeyHolder | undefined> {
    const found = await findUsableKey(database, hash)
    const row = sole === undefined || found?.organisationId === sole ? found : undefined
    const holder = row && {
      organisationId: row.organisationId,
      keyId: row.id,
      scopes: row.scopes,
      hash,
      inGrace: row.inGrace,
    }
    // A key in use is asked about every few seconds: often enough to tell when it was last used.
    if (row) uses.set(row.id, clock.now().toISOString())
    remembered.set(key, { holder, untilMs: clock.elapsedMs() + Math.min(REMEMBERED_MS, row?.leftMs ?? REMEMBERED_MS) })
    return holder
  }

  return {
    holderOf(key) {
      const known = remembered.get(key)
      if (known && known.untilMs > clock.elapsedMs()) return known.holder
      let answer = asked.get(key)
      if (!answer) {
        const hash = sha256(key)
        if (isForged(key) && !configured.some((one) => one.equals(hash))) return undefined
        answer = ask(key, hash).finally(() => asked.delete(key))
        asked.set(key, answer)
      }
      return answer
    },

    recalls: (key) => remembered.get(key)?.holder !== undefined,

    forget(keyId) {
      for (const [key, { holder }] of remembered) if (holder?.keyId === keyId) remembered.delete(key)
    },

    async saveUses() {
      if (uses.size === 0) return
      const saving = uses
      uses = new Map()
      const written = await updateLastUses(
        database,
        [...saving].map(([id, usedAt]): KeyUse => ({ id, usedAt })),
      ).catch((error: unknown) => {
        uses = new Map([...saving, ...uses])
        throw error
      })
      for (const id of written) saving.delete(id)
      uses = new Map([...saving, ...uses])
    },
  }
}
