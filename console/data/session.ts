import type { ApiKey } from '../../client/src/index.ts'
import { forgetOrganisation } from './people/person.ts'
import { forgetRecent } from './records/recent.ts'

/**
 * The API key of this tab. It stays in memory and in `sessionStorage`, is sent as a header alone, and is given to tabs that are
 * opened from this one.
 */
const KEY = 'purser.key'
const USED = 'purser.used'
const uses = ['keydown', 'pointerdown'] as const
/** In live mode a key is forgotten after this time without use. */
const IDLE_MS = 30 * 60_000

/** The key of the address, `#key=…`, which is removed from the address at once. */
export function takeLinkedKey(): string | undefined {
  const given = new URLSearchParams(location.hash.slice(1)).get('key')
  if (given !== null) history.replaceState(history.state, '', location.pathname + location.search)
  return given ?? undefined
}

/** The key that this tab keeps. */
export function presentKey(): string | undefined {
  return sessionStorage.getItem(KEY) ?? undefined
}

export function keepKey(key: string): void {
  if (presentKey() !== key) forgetRecent()
  sessionStorage.setItem(KEY, key)
  noteUse()
}

/** The tabs of this browser that show the console. */
const CHANNEL = 'purser.key'
/** Other tabs answer within this time. */
const ASK_MS = 200

interface TabMessage {
  ask?: string
  /** The key of a tab, for the one that asked. */
  to?: string
  key?: string
  usedMs?: number
}

/** Gives the key of this tab to a new tab of the same browser that asks for it. Returns a function that ends it. */
export function shareKey(): () => void {
  const channel = new BroadcastChannel(CHANNEL)
  let usedMs = Date.now()
  const use = () => {
    usedMs = Date.now()
  }
  channel.onmessage = ({ data: { ask } }: MessageEvent<TabMessage>) => {
    const key = presentKey()
    if (ask !== undefined && key !== undefined) channel.postMessage({ to: ask, key, usedMs } satisfies TabMessage)
  }
  for (const name of uses) addEventListener(name, use)
  return () => {
    channel.close()
    for (const name of uses) removeEventListener(name, use)
  }
}

/** The key of the tab that was used last: the one from which a link was opened in this new tab. */
export async function askForKey(): Promise<string | undefined> {
  const channel = new BroadcastChannel(CHANNEL)
  const own = crypto.getRandomValues(new Uint32Array(2)).join('-')
  const answers: TabMessage[] = []
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (data.to === own) answers.push(data)
  }
  channel.postMessage({ ask: own } satisfies TabMessage)
  await new Promise((resolve) => setTimeout(resolve, ASK_MS))
  channel.close()
  return answers.toSorted((one, other) => (other.usedMs ?? 0) - (one.usedMs ?? 0))[0]?.key
}

export function forgetKey(): void {
  forgetOrganisation()
  forgetRecent()
  sessionStorage.removeItem(KEY)
  sessionStorage.removeItem(USED)
}

function noteUse(): void {
  sessionStorage.setItem(USED, String(Date.now()))
}

/** Calls `end` after 30 minutes without a key press or a click, also if the machine slept. Returns a function that stops watching. */
export function watchIdle(end: () => void): () => void {
  const check = () => {
    if (Date.now() - Number(sessionStorage.getItem(USED)) > IDLE_MS) end()
  }
  check()
  const timer = setInterval(check, 10_000)
  for (const name of uses) addEventListener(name, noteUse)
  return () => {
    clearInterval(timer)
    for (const name of uses) removeEventListener(name, noteUse)
  }
}

/** The scopes that a key has only by name. */
const namedScopes: string[] = [
  'processor:write',
  'review:write',
  'risk:write',
  'personal:read',
  'audit:read',
  'people:write',
]

/** Whether a key has a scope. One without restriction has all but those that are had only by name. */
export function hasScope({ scopes }: Pick<ApiKey, 'scopes'>, scope: NonNullable<ApiKey['scopes']>[number]): boolean {
  return scopes === null ? !namedScopes.includes(scope) : scopes.includes(scope)
}
