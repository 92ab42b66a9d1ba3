import { requireAllowed } from '../../banking/state-rules.ts'
import type { Answer, Caller, Write } from '../../base/operation.ts'
import { Page, pageWindow } from '../../base/page.ts'
import { type Event, envelope, eventId } from '../../events/event.ts'
import { eventOf, requireEvent } from '../../events/feed.ts'
import { originOf } from '../../events/record.ts'
import { endpointOf } from '../endpoints/endpoint-view.ts'
import { getEndpoint, requireEndpoint } from '../endpoints/manage-endpoints.ts'
import type { RecoverWebhookEndpointInput } from '../endpoints/recover-webhook-endpoint.ts'
import { type WebhookEndpoint, webhookEndpointRules } from '../endpoints/webhook-endpoint.ts'
import type { WebhooksParts } from '../webhooks-parts.ts'
import { type DeliveryRow, insertTest, listDeliveryRows } from './deliveries.sql.ts'
import type { Delivery } from './delivery.ts'
import type { ListDeliveriesQuery } from './list-deliveries.ts'
import { recoverSome, redeliver, requestRecovery } from './restart.sql.ts'

const TEST = 'webhookEndpoint.test'

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

export async function listDeliveries(
  parts: WebhooksParts,
  caller: Caller,
  { webhookEndpointId, status, since, until, after, ...query }: ListDeliveriesQuery,
): Promise<Page<Delivery>> {
  const { id } = await getEndpoint(parts, caller, webhookEndpointId)
  const page = pageWindow(query)
  const filter = { endpointId: Number(id), status: status ?? null, since: since ?? null, until: until ?? null }
  const { rows, matched, lookedTo } = await listDeliveryRows(parts.database, filter, { ...page, after: after ?? null })
  const shown = rows.slice(0, page.limit)
  const last = rows.length > page.limit ? shown.at(-1)?.id : lookedTo
  // The next page skips those that the offset has not reached yet.
  const next = { after: last ?? 0, ...(page.offset > 0 && { offset: Math.max(0, page.offset - matched) }) }
  return new Page(shown.map(deliveryOf), last != null, next)
}

export async function redeliverEvent(
  { runOnce, changed }: WebhooksParts,
  write: Write<Event>,
  id: string,
): Promise<Answer> {
  const answer = await runOnce.transaction(write, async (transaction) => {
    const event = await requireEvent(transaction, write.caller.organisationId, id)
    await redeliver(transaction, event)
    return eventOf(event)
  })
  changed()
  return answer
}

function deliveryOf(row: DeliveryRow): Delivery {
  return {
    eventId: row.testId ?? eventId(row.organisationId, row.sequence ?? 0),
    eventType: row.type ?? TEST,
    status: row.status,
    createdAt: row.createdAt,
    nextAttemptAt: row.status === 'Pending' ? row.dueAt : null,
    attempts: row.log,
  }
}
