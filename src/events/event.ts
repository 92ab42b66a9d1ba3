import { type Static, type TSchema, Type } from 'typebox'
import { described, Timestamp } from '../base/text.ts'

/**
 * Every event type. The part before the dot names the kind of record. `verificationToken.created` carries the customer and
 * the expiry, never the token. `upstreamEvent.failed` is about an event of a provider that could not be applied.
 */
export const eventTypes = [
  'account.created',
  'account.closed',
  'account.reopened',
  'account.frozen',
  'account.unfrozen',
  'account.limitsChanged',
  'account.paymentsBlocked',
  'account.paymentsReleased',
  'accountHold.created',
  'accountHold.released',
  'accountHold.expired',
  'achException.resolved',
  'apiKey.created',
  'apiKey.rotated',
  'apiKey.revoked',
  'apiKey.scopesChanged',
  'application.created',
  'application.awaitingDocuments',
  'application.pendingReview',
  'application.approved',
  'application.denied',
  'application.canceled',
  'auditLog.exported',
  'authorization.created',
  'authorization.declined',
  'authorization.amountChanged',
  'authorization.incrementDeclined',
  'authorization.canceled',
  'authorization.completed',
  'authorization.overSettled',
  'authorization.reviewed',
  'campaign.created',
  'campaign.updated',
  'campaign.budgetReached',
  'campaignOffer.created',
  'campaignOffer.updated',
  'card.created',
  'card.activated',
  'card.replaced',
  'card.statusChanged',
  'card.referenceChanged',
  'card.limitsChanged',
  'customer.created',
  'customer.updated',
  'customer.archived',
  'customer.erased',
  'document.requested',
  'document.viewed',
  'document.approved',
  'document.rejected',
  'externalAccount.created',
  'externalAccount.approved',
  'externalAccount.rejected',
  'externalAccount.corrected',
  'externalAccount.mandateGiven',
  'externalAccount.mandateRevoked',
  'externalAccount.verificationStarted',
  'externalAccount.verificationSent',
  'externalAccount.verificationAttempted',
  'externalAccount.verificationFailed',
  'externalAccount.verified',
  'externalAccount.deleted',
  'offerActivation.created',
  'offerActivation.updated',
  'organisation.created',
  'organisation.limitsChanged',
  'partnerUser.created',
  'partnerUser.updated',
  'partnerUserCard.created',
  'partnerUserCard.updated',
  'payment.created',
  'payment.pendingReview',
  'payment.pending',
  'payment.clearing',
  'payment.sent',
  'payment.rejected',
  'payment.canceled',
  'payment.returned',
  'person.signedIn',
  'person.signInRefused',
  'person.signedOut',
  'person.sessionEnded',
  'person.invited',
  'person.roleChanged',
  'person.removed',
  'personalData.viewed',
  'proposal.created',
  'proposal.approved',
  'proposal.executed',
  'proposal.failed',
  'proposal.rejected',
  'proposal.withdrawn',
  'proposal.expired',
  'receivedPayment.created',
  'receivedPayment.advanced',
  'receivedPayment.completed',
  'receivedPayment.markedForReturn',
  'receivedPayment.returned',
  'recurringPayment.created',
  'recurringPayment.changed',
  'recurringPayment.paused',
  'recurringPayment.resumed',
  'recurringPayment.canceled',
  'recurringPayment.completed',
  'recurringPayment.stopped',
  'recurringPayment.runSucceeded',
  'recurringPayment.runWaiting',
  'recurringPayment.runSkipped',
  'recurringPayment.runFailed',
  'reward.created',
  'reward.amountChanged',
  'reward.confirmed',
  'reward.paid',
  'reward.rejected',
  'reward.reversed',
  'reward.clawedBack',
  'rewardableTransaction.created',
  'rewardPayment.created',
  'statement.created',
  'transaction.created',
  'upstreamEvent.failed',
  'verificationToken.created',
  'webhookEndpoint.created',
  'webhookEndpoint.deleted',
  'webhookEndpoint.disabled',
  'webhookEndpoint.secretRotated',
  'webhookEndpoint.updated',
] as const
export type EventType = (typeof eventTypes)[number]

/** A kind of record, as event types name it. */
export type EntityType = EventType extends `${infer Entity}.${string}` ? Entity : never

/** An event before it is numbered and stored. */
export type EventDraft = {
  type: EventType
  id: string
  /** The record's own version after the change; 1 when it is new. */
  version: number
  /** Id of the customer or application whose key seals the data, which an erasure destroys. */
  sealedFor?: number
} & Shown

/** The record as the interface shows it, and its JSON if the caller has it already. */
type Shown =
  | { data: unknown; json?: string; fromRow?: undefined }
  | { data?: undefined; json: string; fromRow?: undefined }
  /**
   * It shows columns that never change, and `fromRow` is their text, as they are stored. It is stored without data, which is
   * rendered from them whenever it is read; the chain of hashes covers the text in its place.
   */
  | { fromRow: string; data?: unknown; json?: undefined }

