import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { webhooksRead } from '../webhooks.ts'
import { DeliveryDetail } from './delivery.ts'

/** Extension. Shows a delivery with the request of its latest attempt. */
export const getDelivery = webhooksRead({
  id: 'getDelivery',
  resource: 'deliveries',
  verb: 'get',
  path: '/v0/deliveries/:deliveryId',
  summary: 'Get delivery',
  description: `Shows a delivery with its attempts, and the headers and the body that the latest attempt sent. \`request\` is null before
the first attempt. The body is the event, so it is null for a key without the scope \`events:read\`. The secret that signed it is
never shown.

\`webhook-signature\` is absent if a version of Purser that did not store it made the attempt. A delivery to a deleted
endpoint is unknown (404).`,
  params: Type.Object({ deliveryId: Id('delivery') }),
  data: DeliveryDetail,
  problems: ['delivery_not_found'],
  run: ({ webhooks, holder }, { params }) => webhooks.getDelivery(holder, params.deliveryId),
})
