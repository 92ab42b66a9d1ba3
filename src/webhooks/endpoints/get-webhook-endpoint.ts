import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { webhooksRead } from '../webhooks.ts'
import { WebhookEndpointWithOutcomes } from './webhook-endpoint.ts'

/** Extension. Returns a webhook endpoint, without its secret. */
export const getWebhookEndpoint = webhooksRead({
  id: 'getWebhookEndpoint',
  resource: 'webhookEndpoints',
  verb: 'get',
  path: '/v0/webhook-endpoints/:webhookEndpointId',
  summary: 'Get webhook endpoint',
  description:
    'Returns a webhook endpoint without its secret. `status` and `disabledReason` say whether it receives events. A deleted endpoint is refused with `webhook_endpoint_not_found`.',
  params: Type.Object({ webhookEndpointId: Id('webhookEndpoint') }),
  data: WebhookEndpointWithOutcomes,
  problems: ['webhook_endpoint_not_found'],
  run: ({ webhooks, caller }, { params }) => webhooks.getWebhookEndpoint(caller, params.webhookEndpointId),
})
