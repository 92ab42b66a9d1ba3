import type { Static } from 'typebox'
import { type LedgerTransfer, sourceTypes } from '../accounting/ledger-transfer.ts'
import type { Event } from '../events/event.ts'
import type { LoggedRequest } from '../events/requests/logged-request.ts'
import type { AnyLookedUp } from '../tools/looked-up.ts'
import type { Delivery } from '../webhooks/deliveries/delivery.ts'
import type { Input } from './call-operation.ts'
import type { Session } from './session.ts'

type FeedEvent = Static<typeof Event>

/** A request, or an act of the bank itself, with all that followed from it. */
interface Step {
  /** Null if the bank acted by itself. */
  requestId: string | null
  /** The request as the log has it; absent if the log has it no more, or is not kept. */
  requests: Partial<LoggedRequest>[]
  transfers: object[]
  events: object[]
}

interface TimeLine {
  steps: Step[]
  /** The parts that could not be read, with the reason. */
  missing: string[]
}

const MAX_EVENTS = 30
const MAX_STEPS = 8
const MAX_SOURCES = 5

/**
 * The reads of a time line. An operation that the key may not call gives nothing; one that is refused is named in `missing`.
 * After a failure of the service no further one is tried: each would wait for its time limit.
 */
interface Reader {
  list<Item>(id: string, input: Input): Promise<Item[]>
  missing: string[]
}

/** The steps around a record, oldest first: request → transfers of the ledger → events → deliveries. */
export async function timeLineOf(session: Session, found: AnyLookedUp): Promise<TimeLine> {
  const reader = openReader(session)
  const own = await eventsOf(session, reader, found)
  const causes = [...new Set(own.map(({ request }) => request.id))]
  const events = new Map(own.map((event) => [event.id, event]))
  for (const requestId of causes.filter((id) => id !== null).slice(-MAX_STEPS)) {
    const others = await reader.list<FeedEvent>('listEvents', { requestId, limit: MAX_EVENTS })
    for (const event of others) events.set(event.id, event)
  }
  const inOrder = [...events.values()].sort((one, other) => one.sequence - other.sequence).slice(-MAX_EVENTS)
  const steps = new Map<string | null, Step>()
  for (const transfer of await transfersOf(reader, found, inOrder))
    stepOf(steps, transfer.requestId).transfers.push(shownTransfer(transfer))
  const withDeliveries = await hasEndpoints(reader)
  for (const event of inOrder) {
    const deliveries = withDeliveries ? await deliveriesOf(reader, event.id) : []
    stepOf(steps, event.request.id).events.push(shownEvent(event, deliveries))
  }
  for (const step of steps.values()) {
    if (step.requestId !== null) step.requests = await requestsOf(reader, step.requestId)
  }
  return { steps: [...steps.values()], missing: reader.missing }
}

function openReader(session: Session): Reader {
  const missing: string[] = []
  let failed = false
  return {
    missing,
    list: async <Item>(id: string, input: Input) => {
      const operation = session.operations.find((one) => one.id === id)
      if (!operation || failed) return []
      const { status, content } = await session.call(operation, input, { unlogged: true })
      if (status === 200) return content as Item[]
      failed = status >= 500
      missing.push(`${id}: ${status} ${(content as { code?: string } | null)?.code ?? ''}`)
      return []
    },
  }
}

/** The events of a record; of a request and of a delivery, the events that they are about. */
async function eventsOf(session: Session, reader: Reader, { type, id, record }: AnyLookedUp): Promise<FeedEvent[]> {
  if (type === 'event') return [record as FeedEvent]
  if (type === 'request') return reader.list('listEvents', { requestId: record.requestId, limit: MAX_EVENTS })
  if (type === 'delivery') {
    const sequence = Number(record.eventId.split('_').at(-1))
    return reader.list('listEvents', { after: sequence - 1, limit: 1 })
  }
  const { entityType } = session.operations.find((one) => one.id === 'listEvents')?.query?.properties ?? {}
  if (!(entityType as { enum?: string[] } | undefined)?.enum?.includes(type)) return []
  const newest = { entityType: type, entityId: id, sort: '-sequence', limit: MAX_EVENTS }
  return (await reader.list<FeedEvent>('listEvents', newest)).reverse()
}

/** The transfers of the record itself, or of the records that its events are about. */
async function transfersOf(reader: Reader, found: AnyLookedUp, events: FeedEvent[]): Promise<LedgerTransfer[]> {
  const isSource = ({ type }: { type: string }) => sourceTypes.some((one) => one === type)
  const named = isSource(found) ? [found] : events.map(({ entity }) => entity).filter(isSource)
  const sources = new Map(named.map(({ type, id }) => [`${type} ${id}`, { sourceType: type, sourceId: id }]))
  const transfers = new Map<string, LedgerTransfer>()
  for (const source of [...sources.values()].slice(-MAX_SOURCES)) {
    const page = await reader.list<LedgerTransfer>('listLedgerTransfers', { ...source, limit: MAX_EVENTS })
    for (const transfer of page) transfers.set(transfer.id, transfer)
  }
  return [...transfers.values()].sort((one, other) => Number(one.id) - Number(other.id))
}

function stepOf(steps: Map<string | null, Step>, requestId: string | null): Step {
  const step = steps.get(requestId) ?? { requestId, requests: [], transfers: [], events: [] }
  steps.set(requestId, step)
  return step
}

async function hasEndpoints(reader: Reader): Promise<boolean> {
  return (await reader.list('listWebhookEndpoints', { limit: 1 })).length > 0
}

async function deliveriesOf(reader: Reader, eventId: string): Promise<object[]> {
  const deliveries = await reader.list<Delivery>('listAllDeliveries', { eventId, limit: 10 })
  return deliveries.map(({ id, endpointId, status, nextAttemptAt, attempts }) => ({
    id,
    endpointId,
    status,
    nextAttemptAt,
    attempts: attempts.length,
    last: attempts.at(-1) ?? null,
  }))
}

async function requestsOf(reader: Reader, requestId: string): Promise<Partial<LoggedRequest>[]> {
  const requests = await reader.list<LoggedRequest>('listRequests', { requestId, limit: 5 })
  return requests.map(({ sequence: _sequence, requestId: _requestId, ...shown }) => shown)
}

function shownTransfer({ requestId: _requestId, ...transfer }: LedgerTransfer): object {
  return transfer
}

/** Without its data, which is the record as it was then. */
function shownEvent({ id, type, timestamp, entity }: FeedEvent, deliveries: object[]): object {
  return { id, type, timestamp, entity: `${entity.type} ${entity.id}`, ...(deliveries.length > 0 && { deliveries }) }
}
