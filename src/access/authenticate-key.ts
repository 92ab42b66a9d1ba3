import { clock } from '../base/clock.ts'
import type { Caller, Scope } from '../base/operation.ts'
import type { Peers } from '../base/peers/peers.ts'
import { Recent } from '../base/recent.ts'
import { sha256 } from '../base/sha256.ts'
import { type Database, DatabaseUnavailable } from '../database/database.ts'
import { decidesRisk } from './api-key.ts'
import { findUsableKey, type KeyUse, updateLastUses } from './api-keys.sql.ts'
import { isForged } from './key-text.ts'
import { wakeOrganisation } from './organisations.sql.ts'
import { openRememberedKeys } from './remembered-keys.ts'

export interface KeyHolder extends Caller {
  /** Null for a key without restriction. */
  scopes: Scope[] | null
  decidesRisk: boolean
  /** SHA-256 of the secret that was sent: a key has several while a rotated one is in its grace. */
  hash: Buffer
  /** True for a secret that was replaced by a rotation and still works. */
  inGrace: boolean
  /** The place of the database that knows the key, among those of the service; 0 if there is one. */
  place: number
  /** How often the organisation has moved. Of two databases that know it, the one with the larger number owns it. */
  epoch: number
  /** The person whose seat it is; absent for an API key. */
  person?: SignedIn
}

/** A person in an organisation. */
interface SignedIn {
  id: number
  name: string
  sessionId: number
  /** The name of the organisation. */
  organisation: string
  role: string
  /** Whether keys and endpoints that the person makes may lead to numbers in full: in a sandbox they are invented. */
  passesNumbers: boolean
  /** Those in which the person has a role. */
  organisations: { name: string; role: string }[]
}

export interface KeyAuthenticator {
  /** Finds the holder of a key; undefined if the key does not work. Answers at once if it was looked up a moment ago. */
  authenticate(key: string): KeyHolder | undefined | Promise<KeyHolder | undefined>
  /** Looks a key up anew, whatever is remembered of it; by a look-up that began after `sinceMs` of the process's time, if given. */
  recheck(key: string, sinceMs?: number): Promise<KeyHolder | undefined> | undefined
  /** Whether this key worked when it was last looked up. */
  worked(key: string): boolean
  /** Makes the next request look up a key that has changed. */
  forget(keyId: number): void
  /** Makes the next request of every key of an organisation look it up. */
  forgetOrganisation(organisationId: number): void
  /** Stores when keys were last used, of all keys together; no request waits for it. */
  saveUses(): Promise<void>
}

/** Makes every process of the service look up keys that have changed. */
export interface KeyChanges {
  forget(keyId: number): Promise<void>
  forgetOrganisation(organisationId: number): Promise<void>
}

/** Short enough that a revoked key stops working everywhere within five seconds. */
const REMEMBERED_MS = 4_000
/** A look-up takes about a millisecond. One that takes longer may hang on a dead connection: the next request starts another. */
const SHARED_MS = 1_000
/** Past this time the request is answered 503, whatever the database does. */
const LOOK_UP_MS = 5_000
/** The most keys of other processes that are remembered. */
const MAX_ELSEWHERE = 10_000

interface LookUp {
  holder: Promise<KeyHolder | undefined>
  startedMs: number
}

interface AuthenticatorOptions {
  mode: 'sandbox' | 'live'
  sole?: number | undefined
  peers?: Peers | undefined
  place?: number
}

/**
 * Opens the authenticator. `configured` are the hashes of keys from the environment, which have any form that the operator
 * chose. `sole` is the organisation that a connector serves: its upstream data is shown to no other organisation, even one
 * that was created since. `place` is that of the database in the service. Of several processes each also knows the keys that worked in another.
 */
