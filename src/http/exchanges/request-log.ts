import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { clock } from '../../base/clock.ts'
import type { Caller, Patience, RecordedEvents } from '../../base/operation.ts'
import { Page } from '../../base/page.ts'
import { Problem } from '../../base/problem.ts'
import type { Events } from '../../events/events.ts'
import type { ListRequestsQuery } from '../../events/list-requests.ts'
import type { LoggedRequest, LoggedRequestDetail } from '../../events/logged-request.ts'
import { openWaiters, type Waiters } from '../../events/waiters.ts'
import { holderOf } from '../authenticate.ts'
import type { SentAnswer } from '../send.ts'
import type { KeptExchange } from './block.ts'
import { exchangeOf } from './capture.ts'
import { openRings, type RingLimits, type Rings, ringLimits } from './rings.ts'
import { entryOf, messagesOf } from './show.ts'

/** The latest requests of every organisation, in the memory of this process. */
export interface RequestLog extends Required<Pick<Events, 'listRequests' | 'getRequest' | 'requestsNamed'>> {
  /** Keeps a request that has been answered. */
  keep(request: FastifyRequest, answer: SentAnswer, ms: number): void
  /** The events of the requests with this id that are remembered, as a range; undefined where none is. */
  eventsOf(organisationId: number, requestId: string): RecordedEvents | undefined
  /** Answers all long polls; from now on no request waits. */
  release(): void
}

export interface RequestLogOptions {
  /** The ids of the events in a range that a request caused. */
  eventIds(organisationId: number, requestId: string, range: RecordedEvents): Promise<string[]>
  limits?: RingLimits
  /** Maximum number of long polls at a time. */
  maxWaiting?: number
}

/** Long polls are woken together: one for each answered request would cost more than the requests. */
const WAKE_MS = 50

interface LogParts {
  rings: Rings
  waiters: Waiters
  /** A word of this process in the ids, because another process has the same numbers. */
  process: string
  eventIds: RequestLogOptions['eventIds']
}

export function openRequestLog({ eventIds, limits = ringLimits, maxWaiting = 1_000 }: RequestLogOptions): RequestLog {
  const rings = openRings(clock.nowMs, limits)
  const waiters = openWaiters({
    countersOf: async (ids) => ids.map((organisationId) => ({ organisationId, sequence: rings.head(organisationId) })),
    typesOf: async () => [],
    maxGap: 0,
    most: maxWaiting,
    pollMs: 1_000,
  })
  const parts = { rings, waiters, process: randomBytes(4).toString('hex'), eventIds }
  let isWaking = false

  function wakeSoon(): void {
    isWaking = true
    const wake = setTimeout(() => {
      isWaking = false
      waiters.look()
    }, WAKE_MS)
    wake.unref()
  }

  return {
    keep(request, answer, ms) {
      const exchange = exchangeOf(request, answer, ms)
      if (!exchange) return
      rings.add(holderOf(request).organisationId, exchange)
      if (!isWaking) wakeSoon()
    },
    listRequests: (caller, query, patience) => listRequests(parts, caller, query, patience),
    getRequest: (caller, id) => getRequest(parts, caller, id),
    requestsNamed: (caller, name, most) => requestsNamed(parts, caller, name, most),
    eventsOf: (organisationId, requestId) => eventsOf(rings, organisationId, requestId),
    release: waiters.release,
  }
}

async function listRequests(
  parts: LogParts,
  { organisationId }: Caller,
  query: ListRequestsQuery,
  patience: Patience,
): ReturnType<RequestLog['listRequests']> {
  const { rings, waiters } = parts
  const { after = 0, before = Number.MAX_SAFE_INTEGER, sort, limit = 100, wait = 0 } = query
  const deadlineMs = clock.elapsedMs() + wait * 1_000
  const descending = sort === '-sequence'
  const gone = new AbortController()
  if (wait > 0) patience.whenGone(() => gone.abort())
  const fits = filterOf(query)
  const start = after === 'latest' ? rings.head(organisationId) : after
  for (let from = start; ; ) {
    const mark = waiters.mark()
    const head = rings.head(organisationId)
    const found = firstOf(rings.range(organisationId, { after: from, before, descending }), fits, limit + 1)
    const items = found.slice(0, limit).map((one) => entryOf(one, idOf(parts, organisationId, one.sequence)))
    const more = found.length > limit
    if (items.length > 0) {
      const last = items.at(-1)?.sequence ?? from
      return new Page(items, more || after === 'latest', descending ? { before: last } : { after: last })
    }
    from = Math.max(from, head)
    const leftMs = deadlineMs - clock.elapsedMs()
    const request = { organisationId, from, filter: null, mark, ms: leftMs, gone: gone.signal }
    const woken = leftMs > 0 ? await patience.during(() => waiters.wait(request)) : undefined
    if (woken === undefined) return new Page([], after === 'latest', { after: from })
  }
}

/** One pass for both names: it takes some milliseconds where the log is full. */
function requestsNamed(parts: LogParts, { organisationId }: Caller, name: string, most: number): LoggedRequest[] {
  const all = { after: 0, before: Number.MAX_SAFE_INTEGER, descending: true }
  const isNamed = ({ intro }: KeptExchange) => intro.requestId === name || intro.idempotencyKey === name
  const found = firstOf(parts.rings.range(organisationId, all), isNamed, most)
  return found.map((one) => entryOf(one, idOf(parts, organisationId, one.sequence)))
}

async function getRequest(parts: LogParts, { organisationId }: Caller, id: string): Promise<LoggedRequestDetail> {
  const sequence = Number(/^req_\d+_(\d{1,16})_/.exec(id)?.[1])
  const exchange = parts.rings.find(organisationId, sequence)
  if (!exchange || idOf(parts, organisationId, sequence) !== id) throw new Problem('request_not_found')
  const shown = { ...entryOf(exchange, id), ...messagesOf(exchange.whole) }
  const range = { first: exchange.firstEvent, last: exchange.lastEvent }
  const events = range.first > 0 ? await parts.eventIds(organisationId, shown.requestId, range) : []
  return { ...shown, events }
}

function idOf({ process }: LogParts, organisationId: number, sequence: number): string {
  return `req_${organisationId}_${sequence}_${process}`
}

function eventsOf(rings: Rings, organisationId: number, requestId: string): RecordedEvents | undefined {
  let found: RecordedEvents | undefined
  for (const exchange of rings.range(organisationId, {
    after: 0,
    before: Number.MAX_SAFE_INTEGER,
    descending: false,
  })) {
    const { firstEvent: first, lastEvent } = exchange
    if (first === 0 || exchange.intro.requestId !== requestId) continue
    found = { first: Math.min(found?.first ?? first, first), last: Math.max(found?.last ?? 0, lastEvent) }
  }
  return found
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
    (idempotencyKey === undefined || exchange.intro.idempotencyKey === idempotencyKey) &&
    (requestId === undefined || exchange.intro.requestId === requestId)
}
