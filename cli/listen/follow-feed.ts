import { type Event, type EventFilter, isProblem, type Purser } from '../../client/src/index.ts'
import type { Forwarder } from './forwarder.ts'

export interface FeedOptions {
  after: number | 'latest'
  types: EventFilter[] | undefined
  signal: AbortSignal
}

/** Gives the events of the feed to a forwarder, until the signal. */
export async function forwardFeed(purser: Purser, forwarder: Forwarder, options: FeedOptions): Promise<void> {
  const { after, types, signal } = options
  for await (const event of purser.events.follow({ after, ...(types && { types }), signal })) {
    await forwarder.add(event)
  }
}

/**
 * Gives events to a forwarder that someone asks the service to deliver again. The feed does not repeat them; the log of
 * requests shows who asked. Returns the reason if the service keeps no such log, or the key may not read it.
 */
export async function forwardRedeliveries(
  purser: Purser,
  forwarder: Forwarder,
  { types, signal }: FeedOptions,
): Promise<string | undefined> {
  try {
    for await (const { path, replayed } of purser.requests.follow({
      operation: 'redeliverEvent',
      status: '2xx',
      signal,
    })) {
      const event = replayed ? undefined : await eventIn(purser, path)
      if (event && isOf(event, types)) await forwarder.add(event, { redelivered: true })
    }
    return undefined
  } catch (error) {
    if (isProblem(error, 'not_supported_by_provider', 'forbidden')) return error.detail
    throw error
  }
}

/** The event that a request names; undefined if it is gone. */
async function eventIn(purser: Purser, path: string): Promise<Event | undefined> {
  const id = /\/events\/([^/]+)\/redeliver$/.exec(path)?.[1]
  if (!id) return undefined
  return purser.events.get(decodeURIComponent(id)).catch((error: unknown) => {
    if (isProblem(error, 'event_not_found')) return undefined
    throw error
  })
}

function isOf({ type }: Event, filters: EventFilter[] | undefined): boolean {
  if (!filters) return true
  return filters.some(
    (each) => each === '*' || each === type || (each.endsWith('.*') && type.startsWith(each.slice(0, -1))),
  )
}
