import { type Static, Type } from 'typebox'
import { refuseNumbers, refuseReplayInGrace } from '../../access/api-key.ts'
import { webhooksWrite } from '../webhooks.ts'
import { WebhookDescription, WebhookEndpointWithSecret, WebhookEvents, WebhookUrl } from './webhook-endpoint.ts'

const CreateWebhookEndpointBody = Type.Object(
  {
    url: WebhookUrl,
    events: WebhookEvents,
    description: Type.Optional(WebhookDescription),
  },
  { description: 'The new endpoint' },
)
export type CreateWebhookEndpointInput = Static<typeof CreateWebhookEndpointBody>

/** Extension. Creates an endpoint that receives events from now on. The secret that signs them is shown this once. */
export const createWebhookEndpoint = webhooksWrite({
  id: 'createWebhookEndpoint',
  resource: 'webhookEndpoints',
  verb: 'create',
  path: '/v0/webhook-endpoints',
  summary: 'Create webhook endpoint',
  description:
    'Registers a URL that receives the events of the organisation from now on, filtered by `events`. `secret` in the answer signs the deliveries as Standard Webhooks defines; it is shown only once.\n\nAn address inside the network of the service, and in live mode a URL without https, is refused with `webhook_url_refused`. An organisation can have 1,000 endpoints (`webhook_endpoint_limit`).\n\nEach event is sent as a signed POST until the endpoint answers 2xx, at most ten times within about three days. The events of one record are sent one after another. An endpoint that answers 410 or fails for five days is disabled.\n\nEmits `webhookEndpoint.created`.',
  status: 201,
  secret: true,
  body: CreateWebhookEndpointBody,
  data: WebhookEndpointWithSecret,
  problems: ['webhook_url_refused', 'webhook_endpoint_limit'],
  run: async ({ webhooks, holder, write }, { body }) => {
    refuseNumbers(holder)
    return refuseReplayInGrace(holder, await webhooks.createWebhookEndpoint(write, body))
  },
})
