import { type Static, Type } from 'typebox'
import { refuseReplayInGrace } from '../../access/api-key.ts'
import { webhooksWrite } from '../webhooks.ts'
import { WebhookDescription, WebhookEndpointWithSecret, WebhookEvents, WebhookUrl } from './webhook-endpoint.ts'

const CreateWebhookEndpointBody = Type.Object({
  url: WebhookUrl,
  events: WebhookEvents,
  description: Type.Optional(WebhookDescription),
})
export type CreateWebhookEndpointInput = Static<typeof CreateWebhookEndpointBody>

/** Extension. Creates an endpoint that receives events from now on. The secret that signs them is shown this once. */
export const createWebhookEndpoint = webhooksWrite({
  id: 'createWebhookEndpoint',
  resource: 'webhookEndpoints',
  verb: 'create',
  area: 'events',
  method: 'POST',
  path: '/v0/webhook-endpoints',
  summary: 'Create webhook endpoint',
  status: 201,
  scope: 'webhooks:write',
  secret: true,
  body: CreateWebhookEndpointBody,
  data: WebhookEndpointWithSecret,
  problems: ['webhook_url_refused', 'webhook_endpoint_limit'],
  run: async ({ webhooks, holder, write }, { body }) =>
    refuseReplayInGrace(holder, await webhooks.createWebhookEndpoint(write, body)),
})
