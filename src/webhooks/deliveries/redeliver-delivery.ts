import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { webhooksWrite } from '../webhooks.ts'
import { Delivery } from './delivery.ts'

/** Extension. Sends one delivery once more. It asks for `events:read`, too: the endpoint gets a past event by it. */
export const redeliverDelivery = webhooksWrite({
  id: 'redeliverDelivery',
  resource: 'deliveries',
  verb: 'redeliver',
  path: '/v0/deliveries/:deliveryId/redeliver',
  summary: 'Redeliver delivery',
  description: `Sends a delivery again to its endpoint alone, with the same id of the event and new retries, whatever became of it before.
\`POST /v0/events/:eventId/redeliver\` sends to every endpoint. A disabled endpoint receives it when it is enabled again. A
test cannot be sent again (404 \`event_not_found\`).

Both scopes are needed, because a key that manages endpoints could otherwise read past events.`,
  alsoScope: 'events:read',
  params: Type.Object({ deliveryId: Id('delivery') }),
  data: Delivery,
  problems: ['delivery_not_found', 'event_not_found', 'event_expired'],
  run: ({ webhooks, write }, { params }) => webhooks.redeliverDelivery(write, params.deliveryId),
})
