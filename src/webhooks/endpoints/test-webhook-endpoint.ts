import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { webhooksWrite } from '../webhooks.ts'
import { WebhookEndpoint } from './webhook-endpoint.ts'

/** Extension. Sends an event of type `webhookEndpoint.test`, once. The list of deliveries shows the result. */
export const testWebhookEndpoint = webhooksWrite({
  id: 'testWebhookEndpoint',
  resource: 'webhookEndpoints',
  verb: 'test',
  area: 'events',
  method: 'POST',
  path: '/v0/webhook-endpoints/:webhookEndpointId/test',
  summary: 'Test webhook endpoint',
  description:
    'Sends an event of the type webhookEndpoint.test to the endpoint once, without retries. It is not in the feed, and its result does not disable the endpoint. `GET /v0/webhook-endpoints/:webhookEndpointId/deliveries` shows the result.\n\nA disabled endpoint is refused with `webhook_endpoint_disabled`.',
  status: 200,
  scope: 'webhooks:write',
  params: Type.Object({ webhookEndpointId: Id('webhookEndpoint') }),
  data: WebhookEndpoint,
  problems: ['webhook_endpoint_not_found', 'webhook_endpoint_disabled'],
  run: ({ webhooks, write }, { params }) => webhooks.testWebhookEndpoint(write, params.webhookEndpointId),
})
