import { requireAllowed } from '../../banking/state-rules.ts'
import type { Answer, Write } from '../../base/operation.ts'
import { Problem } from '../../base/problem.ts'
import { type Event, envelope } from '../../events/event.ts'
import { eventOf, requireEvent } from '../../events/feed.ts'
import { originOf } from '../../events/record.ts'
import { recoverSome, redeliver, redeliverOne, requestRecovery } from '../delivery/restart.sql.ts'
import { endpointOf } from '../endpoints/endpoint-view.ts'
import { requireEndpoint } from '../endpoints/manage-endpoints.ts'
import type { RecoverWebhookEndpointInput } from '../endpoints/recover-webhook-endpoint.ts'
import { type WebhookEndpoint, webhookEndpointRules } from '../endpoints/webhook-endpoint.ts'
import type { WebhooksParts } from '../webhooks-parts.ts'
import { insertTest } from './deliveries.sql.ts'
import { type Delivery, requireRepeatable, TEST } from './delivery.ts'
import { deliveryOf, requireDelivery } from './show-deliveries.ts'

export async function testEndpoint(
  { ids, runOnce, changed }: WebhooksParts,
  write: Write<WebhookEndpoint>,
  webhookEndpointId: string,
): Promise<Answer> {
  const { organisationId } = write.caller
  const testId = `evt_${organisationId}_test_${await ids.next()}`
  const answer = await runOnce.transaction(write, async (transaction) => {
    const row = await requireEndpoint(transaction, write.caller, webhookEndpointId)
    requireAllowed(webhookEndpointRules, 'testWebhookEndpoint', row.status)
    const event = {
      ...originOf(write),
      sequence: 0,
      history: null,
      type: TEST,
      entityId: String(row.id),
      entityVersion: row.version,
      createdAt: row.now,
      data: JSON.stringify(endpointOf(row)),
    }
    await insertTest(transaction, { endpointId: row.id, organisationId, testId, body: envelope(event, testId) })
    return endpointOf(row)
  })
  changed()
  return answer
}

/**
 * Recovers some of the failed deliveries at once. The worker goes on with the others, because a recovery may be of millions
 * and a request would hold a connection meanwhile.
 */
export async function recoverEndpoint(
  { runOnce, changed }: WebhooksParts,
  write: Write<WebhookEndpoint>,
  { webhookEndpointId, since }: RecoverWebhookEndpointInput,
): Promise<Answer> {
  const answer = await runOnce.transaction(write, async (transaction) => {
    const row = await requireEndpoint(transaction, write.caller, webhookEndpointId)
    await requestRecovery(transaction, row.id, since)
    await recoverSome(transaction, row.id)
    return endpointOf(row)
  })
  changed()
  return answer
}

export async function redeliverEvent(
  { runOnce, changed, readFirstStates }: WebhooksParts,
  write: Write<Event>,
  id: string,
): Promise<Answer> {
  const answer = await runOnce.transaction(write, async (transaction) => {
    const event = await requireEvent(transaction, readFirstStates, write.caller.organisationId, id)
    await redeliver(transaction, event)
    return eventOf(event)
  })
  changed()
  return answer
}

export async function redeliverDelivery(
  { runOnce, changed }: WebhooksParts,
  write: Write<Delivery>,
  id: string,
): Promise<Answer> {
  const { organisationId } = write.caller
  const answer = await runOnce.transaction(write, async (transaction) => {
    const row = await requireDelivery(transaction, organisationId, id)
    const delivery = deliveryOf(row)
    // The type is that of the event, which is gone after its retention.
    if (delivery.eventType === TEST && row.testId === null) throw new Problem('event_expired')
    requireRepeatable(delivery)
    await redeliverOne(transaction, row)
    return deliveryOf(await requireDelivery(transaction, organisationId, id))
  })
  changed()
  return answer
}
