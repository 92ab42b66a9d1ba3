import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { webhooksWrite } from '../webhooks.ts'
import { WebhookEndpoint } from './webhook-endpoint.ts'

/** Extension. Deletes a webhook endpoint. Its pending deliveries are not sent. */
export const deleteWebhookEndpoint = webhooksWrite({
  id: 'deleteWebhookEndpoint',
  resource: 'webhookEndpoints',
  verb: 'delete',
  method: 'DELETE',
  path: '/v0/webhook-endpoints/:webhookEndpointId',
  summary: 'Delete webhook endpoint',
  description:
    'Deletes a webhook endpoint and returns it for the last time. Its pending deliveries are not sent. Emits `webhookEndpoint.deleted`; other endpoints receive it.',
  params: Type.Object({ webhookEndpointId: Id('webhookEndpoint') }),
  data: WebhookEndpoint,
  problems: ['webhook_endpoint_not_found'],
  run: ({ webhooks, write }, { params }) => webhooks.deleteWebhookEndpoint(write, params.webhookEndpointId),
})
