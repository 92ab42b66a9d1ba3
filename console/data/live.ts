import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { type Event, isProblem, type Me, type Purser } from '../../client/src/index.ts'

/** Reading again at most this often keeps a burst of events from loading the service. */
const REFRESH_MS = 200
/** For keys that may not read events. */
const POLL_MS = 5_000
/** Answers that do not change while the service runs. */
const constant = new Set(['getMe', 'listEventTypes'])

/** Ends the query keys of lists that add new entries by themselves. */
export const TAIL = 'tail'

const listeners = new Set<(event: Event) => void>()
const watchers = new Set<() => void>()
let reachable = true

/** Notes whether the service answered, for the sign in the header. */
export function noteAnswer(answered: boolean): void {
  if (reachable === answered) return
  reachable = answered
  for (const watcher of watchers) watcher()
}

export function useReachable(): boolean {
  return useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    },
    () => reachable,
  )
}

/** Calls `listener` with every event of the organisation while the component is on screen. */
export function useEvents(listener: (event: Event) => void): void {
  useEffect(() => {
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
    }
  }, [listener])
}

/** Follows the feed with one long poll, and reads what is on screen again after each event. Returns a function that ends it. */
export function startLive(purser: Purser, queries: QueryClient, me: Me): () => void {
  const ended = new AbortController()
  const refresh = refresher(queries)
  if (!me.operations.includes('listEvents')) {
    const timer = setInterval(refresh, POLL_MS)
    ended.signal.addEventListener('abort', () => clearInterval(timer))
  } else void followEvents(purser, refresh, ended.signal)
  return () => ended.abort()
}

async function followEvents(purser: Purser, refresh: () => void, signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      for await (const event of purser.events.follow({ signal })) {
        for (const listener of listeners) listener(event)
        refresh()
      }
      return
    } catch (error) {
      refresh()
      // A key that was revoked: the next call of a screen shows the refusal. Events that were missed are read again.
      if (!isProblem(error, 'events_expired')) return
    }
  }
}

/** A function that reads the queries on screen again: at once, and then at most every 200 ms. */
function refresher(queries: QueryClient): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let again = false
  const run = () => {
    again = false
    void queries.invalidateQueries({
      predicate: ({ queryKey }) => !constant.has(String(queryKey[0])) && queryKey[2] !== TAIL,
    })
    timer = setTimeout(() => {
      timer = undefined
      if (again) run()
    }, REFRESH_MS)
  }
  return () => {
    if (timer === undefined) run()
    else again = true
  }
}
