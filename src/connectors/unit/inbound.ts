import { getAccount } from '../../banking/accounts/get-account.ts'
import { getPayment } from '../../banking/payments/get-payment.ts'
import { invalidRequest, Problem, UpstreamProblem } from '../../base/problem.ts'
import type { Queryable } from '../../database/database.ts'
import { type EntityType, type EventDraft, type EventType, eventTypes } from '../../events/event.ts'
import {
  type Arrived,
  hmacCheck,
  type InboundSource,
  nextVersions,
  type TakeIn,
  unreadableReport,
} from '../../events/inbound/inbound.ts'
import type { UpstreamPurchase } from '../../rewards/purchases.ts'
import { depositAccount } from './mapping/account.ts'
import { receivedPayment } from './mapping/received-payment.ts'
import { type Connector, connectorOf, type UnitParts } from './parts.ts'
import { purchaseReader, type ReadPurchase } from './purchases.ts'
import { readingOnce } from './read-once.ts'
import { childOf, Garbled, type Resource, relatedId, resourceOf } from './resource.ts'
import { statementsOfMonth } from './statements-of-month.ts'
import { openUnitBank, type UnitBank } from './unit.ts'

export interface UnitInboundOptions {
  webhookSecret: string
  /** Reads the records that the upstream's events name. */
  parts: UnitParts
  /** Lets a purchase earn a reward, if its card is linked. */
  takePurchase(transaction: Queryable, organisationId: number, purchase: UpstreamPurchase): Promise<EventDraft[]>
}

/** The reads of one delivery. */
interface Reading {
  bank: UnitBank
  connector: Connector
  readPurchase: ReadPurchase
}

/** Unit's webhooks, which become our events. Unit names a record without its content, so that it is read now. */
export function unitInbound({ webhookSecret, parts, takePurchase }: UnitInboundOptions): InboundSource {
  return {
    provider: 'unit',
    signatureHeader: 'x-unit-signature',
    isAuthentic: hmacCheck('sha1', webhookSecret),
    read(content) {
      const events = eventsIn(content)
      const own = { ...parts, client: readingOnce(parts.client) }
      const reading = { bank: openUnitBank(own), connector: connectorOf(own), readPurchase: purchaseReader(own) }
      return events.map((event) => reportOf(event, reading, takePurchase))
    },
  }
}

type TakePurchase = UnitInboundOptions['takePurchase']

/** Reads the record of an event. Undefined for one that the interface does not know. */
type ReadRecord = (reading: Reading, id: string, event: Resource) => Promise<unknown>

/** A caller for reads. The credential decides whose records they are. */
const nobody = { organisationId: 0, keyId: 0 }

/** How the record of each kind is read. An event of any other kind is stored and emits nothing. */
const readers = new Map<string, ReadRecord>(
  Object.entries({
    // Credit and wallet accounts are unknown to the interface.
    account: ({ connector }, id) =>
      connector.one(getAccount, [id], `/accounts/${id}`, (resource) =>
        resource.type === 'depositAccount' ? depositAccount(resource) : undefined,
      ),
    application: ({ bank }, id) => bank.getApplication(nobody, id),
    authorization: ({ bank }, id) => bank.getAuthorization(nobody, id),
    card: ({ bank }, id) => bank.getCard(nobody, id),
    customer: ({ bank }, id) => bank.getCustomer(nobody, id),
    async document({ bank }, id, event) {
      const { documents } = await bank.getApplication(nobody, relatedId(event, 'application') ?? '')
      const document = documents.find((one) => one.id === id)
      if (!document) throw new Problem('document_not_found')
      return document
    },
    payment: ({ bank }, id) => bank.getPayment(nobody, id),
    receivedPayment: ({ connector }, id) =>
      connector.one(getPayment, [id], `/received-payments/${id}`, receivedPayment),
    transaction: ({ bank }, id, event) =>
      bank.getTransaction(nobody, { transactionId: id, accountId: relatedId(event, 'account') ?? '' }),
  } satisfies Partial<Record<EntityType, ReadRecord>>),
)

