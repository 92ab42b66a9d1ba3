import { words, wordsWithin } from '../../ground/words.ts'
import { allows } from '../access/api-key.ts'
import { type LedgerTransfer, type SourceType, sourceTypes } from '../accounting/ledger-transfer.ts'
import { addMs } from '../base/clock.ts'
import { lacksScope } from '../base/operation.ts'
import { Page } from '../base/page.ts'
import { Problem } from '../base/problem.ts'
import { entityType, eventTypes } from '../events/event.ts'
import type { Past, PastEvent } from '../events/past.ts'
import type { LoggedRequest } from '../events/requests/logged-request.ts'
import type { HistoryFile, HistoryStep } from './history-step.ts'
import type { ListHistoryQuery } from './list-history.ts'
import { type LookUp, readRecord, requireReadable } from './readers.ts'
import type { RecordOf, RecordType } from './record-types.ts'
import type { Asker, Traces } from './tools.ts'

const eventEntities = new Set<string>(eventTypes.map(entityType))
/** A page has at most 100 events of the record; each moves money once or twice. */
const MAX_TRANSFERS = 300
/** An event is recorded after the transfers of its commit, which waits for locks in between. */
const COMMIT_MS = 60_000

interface Named {
  type: RecordType
  id: string
}

/** A step, and the number of its first event. */
interface Open extends HistoryStep {
  near: number
}

/** The steps of a record that follow an event, oldest first. */
export async function listHistory(
  lookUp: LookUp,
  asker: Asker,
  named: Named,
  { after = 0, limit = 20 }: ListHistoryQuery,
): Promise<Page<HistoryStep>> {
  if (!allows(asker.holder, 'events:read')) throw lacksScope('events:read')
  requireReadable(asker, named.type)
  const moments = momentsOf[named.type]
  if (moments) return ownMoments(lookUp, asker, named, { after, moments })
  const past = await pastOf(lookUp, asker, named, { after, limit })
  if (past.events.length === 0) {
    if (past.before === undefined) await requireRecord(lookUp, asker, named)
    return new Page<HistoryStep>([], past.next !== undefined, { after: past.next ?? 0 })
  }
  const traces = await tracesOf(lookUp, asker, named, past)
  const steps = stepsOf(named, past, traces)
  await addTransfers(lookUp, asker, named, { past, steps })
  for (const file of traces.files) addFile(named.type, steps, file)
  await addDeliveries(lookUp, asker, steps)
  await addRequests(lookUp, asker, steps)
  return new Page(inOrder(steps), past.next !== undefined, { after: past.next ?? 0 })
}

async function pastOf(
  { events }: LookUp,
  { holder }: Asker,
  { type, id }: Named,
  page: { after: number; limit: number },
) {
  const none: Past = { events: [], before: undefined, next: undefined }
  return eventEntities.has(type) ? events.pastOf(holder, { type, id }, page) : none
}

/** A record without events may be one whose events are past their retention, or none at all. */
async function requireRecord<T extends RecordType>(
  lookUp: LookUp,
  asker: Asker,
  { type, id }: { type: T; id: string },
): Promise<RecordOf<T>> {
  const record = await readRecord(lookUp, asker, type, id)
  if (!record) throw new Problem('record_not_found')
  return record
}

type Moments = [status: string, at: string | undefined][]

/** The states of records that have no events, with the times at which they began. */
const momentsOf: { [T in RecordType]?: (record: RecordOf<T>) => Moments } = {
  achBatch: ({ createdAt, settledAt, rejectedAt }) => [
    ['Clearing', createdAt],
    ['Settled', settledAt],
    ['Rejected', rejectedAt],
  ],
  achFile: ({ direction, createdAt, deliveredAt }) => [
    [direction === 'Outgoing' ? 'Built' : 'Taken', createdAt],
    ['Delivered', deliveredAt],
  ],
}

