import { type Static, Type } from 'typebox'
import { refuseNumbers } from '../../access/api-key.ts'
import { Id } from '../../base/ids.ts'
import { described } from '../../base/text.ts'
import { webhooksWrite } from '../webhooks.ts'
import { WebhookDescription, WebhookEndpoint, WebhookEvents, WebhookStatus, WebhookUrl } from './webhook-endpoint.ts'

const UpdateWebhookEndpointBody = Type.Object(
  {
    url: Type.Optional(WebhookUrl),
    events: Type.Optional(WebhookEvents),
    description: Type.Optional(
      Type.Union([WebhookDescription, Type.Null()], { description: 'Purpose of the endpoint; null removes it' }),
    ),
    status: Type.Optional(described(WebhookStatus, '`Disabled` stops deliveries, `Enabled` resumes them')),
  },
  { description: 'The members to change' },
)
export type UpdateWebhookEndpointInput = Static<typeof UpdateWebhookEndpointBody> & { webhookEndpointId: string }

/** Extension. Changes a webhook endpoint. Events that happen while it is Disabled are sent when it is Enabled again. */
export const updateWebhookEndpoint = webhooksWrite({
  id: 'updateWebhookEndpoint',
  resource: 'webhookEndpoints',
  verb: 'update',
  method: 'PATCH',
  path: '/v0/webhook-endpoints/:webhookEndpointId',
  summary: 'Update webhook endpoint',
  description:
    'Changes the members that are sent. The status `Disabled` stops deliveries; events that happen meanwhile are sent when the endpoint is `Enabled` again.\n\nA URL that webhooks may not be sent to is refused with `webhook_url_refused`.\n\nEmits `webhookEndpoint.disabled` if the endpoint became `Disabled`, otherwise `webhookEndpoint.updated`, and nothing if nothing changed.',
  params: Type.Object({ webhookEndpointId: Id('webhookEndpoint') }),
  body: UpdateWebhookEndpointBody,
  data: WebhookEndpoint,
  problems: ['webhook_endpoint_not_found', 'webhook_url_refused'],
  run: ({ webhooks, holder, write }, { params, body }) => {
    if (body.url !== undefined || body.events !== undefined) refuseNumbers(holder)
    return webhooks.updateWebhookEndpoint(write, { ...params, ...body })
  },
})
