import type { RecordedEvents } from '../../base/operation.ts'
import type { ListRequestsQuery } from '../../events/requests/list-requests.ts'
import type { LoggedRequest, LoggedRequestDetail } from '../../events/requests/logged-request.ts'
import type { KeptExchange } from './block.ts'
import type { Rings } from './rings.ts'
import { entryOf, messagesOf } from './show.ts'

export interface WantedRequests {
  organisationId: number
  query: ListRequestsQuery
  after: number
  before: number
  descending: boolean
  most: number
}

export interface NamedRequests {
  organisationId: number
  name: string
  most: number
}

/** A request with its messages, and the range in which its events are; the range begins with 0 if there are none. */
export type FoundRequest = Omit<LoggedRequestDetail, 'events'> & { range: RecordedEvents }

/** The requests that this process answered. */
export interface OwnRequests {
  head(organisationId: number): number
  list(wanted: WantedRequests): LoggedRequest[]
  /** The requests with this request id or idempotency key, or refused with this code, the latest first. */
  named(wanted: NamedRequests): LoggedRequest[]
  find(wanted: { organisationId: number; id: string }): FoundRequest | undefined
  eventsOf(wanted: { organisationId: number; requestId: string }): RecordedEvents | undefined
}

const everything = { after: 0, before: Number.MAX_SAFE_INTEGER }

/** `process` is a word of this process in the ids, because another process may have the same numbers. */
export function ownRequests(rings: Rings, process: string): OwnRequests {
  const shown =
    (organisationId: number) =>
    ({ whole, sequence }: KeptExchange) =>
      entryOf(whole(), sequence, idOf(organisationId, sequence, process))
  return {
    head: rings.head,
    list: ({ organisationId, query, most, ...range }) =>
      firstOf(rings.range(organisationId, range), filterOf(query), most).map(shown(organisationId)),
    // One pass for all names: it takes some milliseconds if the log is full.
    named: ({ organisationId, name, most }) => {
      const isNamed = ({ requestId, idempotencyKey, code }: KeptExchange) =>
        requestId === name || idempotencyKey === name || code === name
      const found = firstOf(rings.range(organisationId, { ...everything, descending: true }), isNamed, most)
      return found.map(shown(organisationId))
    },
    find: ({ organisationId, id }) => {
      const sequence = Number(/^req_\d+_(\d{1,16})_/.exec(id)?.[1])
      const exchange = rings.find(organisationId, sequence)?.whole()
      if (!exchange || idOf(organisationId, sequence, process) !== id) return undefined
      const range = { first: exchange.firstEvent, last: exchange.lastEvent }
      return { ...entryOf(exchange, sequence, id), ...messagesOf(exchange), range }
    },
    eventsOf: ({ organisationId, requestId }) => {
      const ranges: RecordedEvents[] = []
      for (const exchange of rings.range(organisationId, { ...everything, descending: false })) {
        const { firstEvent: first, lastEvent: last } = exchange
        if (first > 0 && exchange.requestId === requestId) ranges.push({ first, last })
      }
      return joined(ranges)
    },
  }
}

/** The range that has all of these; undefined if there are none. */
export function joined(ranges: RecordedEvents[]): RecordedEvents | undefined {
  if (ranges.length === 0) return undefined
  return {
    first: ranges.reduce((least, { first }) => Math.min(least, first), Number.MAX_SAFE_INTEGER),
    last: ranges.reduce((most, { last }) => Math.max(most, last), 0),
  }
}

function idOf(organisationId: number, sequence: number, process: string): string {
  return `req_${organisationId}_${sequence}_${process}`
}

function firstOf(exchanges: Iterable<KeptExchange>, fits: (exchange: KeptExchange) => boolean, count: number) {
  const found: KeptExchange[] = []
  for (const exchange of exchanges) {
    if (!fits(exchange)) continue
    if (found.push(exchange) === count) break
  }
  return found
}

function filterOf(query: ListRequestsQuery): (exchange: KeptExchange) => boolean {
  const { status, operation, code, apiKeyId, idempotencyKey, requestId } = query
  const statuses = status && new RegExp(`^${status.toLowerCase().replace('xx', '..')}$`)
  return (exchange) =>
    (!statuses || statuses.test(String(exchange.status))) &&
    (operation === undefined || exchange.operation.id === operation) &&
    (code === undefined || exchange.code === code) &&
    (apiKeyId === undefined || String(exchange.keyId) === apiKeyId) &&
    (idempotencyKey === undefined || exchange.idempotencyKey === idempotencyKey) &&
    (requestId === undefined || exchange.requestId === requestId)
}
