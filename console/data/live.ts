import type { QueryClient } from '@tanstack/react-query'
import { useEffect, useSyncExternalStore } from 'react'
import { type Event, isProblem, type Me, type Purser } from '../../client/src/index.ts'

/** Reading again at most this often keeps a burst of events from loading the service. */
const REFRESH_MS = 200
/** For keys that may not read events. */
const POLL_MS = 5_000
/** Deliveries and their outcomes follow an event after this time. */
const LATER_MS = 2_000
/**
 * How often lists of facts that change without an event are read again while the tab is in sight: what reaches the service from
 * elsewhere, what it sends, and what its clock has done.
 */
export const everyMs = { outside: 30_000, sent: 15_000, clock: 60_000 } as const
/** Answers that do not change while the service runs. */
const constant = new Set(['getMe', 'listEventTypes'])

/** Ends the query keys of lists that add new entries by themselves. */
export const TAIL = 'tail'
/** The third member of the key of a count beside a list, which is read again after the last of several events. */
export const COUNT = 'count'

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

const OUTAGE_MS = 3_000

/** A query, as far as its outcome is looked at. */
export interface Asked {
  state: { error: Error | null }
}

/** A screen that the service could not answer is read again until it is: a refusal stays. */
export function afterOutage({ state: { error } }: Asked): number | false {
  return error !== null && !(isProblem(error) && error.status < 500) && OUTAGE_MS
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
  // Screens that could not be read while the service was away are read when it is back.
  const back = () => reachable && refresh()
  watchers.add(back)
  ended.signal.addEventListener('abort', () => watchers.delete(back))
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
        // A look changes nothing, and to read again would be another one.
        if (event.type !== 'personalData.viewed') refresh()
      }
      return
    } catch (error) {
      refresh()
      // A key that was revoked: the next call of a screen shows the refusal. Events that were missed are read again.
      if (!isProblem(error, 'events_expired')) return
    }
  }
}

/** The operations that show deliveries and the log of requests. */
const follow = new Set(['listAllDeliveries', 'listAttention', 'listHistory', 'listWebhookEndpoints', 'listRequests'])

/**
 * A function that reads the queries on screen again: at once, then at most every 200 ms, and after the last event what
 * follows it.
 */
function refresher(queries: QueryClient): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let later: ReturnType<typeof setTimeout> | undefined
  let again = false
  const read = (predicate: (id: string, kind: unknown) => boolean) =>
    void queries.invalidateQueries({
      predicate: ({ queryKey }) =>
        !constant.has(String(queryKey[0])) && queryKey[2] !== TAIL && predicate(String(queryKey[0]), queryKey[2]),
    })
  const run = () => {
    again = false
    read((_id, kind) => kind !== COUNT)
    clearTimeout(later)
    later = setTimeout(() => read((id, kind) => follow.has(id) || kind === COUNT), LATER_MS)
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
