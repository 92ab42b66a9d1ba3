import { useSyncExternalStore } from 'react'

/** The latest answer to a read of the console. */
export interface Answered {
  status: number
  ms: number
}

const MOST = 200
const latest = new Map<string, Answered>()
const watchers = new Set<() => void>()
let version = 0

/** Notes the answer to a request, for the drawer that explains the screen. */
export function noteRead(address: string, answered: Answered): void {
  latest.delete(address)
  latest.set(address, answered)
  for (const oldest of [...latest.keys()].slice(0, -MOST)) latest.delete(oldest)
  version++
  for (const watcher of watchers) watcher()
}

/** The latest answers by the addresses of their requests. */
export function useAnswers(): ReadonlyMap<string, Answered> {
  useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => version,
  )
  return latest
}
