import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { webhooksWrite } from '../webhooks.ts'
import { WebhookDescription, WebhookEndpoint, WebhookEvents, WebhookStatus, WebhookUrl } from './webhook-endpoint.ts'

const UpdateWebhookEndpointBody = Type.Object({
  url: Type.Optional(WebhookUrl),
  events: Type.Optional(WebhookEvents),
  description: Type.Optional(Type.Union([WebhookDescription, Type.Null()])),
  status: Type.Optional(WebhookStatus),
})
export type UpdateWebhookEndpointInput = Static<typeof UpdateWebhookEndpointBody> & { webhookEndpointId: string }

/** Extension. Changes a webhook endpoint. Events that happen while it is Disabled are sent when it is Enabled again. */
export const updateWebhookEndpoint = webhooksWrite({
  id: 'updateWebhookEndpoint',
  resource: 'webhookEndpoints',
  verb: 'update',
  area: 'events',
  method: 'PATCH',
  path: '/v0/webhook-endpoints/:webhookEndpointId',
  summary: 'Update webhook endpoint',
  status: 200,
  scope: 'webhooks:write',
  params: Type.Object({ webhookEndpointId: Id('webhookEndpoint') }),
  body: UpdateWebhookEndpointBody,
  data: WebhookEndpoint,
  problems: ['webhook_endpoint_not_found', 'webhook_url_refused'],
  run: ({ webhooks, write }, { params, body }) => webhooks.updateWebhookEndpoint(write, { ...params, ...body }),
})
