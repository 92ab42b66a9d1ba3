import type { ApiKey } from '../../client/src/index.ts'

/** The API key of this tab. It stays in memory and in `sessionStorage`, and is sent as a header alone. */
const KEY = 'purser.key'
const USED = 'purser.used'
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
  sessionStorage.setItem(KEY, key)
  noteUse()
}

export function forgetKey(): void {
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
  for (const name of ['keydown', 'pointerdown'] as const) addEventListener(name, noteUse)
  return () => {
    clearInterval(timer)
    for (const name of ['keydown', 'pointerdown'] as const) removeEventListener(name, noteUse)
  }
}

/** The scopes that a key has only by name. */
const namedScopes: string[] = ['processor:write', 'review:write', 'risk:write']

/** Whether a key has a scope. One without restriction has all but those that are had only by name. */
export function hasScope({ scopes }: Pick<ApiKey, 'scopes'>, scope: NonNullable<ApiKey['scopes']>[number]): boolean {
  return scopes === null ? !namedScopes.includes(scope) : scopes.includes(scope)
}
