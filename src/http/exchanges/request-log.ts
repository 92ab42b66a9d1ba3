import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { clock } from '../../base/clock.ts'
import type { Caller, Patience, RecordedEvents } from '../../base/operation.ts'
import { Page } from '../../base/page.ts'
import type { Peers } from '../../base/peers/peers.ts'
import { Problem } from '../../base/problem.ts'
import type { Events } from '../../events/events.ts'
import type { ListRequestsQuery } from '../../events/requests/list-requests.ts'
import type { LoggedRequestDetail } from '../../events/requests/logged-request.ts'
import { openWaiters, type Waiters } from '../../events/waiters.ts'
import { holderOf } from '../authenticate.ts'
import type { SentAnswer } from '../send.ts'
import { type AllRequests, onlyOwn, requestsOfAll } from './all-requests.ts'
import { exchangeOf } from './capture.ts'
import { openSharedNumbers } from './numbers.ts'
import { ownRequests } from './own-requests.ts'
import { openRings, type RingLimits, ringLimits } from './rings.ts'

/** The latest requests of every organisation, in the memory of the process that answered them. */
export interface RequestLog extends Required<Pick<Events, 'listRequests' | 'getRequest' | 'requestsNamed'>> {
  /** Keeps a request that has been answered. */
  keep(request: FastifyRequest, answer: SentAnswer, ms: number): void
  /** The events of the requests with this id that are remembered, as a range; undefined if none is. */
  eventsOf(organisationId: number, requestId: string): Promise<RecordedEvents | undefined>
  /** Answers all long polls; from now on no request waits. */
  release(): void
}

export interface RequestLogOptions {
  /** The ids of the events in a range that a request caused. */
  eventIds(organisationId: number, requestId: string, range: RecordedEvents): Promise<string[]>
  limits?: RingLimits
  /** Maximum number of long polls at a time. */
  maxWaiting?: number
  /** The other processes behind the same port, whose requests are shown, too. */
  peers?: Peers | undefined
}

/** Long polls are woken together: one for each answered request would cost more than the requests. */
const WAKE_MS = 50
/** Time between two looks at the requests of other processes. */
const PEERS_POLL_MS = 250

interface LogParts {
  log: AllRequests
  waiters: Waiters
  eventIds: RequestLogOptions['eventIds']
}

export function openRequestLog(options: RequestLogOptions): RequestLog {
  const { eventIds, limits = ringLimits, maxWaiting = 1_000, peers } = options
  const numbers = peers && openSharedNumbers(clock.nowMs, peers.number, peers.count)
  const rings = openRings(clock.nowMs, limits, numbers?.next)
  const own = ownRequests(rings, randomBytes(4).toString('hex'))
  const log = peers && numbers ? requestsOfAll(own, numbers, peers) : onlyOwn(own)
  const waiters = openWaiters({
    countersOf: log.heads,
    typesOf: async () => [],
    maxGap: 0,
    most: maxWaiting,
    pollMs: peers ? PEERS_POLL_MS : 1_000,
  })
  const parts = { log, waiters, eventIds }
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
    requestsNamed: ({ organisationId }, name, most) => log.named({ organisationId, name, most }),
    eventsOf: (organisationId, requestId) => log.eventsOf({ organisationId, requestId }),
    release: waiters.release,
  }
}

async function listRequests(
  { log, waiters }: LogParts,
  { organisationId }: Caller,
  query: ListRequestsQuery,
  patience: Patience,
): ReturnType<RequestLog['listRequests']> {
  const { after = 0, before = Number.MAX_SAFE_INTEGER, sort, limit = 100, wait = 0 } = query
  const deadlineMs = clock.elapsedMs() + wait * 1_000
  const descending = sort === '-sequence'
  const gone = new AbortController()
  if (wait > 0) patience.whenGone(() => gone.abort())
  const start = after === 'latest' ? await log.head(organisationId) : after
  for (let from = start; ; ) {
    const mark = waiters.mark()
    const wanted = { organisationId, query, after: from, before, descending, most: limit + 1 }
    const { found, head } = await log.list(wanted)
    const items = found.slice(0, limit)
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

async function getRequest(
  { log, eventIds }: LogParts,
  { organisationId }: Caller,
  id: string,
): Promise<LoggedRequestDetail> {
  const found = await log.find({ organisationId, id })
  if (!found) throw new Problem('request_not_found')
  const { range, ...shown } = found
  const events = range.first > 0 ? await eventIds(organisationId, shown.requestId, range) : []
  return { ...shown, events }
}
