import { recoverEndpoint, redeliverDelivery, redeliverEvent, testEndpoint } from './deliveries/manage-deliveries.ts'
import {
  deliveriesOf,
  getDelivery,
  listAllDeliveries,
  listDeliveries,
  verifyDelivery,
} from './deliveries/show-deliveries.ts'
import {
  createEndpoint,
  deleteEndpoint,
  getEndpoint,
  listEndpoints,
  rotateSecret,
  updateEndpoint,
} from './endpoints/manage-endpoints.ts'
import type { Webhooks } from './webhooks.ts'
import type { WebhooksParts } from './webhooks-parts.ts'

/** Binds the operations on endpoints and deliveries to their parts; the worker does the sending. */
export function openWebhooks(parts: WebhooksParts): Webhooks {
  return {
    createWebhookEndpoint: (write, input) => createEndpoint(parts, write, input),
    listWebhookEndpoints: (caller, query) => listEndpoints(parts, caller, query),
    getWebhookEndpoint: (caller, webhookEndpointId) => getEndpoint(parts, caller, webhookEndpointId),
    updateWebhookEndpoint: (write, input) => updateEndpoint(parts, write, input),
    deleteWebhookEndpoint: (write, webhookEndpointId) => deleteEndpoint(parts, write, webhookEndpointId),
    rotateWebhookSecret: (write, webhookEndpointId) => rotateSecret(parts, write, webhookEndpointId),
    testWebhookEndpoint: (write, webhookEndpointId) => testEndpoint(parts, write, webhookEndpointId),
    recoverWebhookEndpoint: (write, input) => recoverEndpoint(parts, write, input),
    listDeliveries: (caller, query) => listDeliveries(parts, caller, query),
    listAllDeliveries: (caller, query) => listAllDeliveries(parts, caller, query),
    getDelivery: (holder, deliveryId) => getDelivery(parts, holder, deliveryId),
    deliveriesOf: (caller, sequences) => deliveriesOf(parts, caller, sequences),
    verifyDelivery: (write, input) => verifyDelivery(parts, write, input),
    redeliverEvent: (write, eventId) => redeliverEvent(parts, write, eventId),
    redeliverDelivery: (write, deliveryId) => redeliverDelivery(parts, write, deliveryId),
  }
}
