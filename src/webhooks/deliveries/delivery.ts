import { type Static, Type } from 'typebox'
import { Problem } from '../../base/problem.ts'
import { CreatedAt, described, Timestamp } from '../../base/text.ts'

const deliveryStatuses = ['Pending', 'Succeeded', 'Failed'] as const
export type DeliveryStatusName = (typeof deliveryStatuses)[number]
export const DeliveryStatus = Type.Enum([...deliveryStatuses])

/** The type of a test delivery, which is no event of the feed. */
export const TEST = 'webhookEndpoint.test'

/** One attempt to deliver an event, and its result. */
const DeliveryAttempt = Type.Object(
  {
    at: described(Timestamp, 'Time of the attempt, in real time'),
    status: Type.Enum(['Succeeded', 'Failed'], { description: '`Succeeded` if the endpoint answered 2xx' }),
    responseStatus: Type.Union([Type.Integer(), Type.Null()], {
      description: 'HTTP status of the endpoint; null without an answer',
    }),
    durationMs: Type.Integer({ description: 'Milliseconds until the answer or the failure' }),
    error: Type.Union([Type.String(), Type.Null()], { description: 'Why the attempt failed; null for a success' }),
    response: Type.Union([Type.String(), Type.Null()], {
      description: 'First 200 characters of the body of an answer that is not 2xx; otherwise null',
    }),
  },
  { $id: 'DeliveryAttempt', description: 'One attempt to deliver an event' },
)
type DeliveryAttempt = Static<typeof DeliveryAttempt>

const fields = {
  id: Type.String({ description: 'Id of the delivery', examples: ['dlv_1000042_7'] }),
  endpointId: Type.String({ description: 'Id of the webhook endpoint', examples: ['1000042'] }),
  eventId: Type.String({
    description: 'Id of the event or of a test, also the header `webhook-id`',
    examples: ['evt_1000001_42'],
  }),
  eventType: Type.String({
    description: 'Type of the event; webhookEndpoint.test for a test',
    examples: ['payment.created'],
  }),
  status: described(DeliveryStatus, '`Pending` until the endpoint answers 2xx or the last attempt fails'),
  createdAt: CreatedAt,
  nextAttemptAt: Type.Union([Timestamp, Type.Null()], {
    description: 'Time of the next attempt, in bank time; null unless `Pending`',
  }),
  attempts: Type.Array(DeliveryAttempt, { description: 'The latest twenty attempts, oldest first' }),
}

/** One event on its way to one endpoint. */
export const Delivery = Type.Object(fields, {
  $id: 'Delivery',
  description: 'An event on its way to a webhook endpoint',
})
export type Delivery = Static<typeof Delivery>

const DeliveryRequest = Type.Object(
  {
    headers: Type.Record(Type.String(), Type.String(), {
      description: 'The headers that Purser set, with names in lower case; those of the connection are not shown',
    }),
    body: Type.Union([Type.String(), Type.Null()], {
      description: 'The body to the byte; null for a key without the scope `events:read`',
    }),
  },
  { $id: 'DeliveryRequest', description: 'The headers and the body that an attempt sent' },
)

/** A delivery with the request that was sent. */
export const DeliveryDetail = Type.Object(
  {
    ...fields,
    request: Type.Union([DeliveryRequest, Type.Null()], {
      description: 'The request of the latest attempt; null before the first',
    }),
  },
  { $id: 'DeliveryDetail', description: 'A delivery with the request that was sent' },
)
export type DeliveryDetail = Static<typeof DeliveryDetail>

/** Throws the refusal of a delivery that cannot be sent again: a test is no event of the feed. */
export function requireRepeatable({ eventType }: Pick<Delivery, 'eventType'>): void {
  if (eventType === TEST) throw new Problem('event_not_found', { detail: 'A test is no event; send another one.' })
}

/** An attempt as it is stored: with the headers that cannot be computed again after a rotation or an upgrade. */
export interface LoggedAttempt extends DeliveryAttempt {
  /** Absent in attempts of a version that did not store it. */
  signature?: string
  keyId?: string
  userAgent?: string
}

export function deliveryId(endpointId: number, id: number): string {
  return `dlv_${endpointId}_${id}`
}

/** The endpoint and the number in a delivery's id; undefined for any other text. */
export function partsOfDeliveryId(text: string): { endpointId: number; id: number } | undefined {
  const [, endpointId, id] = /^dlv_([1-9]\d{6,15})_([1-9]\d{0,15})$/.exec(text) ?? []
  return endpointId && id ? { endpointId: Number(endpointId), id: Number(id) } : undefined
}
