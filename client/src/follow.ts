import type { Event, EventFilter } from './generated/types.ts'
import type { Page } from './list.ts'
import { pauseAfter, sleep } from './transport.ts'

/** The events that a filter lets through: `payment.*` stands for all types of a kind of record. */
export type EventOf<Filter extends string> = Filter extends '*'
  ? Event
  : Filter extends `${infer Kind}.*`
    ? Extract<Event, { type: `${Kind}.${string}` }>
    : Extract<Event, { type: Filter }>

export interface FollowOptions<Filter extends EventFilter> {
  /** The number of the last event that was processed; `latest`, the default, for those after the first read. */
  after?: number | 'latest'
  types?: readonly Filter[]
  /** Ends the loop. */
  signal?: AbortSignal
}

type ReadEvents = (query: Record<string, unknown>, signal: AbortSignal) => Promise<Page<Event>>

const WAIT_SECONDS = 25
const LONGEST_PAUSE_S = 300

/** The events of the feed, in order and each once, and then those that come. `return` ends also a read that waits. */
export function followEvents<Filter extends EventFilter>(
  read: ReadEvents,
  options: FollowOptions<Filter>,
): AsyncGenerator<EventOf<Filter>> {
  const left = new AbortController()
  const signal = options.signal ? AbortSignal.any([options.signal, left.signal]) : left.signal
  const events = eventsOf(read, { ...options, signal })
  const end = events.return.bind(events)
  events.return = (value) => {
    left.abort()
    return end(value)
  }
  return events
}

/**
 * Failures that may pass are waited out for as long as they last; the loop goes on behind the last event that it gave
 * out.
 */
async function* eventsOf<Filter extends EventFilter>(
  read: ReadEvents,
  { after = 'latest', types, signal }: FollowOptions<Filter> & { signal: AbortSignal },
): AsyncGenerator<EventOf<Filter>> {
  // The position of `latest` is read without waiting: a wait that breaks off would lose it.
  let query: Record<string, unknown> = { after, type: types, wait: after === 'latest' ? 0 : WAIT_SECONDS }
  let failures = 0
  while (!signal.aborted) {
    let page: Page<Event>
    try {
      page = await read(query, signal)
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      failures++
      const pause = pauseAfter(error, failures, LONGEST_PAUSE_S)
      if (pause === undefined) throw error
      await sleep(pause, signal).catch(() => undefined)
      continue
    }
    for (const event of page.data) {
      if (signal.aborted) return
      yield event as EventOf<Filter>
      query = { ...query, after: event.sequence }
    }
    // A page with a filter may be short or empty, and the link then leads on.
    if (page.next?.after !== undefined) query = { ...query, after: page.next.after }
    query.wait = WAIT_SECONDS
  }
}
