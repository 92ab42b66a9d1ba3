import { type Static, Type } from 'typebox'
import { Timestamp } from '../../base/text.ts'

const deliveryStatuses = ['Pending', 'Succeeded', 'Failed'] as const
export type DeliveryStatusName = (typeof deliveryStatuses)[number]
export const DeliveryStatus = Type.Enum([...deliveryStatuses])

/** One attempt to deliver an event, and its result. */
export const DeliveryAttempt = Type.Object(
  {
    at: Timestamp,
    status: Type.Enum(['Succeeded', 'Failed']),
    responseStatus: Type.Union([Type.Integer(), Type.Null()]),
    durationMs: Type.Integer(),
    error: Type.Union([Type.String(), Type.Null()]),
    response: Type.Union([Type.String({ description: 'Beginning of the body of a refusal' }), Type.Null()]),
  },
  { $id: 'DeliveryAttempt' },
)
export type DeliveryAttempt = Static<typeof DeliveryAttempt>

/** One event on its way to one endpoint. */
export const Delivery = Type.Object(
  {
    eventId: Type.String(),
    eventType: Type.String(),
    status: DeliveryStatus,
    createdAt: Timestamp,
    nextAttemptAt: Type.Union([Timestamp, Type.Null()]),
    attempts: Type.Array(DeliveryAttempt, { description: 'The latest twenty attempts, oldest first' }),
  },
  { $id: 'Delivery' },
)
export type Delivery = Static<typeof Delivery>