export function openKeyAuthenticator(
  database: Database,
  configured: Buffer[],
  { mode, sole, peers, place = 0 }: AuthenticatorOptions,
): KeyAuthenticator {
  const remembered = openRememberedKeys()
  const workedElsewhere = peers && shareWorkingKeys(peers)
  const lookUps = new Map<string, LookUp>()
  const uses = openKeyUses(database)
  /** Counts the changes of keys. A look-up that ran during a change may have read the former state. */
  let changes = 0

  async function find(key: string, hash: Buffer): Promise<KeyHolder | undefined> {
    const changesBefore = changes
    const found = await findUsableKey(database, hash)
    const row = sole === undefined || found?.organisationId === sole ? found : undefined
    if (row) uses.add(row.id)
    if (row?.organisationIsIdle) await wakeOrganisation(database, row.organisationId, row.id)
    const holder = row && {
      organisationId: row.organisationId,
      keyId: row.id,
      scopes: row.scopes,
      decidesRisk: decidesRisk(row.scopes, mode),
      hash,
      inGrace: row.inGrace,
      place,
      epoch: row.epoch,
    }
    if (holder && !remembered.worked(key)) workedElsewhere?.note(hash)
    if (!holder) workedElsewhere?.drop(hash)
    if (changes === changesBefore)
      remembered.remember(key, holder, Math.min(REMEMBERED_MS, row?.leftMs ?? REMEMBERED_MS))
    return holder
  }

  /** Shares a look-up among the requests of a key that come at the same moment. */
  function lookUp(key: string, sinceMs = Number.NEGATIVE_INFINITY): Promise<KeyHolder | undefined> | undefined {
    const running = lookUps.get(key)
    const oldestMs = Math.max(sinceMs, clock.elapsedMs() - SHARED_MS)
    if (running && running.startedMs > oldestMs) return running.holder
    const hash = sha256(key)
    if (isForged(key) && !configured.some((known) => known.equals(hash))) return undefined
    const started: LookUp = {
      startedMs: clock.elapsedMs(),
      holder: withinTime(find(key, hash)).finally(() => {
        if (lookUps.get(key) === started) lookUps.delete(key)
      }),
    }
    lookUps.set(key, started)
    return started.holder
  }

  function noteChange(): void {
    changes++
    lookUps.clear()
  }

  return {
    authenticate(key) {
      const holder = remembered.find(key)
      return holder === undefined ? lookUp(key) : (holder ?? undefined)
    },
    recheck: lookUp,
    worked: (key) => remembered.worked(key) || (workedElsewhere?.has(key) ?? false),
    forget(keyId) {
      noteChange()
      remembered.forget(keyId)
    },
    forgetOrganisation(organisationId) {
      noteChange()
      remembered.forgetOrganisation(organisationId)
    },
    saveUses: uses.save,
  }
}

/**
 * The hashes of keys that worked in any process: their holders are not locked out because of a stranger's guesses. A process
 * that takes the place of another one asks for those that worked before.
 */
function shareWorkingKeys(peers: Peers) {
  const hashes = new Recent<string, true>(MAX_ELSEWHERE)
  const add = (hash: string) => void hashes.set(hash, true)
  peers.answer('keys.worked', add)
  peers.answer('keys.known', () => [...hashes.keys()])
  peers.ask<string[]>('keys.known', null).then(
    (others) => others.flat().forEach(add),
    // The parent process is gone, and this one ends.
    () => undefined,
  )
  return {
    note(hash: Buffer) {
      add(hash.toString('base64'))
      peers.tellPeers('keys.worked', hash.toString('base64'))
    },
    drop: (hash: Buffer) => void hashes.delete(hash.toString('base64')),
    has: (key: string) => hashes.size > 0 && hashes.has(sha256(key).toString('base64')),
  }
}

async function withinTime<T>(lookUp: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_resolve, reject) => {
    const late = () => reject(new DatabaseUnavailable(`an API key was not looked up within ${LOOK_UP_MS} ms`))
    timer = setTimeout(late, LOOK_UP_MS)
  })
  return Promise.race([lookUp, timeout]).finally(() => clearTimeout(timer))
}

/** Collects when keys were last used. A key in use is looked up every few seconds, which is exact enough. */
function openKeyUses(database: Database): { add(keyId: number): void; save(): Promise<void> } {
  let uses = new Map<number, string>()
  return {
    add: (keyId) => void uses.set(keyId, clock.now().toISOString()),

    async save() {
      if (uses.size === 0) return
      const saving = uses
      uses = new Map()
      try {
        const rows = [...saving].map(([id, usedAt]): KeyUse => ({ id, usedAt }))
        for (const id of await updateLastUses(database, rows)) saving.delete(id)
      } finally {
        // A use that was not stored is kept for the next time, unless the key was used again since.
        uses = new Map([...saving, ...uses])
      }
    },
  }
}