/** Collects the events of a change. They are written with the change, in the last statement before COMMIT. */
export interface EventSink {
  push(event: EventDraft): void
}

/** Emits the event of a changed record and returns the record. */
export function emit<Data extends { id: string | number }>(
  events: EventSink,
  type: EventType,
  version: number,
  data: Data,
): Data {
  events.push({ type, id: String(data.id), version, data })
  return data
}

/** The same for a record with personal data, which is stored sealed with the key of a customer or an application. */
export function emitSealed<Data extends { id: string | number }>(
  events: EventSink,
  sealedFor: number,
  type: EventType,
  version: number,
  data: Data,
): Data {
  events.push({ type, id: String(data.id), version, data, sealedFor })
  return data
}

/** The key and the request that caused a change; all null if the bank made it by itself. */
export interface Origin {
  organisationId: number
  apiKeyId: number | null
  requestId: string | null
  idempotencyKey: string | null
}

/** An event as it is stored. */
export interface StoredEvent extends Origin {
  sequence: number
  type: string
  entityId: string
  entityVersion: number
  createdAt: string
  /** The mark of the database's history in which it was written; null in the first one. */
  history: string | null
  /** JSON; null if it is rendered from the record. */
  data: string | null
}

/** An event with its data, as it is sent. */
export interface CompleteEvent extends StoredEvent {
  data: string
}

const nullableText = (description: string) => Type.Union([Type.String(), Type.Null()], { description })

/** An event type: when it is emitted, the record in its `data`, and an event of this type that was really emitted. */
export interface EventKind {
  type: EventType
  description: string
  data: TSchema
  /** An event of this type as the service emitted it in a test. */
  sample: Event
}

const EventEntity = Type.Object(
  {
    type: Type.String({
      description: 'Type of the record: the part of the event type before the dot',
      examples: ['payment'],
    }),
    id: Type.String({ description: 'Id of the record', examples: ['1000042'] }),
    version: Type.Integer({
      description: 'Number of the change of this record, 1 for a new one. Ignore versions that you have seen',
    }),
  },
  { $id: 'EventEntity', description: 'The record that changed, and its version after the change' },
)
const EventRequest = Type.Object(
  {
    id: nullableText('`X-Request-Id` of the request'),
    idempotencyKey: nullableText('Idempotency key of the request; null if the caller sent none'),
  },
  {
    $id: 'EventRequest',
    description: 'The request that made the change; its members are null if the bank made it by itself',
  },
)

/** An event as feed and webhooks show it. */
export const Event = Type.Object(
  {
    id: Type.String({ description: 'Id of the event, also the header `webhook-id`', examples: ['evt_1000001_42'] }),
    type: Type.String({ description: 'Type of the event', examples: ['payment.created'] }),
    timestamp: described(Timestamp, 'Time of the change, in bank time'),
    apiVersion: Type.String({ description: 'Version of the interface that `data` follows', examples: ['v0'] }),
    sequence: Type.Integer({ minimum: 1, description: 'Number of the event within the organisation, without gaps' }),
    entity: EventEntity,
    data: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'The record after the change, as its own operation shows it. After the erasure of its customer only `id` and `erased: true`',
    }),
    request: EventRequest,
  },
  { $id: 'Event', description: 'A change of a record' },
)
export type Event = Static<typeof Event>

const API_VERSION = 'v0'

/** The JSON of an event as feed and webhooks send it, with the data unchanged to the byte. */
export function envelope(event: CompleteEvent, id = eventId(event)): string {
  const before = {
    id,
    type: event.type,
    timestamp: event.createdAt,
    apiVersion: API_VERSION,
    sequence: event.sequence,
    entity: { type: entityType(event.type), id: event.entityId, version: event.entityVersion },
  }
  const request = { id: event.requestId, idempotencyKey: event.idempotencyKey }
  return `${JSON.stringify(before).slice(0, -1)},"data":${event.data},"request":${JSON.stringify(request)}}`
}

export function entityType(type: string): string {
  return type.slice(0, type.indexOf('.'))
}

/**
 * The id of an event, from its row alone. Numbers are given again after a restore of the database, and ids never: those of
 * another history end with its mark.
 */
export function eventId({
  organisationId,
  sequence,
  history,
}: Pick<StoredEvent, 'organisationId' | 'sequence' | 'history'>): string {
  return `evt_${organisationId}_${sequence}${history === null ? '' : `_${history}`}`
}

/** The number and the history in an event id of this organisation; undefined for any other text. */
export function partsOfEventId(
  organisationId: number,
  id: string,
): Pick<StoredEvent, 'sequence' | 'history'> | undefined {
  const [, organisation, sequence, history = null] =
    /^evt_([1-9]\d{0,15})_([1-9]\d{0,14})(?:_([0-9a-f]{8}))?$/.exec(id) ?? []
  return Number(organisation) === organisationId ? { sequence: Number(sequence), history } : undefined
}
