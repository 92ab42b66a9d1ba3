import { type Static, Type } from 'typebox'
import { CreatedAt, described, Timestamp } from '../../base/text.ts'

const deliveryStatuses = ['Pending', 'Succeeded', 'Failed'] as const
export type DeliveryStatusName = (typeof deliveryStatuses)[number]
export const DeliveryStatus = Type.Enum([...deliveryStatuses])

/** One attempt to deliver an event, and its result. */
export const DeliveryAttempt = Type.Object(
  {
    at: described(Timestamp, 'Time of the attempt, in real time'),
    status: Type.Enum(['Succeeded', 'Failed'], { description: '`Succeeded` where the endpoint answered 2xx' }),
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
export type DeliveryAttempt = Static<typeof DeliveryAttempt>

/** One event on its way to one endpoint. */
export const Delivery = Type.Object(
  {
    eventId: Type.String({
      description: 'Id of the event, also the header `webhook-id`',
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
  },
  { $id: 'Delivery', description: 'An event on its way to a webhook endpoint' },
)
export type Delivery = Static<typeof Delivery>
