import type { KeyHolder } from '../access/authenticate-key.ts'
import { type Answer, type Caller, operationsOver, type Write } from '../base/operation.ts'
import type { Page, PageQuery } from '../base/page.ts'
import type { Event } from '../events/event.ts'
import type { Delivery } from './delivery/delivery.ts'
import type { ListDeliveriesQuery } from './delivery/list-deliveries.ts'
import type { CreateWebhookEndpointInput } from './endpoints/create-webhook-endpoint.ts'
import type { RecoverWebhookEndpointInput } from './endpoints/recover-webhook-endpoint.ts'
import type { UpdateWebhookEndpointInput } from './endpoints/update-webhook-endpoint.ts'
import type { WebhookEndpoint, WebhookEndpointWithSecret } from './endpoints/webhook-endpoint.ts'

/** Webhook endpoints and deliveries, one method for each operation. Always built in, whichever provider serves the bank. */
export interface Webhooks {
  createWebhookEndpoint(write: Write<WebhookEndpointWithSecret>, input: CreateWebhookEndpointInput): Promise<Answer>
  listWebhookEndpoints(caller: Caller, query: PageQuery): Promise<Page<WebhookEndpoint>>
  getWebhookEndpoint(caller: Caller, webhookEndpointId: string): Promise<WebhookEndpoint>
  updateWebhookEndpoint(write: Write<WebhookEndpoint>, input: UpdateWebhookEndpointInput): Promise<Answer>
  deleteWebhookEndpoint(write: Write<WebhookEndpoint>, webhookEndpointId: string): Promise<Answer>
  rotateWebhookSecret(write: Write<WebhookEndpointWithSecret>, webhookEndpointId: string): Promise<Answer>
  testWebhookEndpoint(write: Write<WebhookEndpoint>, webhookEndpointId: string): Promise<Answer>
  recoverWebhookEndpoint(write: Write<WebhookEndpoint>, input: RecoverWebhookEndpointInput): Promise<Answer>
  listDeliveries(caller: Caller, query: ListDeliveriesQuery): Promise<Page<Delivery>>
  redeliverEvent(write: Write<Event>, eventId: string): Promise<Answer>
}

export const { read: webhooksRead, write: webhooksWrite } = operationsOver<{ webhooks: Webhooks; holder: KeyHolder }>()
