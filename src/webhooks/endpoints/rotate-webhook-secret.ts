import { Type } from 'typebox'
import { refuseReplayInGrace } from '../../access/api-key.ts'
import { Id } from '../../base/ids.ts'
import { webhooksWrite } from '../webhooks.ts'
import { WebhookEndpointWithSecret } from './webhook-endpoint.ts'

/** Extension. Gives a webhook endpoint a new secret. The previous one also signs for a day. */
export const rotateWebhookSecret = webhooksWrite({
  id: 'rotateWebhookSecret',
  resource: 'webhookEndpoints',
  verb: 'rotateSecret',
  path: '/v0/webhook-endpoints/:webhookEndpointId/rotate-secret',
  summary: 'Rotate webhook secret',
  description:
    'Gives a webhook endpoint a new secret and shows it, only once. For 24 hours deliveries are signed with both the new and the previous secret, so that the receiver has time to change over. Emits `webhookEndpoint.secretRotated`.',
  secret: true,
  params: Type.Object({ webhookEndpointId: Id('webhookEndpoint') }),
  data: WebhookEndpointWithSecret,
  problems: ['webhook_endpoint_not_found'],
  run: async ({ webhooks, holder, write }, { params }) =>
    refuseReplayInGrace(holder, await webhooks.rotateWebhookSecret(write, params.webhookEndpointId)),
})
