import { isProblem } from './errors.ts'
import type { Event, EventFilter, ListEventsQuery, ListRequestsQuery } from './generated/types.ts'
import type { Page } from './list.ts'
import { pauseAfter, sleep } from './transport.ts'

/** The events that a filter lets through: `payment.*` stands for all types of a kind of record. */
export type EventOf<Filter extends string> = Filter extends '*'
  ? Event
  : Filter extends `${infer Kind}.*`
    ? Extract<Event, { type: `${Kind}.${string}` }>
    : Extract<Event, { type: Filter }>

export interface FollowOptions<Filter extends EventFilter>
  extends Pick<ListEventsQuery, 'entityType' | 'entityId' | 'requestId'> {
  /** The number of the last event that was processed; `latest`, the default, for those after the first read. */
  after?: number | 'latest'
  types?: readonly Filter[]
  /** Ends the loop. */
  signal?: AbortSignal
}

/** The requests to follow: filters as those of the list, and if to begin. */
export interface FollowRequestsOptions
  extends Pick<ListRequestsQuery, 'status' | 'operation' | 'code' | 'apiKeyId' | 'idempotencyKey' | 'requestId'> {
  /** The number of the last request that was seen; `latest`, the default, for those after the first read. */
  after?: number | 'latest'
  /** Ends the loop. */
  signal?: AbortSignal
}

interface Numbered {
  sequence: number
}

type Read<Item> = (query: Record<string, unknown>, signal: AbortSignal) => Promise<Page<Item>>

const WAIT_SECONDS = 25
const LONGEST_PAUSE_S = 300
/** The pause after an empty answer that came at once: from a service that stops, or from a cache in between. */
const IDLE_PAUSE_MS = 1000

/** The entries of a numbered list, in order and each once, and then those that come. `return` ends also a read that waits. */
export function follow<Item extends Numbered>(
  read: Read<Item>,
  { signal: outer, ...query }: { after?: number | 'latest'; signal?: AbortSignal },
): AsyncGenerator<Item> {
  const left = new AbortController()
  const signal = outer ? AbortSignal.any([outer, left.signal]) : left.signal
  const entries = entriesOf(read, query, signal)
  const end = entries.return.bind(entries)
  entries.return = (value) => {
    left.abort()
    return end(value)
  }
  return entries
}

/**
 * Failures that may pass are waited out for as long as they last; the loop continues after the last entry that it gave
 * out. After a restore of the service's database it goes on where the service says, which misses nothing. It ends with the
 * problem `events_expired` if events were missed, because the caller has to know.
 */
async function* entriesOf<Item extends Numbered>(
  read: Read<Item>,
  { after = 'latest', ...filter }: { after?: number | 'latest' },
  signal: AbortSignal,
): AsyncGenerator<Item> {
  // The position of `latest` is read without waiting: a wait that breaks off would lose it.
  let query: Record<string, unknown> = { ...filter, after, wait: after === 'latest' ? 0 : WAIT_SECONDS }
  let failures = 0
  while (!signal.aborted) {
    let page: Page<Item>
    const askedMs = performance.now()
    try {
      page = await read(query, signal)
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      const earlier = isProblem(error, 'events_rewound') ? error.resumeAfter : undefined
      if (earlier !== undefined && earlier < Number(query.after)) {
        query = { ...query, after: earlier }
        continue
      }
      failures++
      const pause = pauseAfter(error, failures, LONGEST_PAUSE_S)
      if (pause === undefined) throw error
      await sleep(pause, signal).catch(() => undefined)
      continue
    }
    for (const entry of page.data) {
      if (signal.aborted) return
      yield entry
      query = { ...query, after: entry.sequence }
    }
    // A page with a filter may be short or empty, and the link then leads on.
    if (page.next?.after !== undefined) query = { ...query, after: page.next.after }
    else if (page.data.length === 0 && performance.now() - askedMs < IDLE_PAUSE_MS) {
      await sleep(IDLE_PAUSE_MS, signal).catch(() => undefined)
    }
    query.wait = WAIT_SECONDS
  }
}
