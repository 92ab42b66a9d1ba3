import { allows } from '../../access/api-key.ts'
import type { KeyHolder } from '../../access/authenticate-key.ts'
import { clock, dateOf } from '../../base/clock.ts'
import { idNumber, optionalIdNumber } from '../../base/ids.ts'
import type { Answer, Caller, Write } from '../../base/operation.ts'
import { Page, pageWindow } from '../../base/page.ts'
import { Problem } from '../../base/problem.ts'
import type { Queryable } from '../../database/database.ts'
import { eventId, partsOfEventId } from '../../events/event.ts'
import { type FirstStates, findFirstStates, type ReadFirstStates } from '../../events/stored/complete-events.ts'
import type { Seal } from '../../secrets/seal.ts'
import { bodyOf, unixSeconds } from '../delivery/deliver.ts'
import { CONTENT_TYPE } from '../delivery/send.ts'
import { secretColumn } from '../endpoints/endpoint-view.ts'
import { type EndpointSecrets, findEndpoint, findSecrets, listEndpointIds } from '../endpoints/endpoints.sql.ts'
import type { WebhooksParts } from '../webhooks-parts.ts'
import {
  type DeliveryFilter,
  type DeliveryRow,
  type DeliveryWithEvent,
  type EventRef,
  findDeliveriesOf,
  findDelivery,
  listDeliveryRows,
  listRowsOfEvents,
} from './deliveries.sql.ts'
import { type Delivery, type DeliveryDetail, deliveryId, partsOfDeliveryId, TEST } from './delivery.ts'
import type { ListAllDeliveriesQuery } from './list-all-deliveries.ts'
import type { ListDeliveriesQuery } from './list-deliveries.ts'
import { judgeByDeliveries, judgeBySecrets, type ReceivedRequest, readSigned, type Secrets } from './verdict.ts'
import type { DeliveryVerdict, VerifyDeliveryInput } from './verify-delivery.ts'

export async function listDeliveries(
  { database }: WebhooksParts,
  { organisationId }: Caller,
  { webhookEndpointId, ...query }: ListDeliveriesQuery,
): Promise<Page<Delivery>> {
  const endpoint = await findEndpoint(database, organisationId, idNumber(webhookEndpointId))
  if (!endpoint) throw new Problem('webhook_endpoint_not_found')
  return listPage(database, { endpointIds: [endpoint.id] }, query)
}

export async function listAllDeliveries(
  { database }: WebhooksParts,
  { organisationId }: Caller,
  { endpointId, eventId: id, eventType, ...query }: ListAllDeliveriesQuery,
): Promise<Page<Delivery>> {
  const event = id === undefined ? undefined : eventRef(organisationId, id)
  if (id !== undefined && !event) return new Page([], false)
  const endpointIds = await listEndpointIds(database, organisationId, optionalIdNumber(endpointId))
  return listPage(database, { endpointIds, event, eventType }, query)
}

export async function deliveriesOf(
  { database }: WebhooksParts,
  { organisationId }: Caller,
  sequences: number[],
): Promise<Delivery[]> {
  return (await listRowsOfEvents(database, organisationId, sequences)).map(deliveryOf)
}

/** The event or the test that an id names; undefined if it is no id of this organisation. */
function eventRef(organisationId: number, id: string): EventRef | undefined {
  const event = partsOfEventId(organisationId, id)
  if (event) return event
  return id.startsWith(`evt_${organisationId}_test_`) ? { testId: id } : undefined
}

/** Whether a delivery is of an event: another history of the database may have an event with the same number. */
function isOf(event: EventRef): (row: Pick<DeliveryRow, 'history'>) => boolean {
  return (row) => !('sequence' in event) || row.history === event.history
}

async function listPage(
  database: Queryable,
  of: Pick<DeliveryFilter, 'endpointIds' | 'event' | 'eventType'>,
  { status, failing, since, until, after, ...query }: Omit<ListDeliveriesQuery, 'webhookEndpointId'>,
): Promise<Page<Delivery>> {
  const page = pageWindow(query)
  const filter = { ...of, status: status ?? null, failing, since: since ?? null, until: until ?? null }
  const { rows, matched, lookedTo } = await listDeliveryRows(database, filter, { ...page, after: after ?? null })
  const shown = rows.slice(0, page.limit)
  const last = rows.length > page.limit ? shown.at(-1)?.id : lookedTo
  // The next page skips those that the offset has not reached yet.
  const next = { after: last ?? 0, ...(page.offset > 0 && { offset: Math.max(0, page.offset - matched) }) }
  const named = of.event ? shown.filter(isOf(of.event)) : shown
  return new Page(named.map(deliveryOf), last != null, next)
}

