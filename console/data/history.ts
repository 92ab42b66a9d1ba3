import { useQuery } from '@tanstack/react-query'
import type { Delivery, Event, LedgerTransfer, LoggedRequest, Purser } from '../../client/src/index.ts'
import { useSession } from './purser.tsx'

/** One cause and its effects: a request, or the bank itself, with the transfers, events and deliveries that followed. */
export interface Step {
  requestId: string | null
  requests: LoggedRequest[]
  transfers: LedgerTransfer[]
  events: Event[]
  deliveries: Delivery[]
  /** The number of further events of the same request, which are about other records. */
  others: number
}

const MAX_STEPS = 20
const MAX_EVENTS = 50
/** Of a request that caused more events, only those about the record and its transfers are shown. */
const SHOWN_EVENTS = 8

/** The history of a record, oldest first. */
export function useHistory(entityType: string, entityId: string, enabled: boolean) {
  const { purser, me } = useSession()
  const may = (operation: string) => me.operations.includes(operation)
  return useQuery({
    queryKey: ['listEvents', { query: { entityType, entityId, limit: MAX_EVENTS } }, 'history'],
    queryFn: () => historyOf(purser, may, entityType, entityId),
    enabled: enabled && may('listEvents'),
  })
}

async function historyOf(
  purser: Purser,
  may: (operation: string) => boolean,
  entityType: string,
  entityId: string,
): Promise<Step[]> {
  const own = { entityType: entityType as 'payment', entityId, limit: MAX_EVENTS }
  const { data: events } = await purser.events.list(own).page()
  const steps = new Map<string | null, Step>()
  const stepOf = (requestId: string | null) => {
    const step = steps.get(requestId) ?? {
      requestId,
      requests: [],
      transfers: [],
      events: [],
      deliveries: [],
      others: 0,
    }
    steps.set(requestId, step)
    return step
  }
  for (const requestId of new Set(events.map(({ request }) => request.id).slice(-MAX_STEPS))) {
    if (requestId === null) continue
    stepOf(requestId).events = (await purser.events.list({ requestId, limit: MAX_EVENTS }).page()).data
  }
  for (const event of events) {
    const step = stepOf(event.request.id)
    if (!step.events.some(({ id }) => id === event.id)) step.events.push(event)
  }
  if (may('listLedgerTransfers') && ['payment', 'authorization', 'reward'].includes(entityType)) {
    const source = { sourceType: entityType as 'payment', sourceId: entityId, limit: MAX_EVENTS }
    for (const transfer of (await purser.ledger.listTransfers(source).page()).data) {
      stepOf(transfer.requestId).transfers.push(transfer)
    }
  }
  for (const step of steps.values()) shorten(step, entityId)
  await Promise.all([...steps.values()].map((step) => addCauses(purser, may, step)))
  return [...steps.values()].sort((one, other) => firstSequence(one) - firstSequence(other))
}

function shorten(step: Step, entityId: string): void {
  if (step.events.length <= SHOWN_EVENTS) return
  const transactions = step.transfers.flatMap(({ debit, credit }) => [debit.transactionId, credit.transactionId])
  const own = step.events.filter(({ entity: { id } }) => id === entityId || transactions.includes(id))
  step.others = step.events.length - own.length
  step.events = own
}

/** Adds the request that caused a step, and the deliveries of its events. */
async function addCauses(purser: Purser, may: (operation: string) => boolean, step: Step): Promise<void> {
  const { requestId } = step
  if (requestId !== null && may('listRequests')) {
    step.requests = (await purser.requests.list({ requestId, limit: 5 }).page()).data
  }
  if (!may('listAllDeliveries')) return
  const pages = step.events.slice(0, 10).map(({ id }) => purser.deliveries.list({ eventId: id, limit: 10 }).page())
  step.deliveries = (await Promise.all(pages)).flatMap(({ data }) => data)
}

function firstSequence({ events }: Step): number {
  return Math.min(...events.map(({ sequence }) => sequence))
}
