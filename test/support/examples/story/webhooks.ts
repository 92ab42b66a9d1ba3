import type { World } from '../../world.ts'
import type { Call, Cast, Receiver } from './cast.ts'

/** A webhook endpoint that has received two events. */
export async function notify(
  call: Call,
  cast: Cast,
  { url, delivered }: Receiver,
): Promise<Pick<World, 'webhookEndpoint' | 'delivery'>> {
  const { accountId, externalAccountId } = cast
  const { id: webhookEndpointId } = await call('createWebhookEndpoint', {
    body: { url, events: ['payment.*'], description: 'Notifies the app' },
  })
  const params = { webhookEndpointId }
  const bill = { counterpartyAccountId: externalAccountId, description: 'Internet', originalType: 'ACH' }
  for (const [sent, amount] of [20_00, 25_00].entries()) {
    await call('createPayment', { params: { accountId }, body: { ...bill, amount } })
    await delivered(webhookEndpointId, sent + 1)
  }
  await call('listDeliveries', { params, query: { limit: 2 } })
  const [{ id: deliveryId }] = await call('listAllDeliveries', { query: { eventType: 'payment.created', limit: 2 } })
  const { request } = await call('getDelivery', { params: { deliveryId } })
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
  const headers = Object.fromEntries(names.map((name) => [name, request.headers[name]]))
  await call('verifyDelivery', { params, body: { headers, body: request.body } })
  await call('testWebhookEndpoint', { params })
  await call('rotateWebhookSecret', { params })
  await call('recoverWebhookEndpoint', { params, body: { since: '2026-06-15T00:00:00Z' } })
  const other = await call('createWebhookEndpoint', { body: { url, events: ['card.*'] } })
  const others = { webhookEndpointId: other.id }
  await call('updateWebhookEndpoint', { params: others, body: { events: ['card.*', 'statement.created'] } })
  await call('updateWebhookEndpoint', { params: others, body: { status: 'Disabled' } })
  await call('deleteWebhookEndpoint', { params: others })
  return { webhookEndpoint: webhookEndpointId, delivery: deliveryId }
}