/** The report of an event; unreadable if the event breaks Unit's own form. */
function reportOf({ id: upstreamId, type, event }: UnitEvent, reading: Reading, take: TakePurchase): Arrived {
  if (!event) return unreadableReport({ upstreamId, type }, 'the event is not in the form of Unit')
  if (type === 'statements.created') return { upstreamId, type, fetch: () => statementsIn(event, reading) }
  const ours = eventTypes.find((one) => one === type)
  const [kind = ''] = type.split('.')
  const read = readers.get(kind)
  if (!ours || !read) return { upstreamId, type, fetch: async () => async () => [] }
  const id = relatedId(event, kind)
  const named = id !== undefined && isShort(id) && { record: { type: kind as EntityType, id } }
  return { upstreamId, type, ...named, fetch: () => recordIn(event, { ours, kind, id, read }, reading, take) }
}

interface Known {
  ours: EventType
  kind: string
  id: string | undefined
  read: ReadRecord
}

/** Reads the record of an event, and the purchase that a transaction may be. */
async function recordIn(event: Resource, known: Known, reading: Reading, take: TakePurchase): Promise<TakeIn> {
  const { ours, kind, id, read } = known
  if (id === undefined) throw lasting(`The event names no ${kind}.`)
  const data = await read(reading, id, event)
  if (data === undefined) return async () => []
  const accountId = ours === 'transaction.created' ? relatedId(event, 'account') : undefined
  const purchase = accountId === undefined ? undefined : await reading.readPurchase(accountId, id)
  return async (transaction, organisationId) => {
    const versions = await nextVersions(transaction, organisationId, kind, [id])
    const drafts: EventDraft[] = [{ type: ours, id, version: versions.get(id) ?? 1, data }]
    if (purchase) drafts.push(...(await take(transaction, organisationId, purchase)))
    return drafts
  }
}

/** Reads the statements of a month, which Unit announces by one event for all accounts. */
async function statementsIn({ attributes }: Resource, { connector }: Reading): Promise<TakeIn> {
  const { period } = attributes
  if (typeof period !== 'string' || !/^\d{4}-\d\d$/.test(period)) throw lasting('The event names no month.')
  const statements = await statementsOfMonth(connector, period)
  return async (transaction, organisationId) => {
    const ids = statements.map(({ id }) => id)
    const versions = await nextVersions(transaction, organisationId, 'statement', ids)
    // A statement is created once, even if Unit announces its month again.
    const created = statements.filter(({ id }) => versions.get(id) === 1)
    return created.map((data) => ({ type: 'statement.created', id: data.id, version: 1, data }))
  }
}

function lasting(detail: string): UpstreamProblem {
  return new UpstreamProblem('upstream_error', { detail, lasting: true })
}

interface UnitEvent {
  id: string
  type: string
  /** Absent if the rest of the event is not in Unit's form. */
  event: Resource | undefined
}

/** The events of a body. Throws for a body in which one has no id or no type, because it could not be recognised again. */
function eventsIn(content: unknown): UnitEvent[] {
  const { data } = childOf(content)
  const events = Array.isArray(data) ? data.map(eventOf) : [undefined]
  if (events.every((event) => event !== undefined)) return events
  throw invalidRequest([{ pointer: '', code: 'unreadable', message: 'the body is not a webhook of Unit' }])
}

function eventOf(value: unknown): UnitEvent | undefined {
  const { id, type } = childOf(value)
  if (!isShort(id) || !isShort(type)) return undefined
  try {
    return { id, type, event: resourceOf(value) }
  } catch (error) {
    if (!(error instanceof Garbled)) throw error
    return { id, type, event: undefined }
  }
}

function isShort(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]{1,200}$/.test(value)
}
