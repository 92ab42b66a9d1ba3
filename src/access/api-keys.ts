import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { clock } from '../base/clock.ts'
import type { Caller, Scope } from '../base/operation.ts'
import { StartupError } from '../base/startup-error.ts'
import type { Database } from '../database/database.ts'
import type { RecordIds } from '../database/record-ids.ts'
import { countUsableKeys, findUsableKey, insertKey, revokeOtherKeys } from './api-keys.sql.ts'
import { findOrganisation, insertOrganisation, listOrganisations } from './organisations.sql.ts'

export interface KeyHolder extends Caller {
  /** Null for a key without restriction. */
  scopes: Scope[] | null
}

export interface ApiKeys {
  /** Who holds this key, or undefined where nobody may use it. At once where the answer is remembered. */
  holderOf(key: string): KeyHolder | undefined | Promise<KeyHolder | undefined>
}

/** Short enough that a revoked key stops working everywhere within five seconds. */
const REMEMBERED_MS = 4_000
/** A flood of made-up keys must not fill the memory. */
const REMEMBERED_MOST = 10_000

export function openApiKeys(database: Database): ApiKeys {
  const remembered = new Map<string, { holder: KeyHolder | undefined; untilMs: number }>()
  const asked = new Map<string, Promise<KeyHolder | undefined>>()

  async function ask(key: string): Promise<KeyHolder | undefined> {
    const row = await findUsableKey(database, hashOf(key))
    const holder = row && { organisationId: row.organisationId, keyId: row.id, scopes: row.scopes }
    if (remembered.size >= REMEMBERED_MOST) remembered.clear()
    remembered.set(key, { holder, untilMs: clock.nowMs() + REMEMBERED_MS })
    return holder
  }

  return {
    holderOf(key) {
      const known = remembered.get(key)
      if (known && known.untilMs > clock.nowMs()) return known.holder
      let answer = asked.get(key)
      if (!answer) {
        answer = ask(key).finally(() => asked.delete(key))
        asked.set(key, answer)
      }
      return answer
    },
  }
}

/** Where a first key comes from: the environment, or the data folder, where it was generated. */
export type FirstKey = { name: 'configured' | 'generated'; key: string }

/**
 * The first organisation and key exist after this. A configured key takes the place of the one configured before, which
 * stops working; generated ones live side by side, since each data folder has its own.
 */
export async function ensureFirstKey(
  database: Database,
  ids: RecordIds,
  { name, key }: FirstKey,
  daysBack: number,
): Promise<number> {
  const organisationId = await ensureOrganisation(database, ids, 'default', daysBack)
  const keyHash = hashOf(key)
  const id = await ids.next()
  await database.transaction(async (transaction) => {
    await insertKey(transaction, { id, organisationId, name, hash: keyHash, scopes: null })
    if (name === 'configured') await revokeOtherKeys(transaction, name, keyHash)
  })
  return organisationId
}

/** The organisation of this name, made when it is not there yet; its bank time then starts so many days back. */
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

/** A connector has one credential: what it reaches belongs to one organisation, which is answered. */
export async function requireOneOrganisation(database: Database): Promise<number> {
  const [only, ...others] = await listOrganisations(database, 2)
  if (only !== undefined && others.length === 0) return only
  throw new StartupError(
    'a connector serves one organisation and the database holds more: give it a database of its own',
  )
}

export async function hasUsableKey(database: Database): Promise<boolean> {
  return (await countUsableKeys(database)) > 0
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A new key: its last six characters are a checksum, so that a scanner can tell a real key from a look-alike. */
export function makeKey(mode: 'live' | 'sandbox'): string {
  const body = Array.from({ length: 36 }, () => BASE62[randomInt(62)]).join('')
  return `prs_sk_${mode === 'live' ? 'live' : 'test'}_${body}${checksum(body)}`
}

function checksum(body: string): string {
  let rest = crc32(body)
  let text = ''
  for (let place = 0; place < 6; place++) {
    text = BASE62[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}

export function hashOf(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}