export function deliveryOf(row: DeliveryRow): Delivery {
  return {
    id: deliveryId(row.endpointId, row.id),
    endpointId: String(row.endpointId),
    eventId: row.testId ?? eventId({ ...row, sequence: row.sequence ?? 0 }),
    eventType: row.type ?? TEST,
    status: row.status,
    createdAt: row.createdAt,
    nextAttemptAt: row.status === 'Pending' ? row.dueAt : null,
    attempts: row.log.map(({ signature: _signature, keyId: _keyId, userAgent: _userAgent, ...attempt }) => attempt),
  }
}

export async function getDelivery(
  { database, readFirstStates }: WebhooksParts,
  holder: KeyHolder,
  id: string,
): Promise<DeliveryDetail> {
  const row = await requireDelivery(database, holder.organisationId, id)
  const body = allows(holder, 'events:read')
    ? sentBody(row, await findFirstStates(database, readFirstStates, [row]))
    : null
  return { ...deliveryOf(row), request: requestOf(row, body) }
}

export async function requireDelivery(
  database: Queryable,
  organisationId: number,
  id: string,
): Promise<DeliveryWithEvent> {
  const parts = partsOfDeliveryId(id)
  const row = parts && (await findDelivery(database, organisationId, parts))
  if (!row) throw new Problem('delivery_not_found')
  return row
}

/** The request of the latest attempt; null before the first. */
function requestOf(row: DeliveryWithEvent, body: string | null): DeliveryDetail['request'] {
  const attempt = row.log.at(-1)
  if (!attempt) return null
  const { at, signature, keyId, userAgent } = attempt
  const headers = {
    'content-type': CONTENT_TYPE,
    ...(userAgent && { 'user-agent': userAgent }),
    'webhook-id': row.testId ?? eventId({ ...row, sequence: row.sequence ?? 0 }),
    'webhook-timestamp': String(unixSeconds(dateOf(at))),
    ...(signature && { 'webhook-signature': signature }),
    ...(keyId && { 'webhook-key-id': keyId }),
  }
  return { headers, body }
}

function sentBody(row: DeliveryWithEvent, found: FirstStates | undefined): string {
  return bodyOf({ ...row, createdAt: row.eventCreatedAt }, found)
}

export async function verifyDelivery(
  { runOnce, seals, readFirstStates }: WebhooksParts,
  write: Write<DeliveryVerdict>,
  { webhookEndpointId, headers, body, receivedAt }: VerifyDeliveryInput,
): Promise<Answer> {
  const { organisationId } = write.caller
  const seal = await seals.of(organisationId)
  return runOnce.transaction(write, async (transaction) => {
    const endpoint = await findSecrets(transaction, organisationId, idNumber(webhookEndpointId))
    if (!endpoint) throw new Problem('webhook_endpoint_not_found')
    const signed = readSigned(headers)
    if ('result' in signed) return signed
    const receivedSeconds = unixSeconds(receivedAt === undefined ? clock.now() : dateOf(receivedAt))
    const received = { ...signed, body, skewSeconds: receivedSeconds - signed.timestampSeconds }
    const receiver = { organisationId, endpointId: endpoint.id, secrets: unsealed(endpoint, seal) }
    return judge(transaction, readFirstStates, receiver, received)
  })
}

async function judge(
  database: Queryable,
  readFirstStates: ReadFirstStates,
  { organisationId, endpointId, secrets }: { organisationId: number; endpointId: number; secrets: Secrets },
  received: ReceivedRequest,
): Promise<DeliveryVerdict> {
  const event = eventRef(organisationId, received.id)
  const rows = event ? (await findDeliveriesOf(database, organisationId, event)).filter(isOf(event)) : []
  const own = rows.find((row) => row.endpointId === endpointId)
  const found = judgeBySecrets(received, secrets)
  if (found) return { ...found, deliveryId: own ? deliveryId(own.endpointId, own.id) : null }
  const states = await findFirstStates(database, readFirstStates, rows)
  const sent = rows.map((row) => ({
    endpointId: row.endpointId,
    id: row.id,
    log: row.log,
    body: sentBody(row, states),
  }))
  return judgeByDeliveries(received, { endpointId, secrets }, sent)
}

function unsealed({ id, sealedSecret, sealedPreviousSecret, previousSigns }: EndpointSecrets, seal: Seal): Secrets {
  return {
    current: seal.unseal(sealedSecret, secretColumn(id, 'sealed_secret')).toString(),
    previous:
      sealedPreviousSecret === null
        ? undefined
        : seal.unseal(sealedPreviousSecret, secretColumn(id, 'sealed_previous_secret')).toString(),
    previousSigns,
  }
}