/** The history of a record without events: its states and its transfers. It fits a page. */
async function ownMoments(
  lookUp: LookUp,
  asker: Asker,
  named: Named,
  { after, moments }: { after: number; moments(record: never): Moments },
): Promise<Page<HistoryStep>> {
  const record = await requireRecord(lookUp, asker, named)
  if (after > 0) return new Page<HistoryStep>([], false)
  let before: string | null = null
  const steps = moments(record as never).flatMap(([status, at]) => {
    if (at === undefined) return []
    const step = emptyStep({ at, requestId: null, idempotencyKey: null, apiKey: null, sequence: 0 })
    step.changes.push({ type: `${named.type}.${status.toLowerCase()}`, status, before, reason: null, code: null })
    before = status
    return [step]
  })
  await addTransfers(lookUp, asker, named, { past: { events: [], before: undefined, next: undefined }, steps })
  return new Page(inOrder(steps), false)
}

function inOrder(steps: Open[]): HistoryStep[] {
  return steps.sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : one.near - other.near)).map(shown)
}

async function tracesOf(
  { directory, connected }: LookUp,
  { holder }: Asker,
  { type, id }: Named,
  { events }: Past,
): Promise<Traces> {
  if (connected) return { files: [], review: undefined, reasons: [] }
  const requestIds = [...new Set(events.flatMap(({ requestId }) => requestId ?? []))]
  return directory.traces({ type, organisationId: holder.organisationId, id }, requestIds)
}

/** The steps of events: those of one request together, and those of the bank at one moment. */
function stepsOf({ type, id }: Named, { events, before }: Past, { reasons, review }: Traces): Open[] {
  const steps = new Map<string, Open>()
  let status = before ? statusOf(before) : null
  for (const event of events) {
    const name = event.requestId ?? `bank ${event.at}`
    const step = steps.get(name) ?? emptyStep(event)
    steps.set(name, step)
    const given = reasons.find(({ requestId, action }) => requestId === event.requestId && action === event.type)
    const next = statusOf(event)
    const isReviewed =
      event.type === 'payment.pendingReview' || (event.type === 'payment.created' && next === 'PendingReview')
    if (isReviewed && review) step.reviews = [review]
    const why = given
      ? { reason: given.reason, code: null }
      : isReviewed
        ? reasonInWords(review?.reason)
        : reasonOf(event)
    step.changes.push({ type: event.type, status: next, before: status, ...why })
    step.events.push({ id: event.id, type: event.type, entity: { type, id } })
    status = next
  }
  return [...steps.values()]
}

function emptyStep({ at, requestId, idempotencyKey, apiKey, sequence }: Omit<PastEvent, 'id' | 'type' | 'data'>): Open {
  return {
    at,
    day: at.slice(0, 10),
    summary: '',
    cause: { type: requestId === null ? 'bank' : 'request', requestId, idempotencyKey, apiKey, request: null },
    changes: [],
    transfers: null,
    events: [],
    deliveries: null,
    files: [],
    reviews: [],
    near: sequence,
  }
}

function statusOf({ data: { status, state } }: PastEvent): string | null {
  return textOr(status) ?? textOr(state)
}

