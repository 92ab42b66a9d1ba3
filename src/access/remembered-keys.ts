import { clock } from '../base/clock.ts'
import { Recent } from '../base/recent.ts'
import type { KeyHolder } from './authenticate-key.ts'

/** The outcomes of recent look-ups of keys, of bounded size. */
export interface RememberedKeys {
  /** The holder of a key; null for a key that did not work; undefined if the key has to be looked up. */
  find(key: string): KeyHolder | null | undefined
  /** Whether the key worked when it was last looked up, even if that is long ago. */
  worked(key: string): boolean
  remember(key: string, holder: KeyHolder | undefined, ms: number): void
  /** Forgets all secrets of a key. */
  forget(keyId: number): void
  /** Forgets all keys of an organisation. */
  forgetOrganisation(organisationId: number): void
}

const MAX_KEYS = 10_000
/** One organisation with many keys does not displace those of the others. */
const MAX_OF_ORGANISATION = 1_000

interface Entry {
  holder: KeyHolder
  /** By the monotonic clock: setting back the time of day must not keep a revoked key alive. */
  untilMs: number
}

/** Keys that do not work are kept apart: a flood of made-up keys must not displace those that do. */
export function openRememberedKeys(): RememberedKeys {
  const working = new Recent<string, Entry>(MAX_KEYS)
  const refused = new Recent<string, number>(MAX_KEYS)
  const keysOf = new Map<number, Set<string>>()

  function drop(key: string): void {
    const entry = working.get(key)
    if (!entry) return
    working.delete(key)
    const keys = keysOf.get(entry.holder.organisationId)
    keys?.delete(key)
    if (keys?.size === 0) keysOf.delete(entry.holder.organisationId)
  }

  function keep(key: string, holder: KeyHolder, untilMs: number): void {
    drop(key)
    const keys = keysOf.get(holder.organisationId) ?? new Set()
    const [oldest] = keys.size >= MAX_OF_ORGANISATION ? keys : working.size >= MAX_KEYS ? working.keys() : []
    if (oldest !== undefined) drop(oldest)
    working.set(key, { holder, untilMs })
    keysOf.set(holder.organisationId, keys.add(key))
  }

  return {
    find(key) {
      const entry = working.get(key)
      if (entry) return entry.untilMs > clock.elapsedMs() ? entry.holder : undefined
      return (refused.get(key) ?? 0) > clock.elapsedMs() ? null : undefined
    },

    worked: (key) => working.has(key),

    remember(key, holder, ms) {
      const untilMs = clock.elapsedMs() + ms
      if (holder) {
        refused.delete(key)
        keep(key, holder, untilMs)
      } else {
        drop(key)
        refused.set(key, untilMs)
      }
    },

    forget(keyId) {
      for (const [key, { holder }] of working) if (holder.keyId === keyId) drop(key)
    },

    forgetOrganisation(organisationId) {
      for (const key of [...(keysOf.get(organisationId) ?? [])]) drop(key)
    },
  }
}
