import type { KeyHolder } from '../access/authenticate-key.ts'
import { type Answer, type Caller, operationsOver, type Write } from '../base/operation.ts'
import type { Page, PageQuery } from '../base/page.ts'
import type { Event } from '../events/event.ts'
import type { Delivery, DeliveryDetail } from './deliveries/delivery.ts'
import type { ListAllDeliveriesQuery } from './deliveries/list-all-deliveries.ts'
import type { ListDeliveriesQuery } from './deliveries/list-deliveries.ts'
import type { DeliveryVerdict, VerifyDeliveryInput } from './deliveries/verify-delivery.ts'
import type { CreateWebhookEndpointInput } from './endpoints/create-webhook-endpoint.ts'
import type { RecoverWebhookEndpointInput } from './endpoints/recover-webhook-endpoint.ts'
import type { UpdateWebhookEndpointInput } from './endpoints/update-webhook-endpoint.ts'
import type {
  WebhookEndpoint,
  WebhookEndpointWithOutcomes,
  WebhookEndpointWithSecret,
} from './endpoints/webhook-endpoint.ts'

/** Webhook endpoints and deliveries, one method for each operation. Always built in, whichever provider serves the bank. */
export interface Webhooks {
  createWebhookEndpoint(write: Write<WebhookEndpointWithSecret>, input: CreateWebhookEndpointInput): Promise<Answer>
  listWebhookEndpoints(
    caller: Caller,
    query: PageQuery & { failing?: boolean },
  ): Promise<Page<WebhookEndpointWithOutcomes>>
  getWebhookEndpoint(caller: Caller, webhookEndpointId: string): Promise<WebhookEndpointWithOutcomes>
  updateWebhookEndpoint(write: Write<WebhookEndpoint>, input: UpdateWebhookEndpointInput): Promise<Answer>
  deleteWebhookEndpoint(write: Write<WebhookEndpoint>, webhookEndpointId: string): Promise<Answer>
  rotateWebhookSecret(write: Write<WebhookEndpointWithSecret>, webhookEndpointId: string): Promise<Answer>
  testWebhookEndpoint(write: Write<WebhookEndpoint>, webhookEndpointId: string): Promise<Answer>
  recoverWebhookEndpoint(write: Write<WebhookEndpoint>, input: RecoverWebhookEndpointInput): Promise<Answer>
  listDeliveries(caller: Caller, query: ListDeliveriesQuery): Promise<Page<Delivery>>
  listAllDeliveries(caller: Caller, query: ListAllDeliveriesQuery): Promise<Page<Delivery>>
  getDelivery(holder: KeyHolder, deliveryId: string): Promise<DeliveryDetail>
  /** The first deliveries of each of some events, by their numbers. */
  deliveriesOf(caller: Caller, sequences: number[]): Promise<Delivery[]>
  verifyDelivery(write: Write<DeliveryVerdict>, input: VerifyDeliveryInput): Promise<Answer>
  redeliverEvent(write: Write<Event>, eventId: string): Promise<Answer>
  redeliverDelivery(write: Write<Delivery>, deliveryId: string): Promise<Answer>
}

export const { read: webhooksRead, write: webhooksWrite } = operationsOver<{ webhooks: Webhooks; holder: KeyHolder }>(
  'events',
  'webhooks:write',
)