function textOr(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** Why a record changed, as the record itself says it. */
function reasonOf({ type, data }: PastEvent): { reason: string | null; code: string | null } {
  const { returnCode, returnReason, closeReason, disabledReason, reason } = data
  if (textOr(returnCode)) return { reason: textOr(returnReason), code: textOr(returnCode) }
  if (/^(authorization|accountHold)\./.test(type)) return reasonInWords(reason)
  if (type === 'account.closed') return reasonInWords(closeReason)
  if (type === 'webhookEndpoint.disabled') return reasonInWords(disabledReason)
  return { reason: textOr(reason), code: null }
}

/** A reason that is a word, such as InsufficientFunds. */
function reasonInWords(word: unknown): { reason: string | null; code: string | null } {
  const code = textOr(word)
  return { reason: code && words(code), code }
}

/** Adds the transfers of the page's time, each to the request or the moment that made it, with the events of their transactions. */
async function addTransfers(
  { accounting, connected, events }: LookUp,
  { holder }: Asker,
  { type, id }: Named,
  { past, steps }: { past: Past; steps: Open[] },
): Promise<void> {
  if (connected || !accounting || !allows(holder, 'banking:read')) return
  for (const step of steps) step.transfers = []
  if (!sourceTypes.includes(type as SourceType)) return
  const last = past.events.at(-1)?.at ?? ''
  const { items } = await accounting.listLedgerTransfers(holder, {
    sourceType: type as SourceType,
    sourceId: id,
    sort: 'createdAt',
    limit: MAX_TRANSFERS,
    ...(past.before && { since: past.before.at }),
    ...(past.next !== undefined && { until: addMs(last, 1) }),
  })
  const wanted: { transactionId: string; near: number }[] = []
  for (const transfer of items) {
    const step = stepOfTransfer(steps, transfer)
    step.transfers?.push(transfer)
    for (const { transactionId } of [transfer.debit, transfer.credit])
      if (transactionId !== null && step.near > 0) wanted.push({ transactionId, near: step.near })
  }
  for (const { id: eventId, transactionId } of await events.transactionEvents(holder, wanted)) {
    const step = steps.find(({ transfers }) => transfers?.some((transfer) => hasSide(transfer, transactionId)))
    step?.events.push({ id: eventId, type: 'transaction.created', entity: { type: 'transaction', id: transactionId } })
  }
}

function hasSide({ debit, credit }: LedgerTransfer, transactionId: string): boolean {
  return debit.transactionId === transactionId || credit.transactionId === transactionId
}

/** The step of a transfer: that of its request, or the bank's next one of the same commit; otherwise one of its own. */
function stepOfTransfer(steps: Open[], { requestId, createdAt }: LedgerTransfer): Open {
  const end = addMs(createdAt, COMMIT_MS)
  const found =
    requestId === null
      ? steps.find(({ cause, at }) => cause.requestId === null && at >= createdAt && at <= end)
      : steps.find(({ cause }) => cause.requestId === requestId)
  if (found) return found
  const made = emptyStep({ at: createdAt, requestId, idempotencyKey: null, apiKey: null, sequence: 0 })
  made.transfers = []
  steps.push(made)
  return made
}

/** Adds a file to the step in which the payment left or came back, or a received one arrived or went back, if that is on this page. */
function addFile(type: RecordType, steps: Open[], file: HistoryFile): void {
  const arrives = type === 'receivedPayment' && file.direction === 'Incoming'
  const status = type === 'payment' && file.direction === 'Outgoing' ? 'Clearing' : 'Returned'
  const enters = (change: HistoryStep['changes'][number]) =>
    arrives ? change.before === null : change.status === status && change.before !== status
  steps.find(({ changes }) => changes.some(enters))?.files.push(file)
}

async function addDeliveries({ webhooks }: LookUp, { holder }: Asker, steps: Open[]): Promise<void> {
  if (!allows(holder, 'webhooks:write')) return
  const numbers = steps.flatMap(({ events }) => events.map(({ id }) => numberIn(id)))
  const deliveries = await webhooks.deliveriesOf(holder, [...new Set(numbers)])
  for (const step of steps) {
    const ids = new Set(step.events.map(({ id }) => id))
    step.deliveries = deliveries.filter(({ eventId }) => ids.has(eventId))
  }
}

/** The number in the id of an event, `evt_<organisation>_<number>`. */
function numberIn(eventId: string): number {
  return Number(eventId.split('_')[2])
}

/** Adds the requests that the log of a sandbox still has. */
async function addRequests({ events }: LookUp, { holder }: Asker, steps: Open[]): Promise<void> {
  for (const { cause } of steps) {
    const { requestId } = cause
    if (requestId === null || !events.requestsNamed) continue
    const named = await events.requestsNamed(holder, requestId, 5)
    const request = named.find((one) => one.requestId === requestId && isWrite(one))
    if (!request) continue
    const { id, method, path, operation, status } = request
    cause.request = { id, method, path, operation, status }
  }
}

/** The caller may choose the request id, and repeat it: the one that changed something is meant. */
function isWrite({ method, status, replayed }: LoggedRequest): boolean {
  return method !== 'GET' && method !== 'HEAD' && status < 400 && !replayed
}

function shown({ near: _near, ...step }: Open): HistoryStep {
  return { ...step, summary: summaryOf(step) }
}

/** `Payment returned: Account closed (R02)`. */
function summaryOf({ changes, transfers }: HistoryStep): string {
  const parts = changes.map(({ type, reason, code }) => {
    const isWord = code !== null && reason === words(code)
    const why = reason === null ? '' : `: ${reason}`
    return `${words(type)}${why}${code === null || isWord ? '' : ` (${code})`}`
  })
  if (parts.length > 0) return parts.join('; ')
  return `Money moved: ${(transfers ?? []).map(({ kind }) => wordsWithin(kind)).join(', ')}`
}
