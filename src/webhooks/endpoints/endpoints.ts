import { idNumber } from '../../base/ids.ts'
import { pageWindow, toPage } from '../../base/page.ts'
import { invalidRequest, Problem } from '../../base/problem.ts'
import type { Database, Queryable } from '../../database/database.ts'
import type { RecordIds } from '../../database/record-ids.ts'
import { emit, envelope, eventId } from '../../events/event.ts'
import { eventOf, requireEvent } from '../../events/feed.ts'
import { originOf } from '../../events/record.ts'
import type { RunOnce } from '../../idempotency/run-once.ts'
import type { Seal } from '../../secrets/seal.ts'
import type { AddressGuard } from '../delivery/address-guard.ts'
import { type DeliveryRow, insertTest, listDeliveryRows, recoverFailed, redeliver } from '../delivery/deliveries.sql.ts'
import type { Delivery } from '../delivery/delivery.ts'
import { makeSecret } from '../delivery/signature.ts'
import type { Webhooks } from '../webhooks.ts'
import {
  deleteEndpoint,
  type EndpointRow,
  findEndpoint,
  insertEndpoint,
  type LockedEndpoint,
  listEndpointRows,
  lockEndpoint,
  replaceSecret,
  updateEndpoint,
} from './endpoints.sql.ts'
import type { WebhookEndpoint } from './webhook-endpoint.ts'

export interface WebhooksParts {
  database: Database
  ids: RecordIds
  runOnce: RunOnce
  seal: Seal
  guard: AddressGuard
  /** Called when there may be something to send. */
  changed(): void
}

const MAX_ENDPOINTS = 1_000
const RECOVERED_AT_A_TIME = 10_000
const TEST = 'webhookEndpoint.test'

/** The operations on endpoints and deliveries; the worker does the sending. */
export function openWebhooks({ database, ids, runOnce, seal, guard, changed }: WebhooksParts): Webhooks {
  /** What a URL is refused with, if it is. Asked before a transaction, which must not wait for the name. */
  async function refusalOf(text: string): Promise<Problem | undefined> {
    const url = URL.canParse(text) ? new URL(text) : undefined
    const plain = url && url.username === '' && url.password === '' && url.hash === ''
    if (!plain) {
      const message = 'url must be a URL without user name, password or fragment'
      return invalidRequest([{ pointer: '/url', code: 'bad_format', message }])
    }
    const fault = await guard.faultOf(url)
    return fault === undefined ? undefined : new Problem('webhook_url_refused', { detail: fault })
  }

  async function locked(transaction: Queryable, organisationId: number, id: string): Promise<LockedEndpoint> {
    const row = await lockEndpoint(transaction, organisationId, idNumber(id))
    if (!row) throw new Problem('webhook_endpoint_not_found')
    return row
  }

  return {
    async createWebhookEndpoint(write, { url, events: eventTypes, description }) {
      const refusal = await refusalOf(url)
      const { organisationId } = write.caller
      const id = await ids.next()
      const secret = makeSecret()
      const answer = await runOnce.transaction(write, async (transaction, events) => {
        // Here, where a request that was answered before is answered again, whatever the name means by now.
        if (refusal) throw refusal
        const row = await insertEndpoint(transaction, {
          id,
          organisationId,
          url,
          events: [...new Set(eventTypes)],
          description: description ?? null,
          sealedSecret: seal.seal(secret, secretPlace(id, 'sealed_secret')),
          most: MAX_ENDPOINTS,
        })
        if (!row) throw new Problem('webhook_endpoint_limit')
        return { ...emit(events, 'webhookEndpoint.created', row.version, endpointOf(row)), secret }
      })
      changed()
      return answer
    },

    async listWebhookEndpoints({ organisationId }, query) {
      const page = pageWindow(query)
      return toPage(await listEndpointRows(database, organisationId, page), page.limit, endpointOf)
    },

    async getWebhookEndpoint({ organisationId }, webhookEndpointId) {
      const row = await findEndpoint(database, organisationId, idNumber(webhookEndpointId))
      if (!row) throw new Problem('webhook_endpoint_not_found')
      return endpointOf(row)
    },

    async updateWebhookEndpoint(write, { webhookEndpointId, url, events: eventTypes, description, status }) {
      const { organisationId } = write.caller
      const refusal = url === undefined ? undefined : await refusalOf(url)
      const answer = await runOnce.transaction(write, async (transaction, events) => {
        if (refusal) throw refusal
        const before = await locked(transaction, organisationId, webhookEndpointId)
        const moved = status !== undefined && status !== before.status
        const after: EndpointRow = {
          ...before,
          url: url ?? before.url,
          events: eventTypes ? [...new Set(eventTypes)] : before.events,
          description: description === undefined ? before.description : description,
          ...(moved && { status, disabledReason: status === 'Disabled' ? 'Requested' : null }),
        }
        if (JSON.stringify(endpointOf(after)) === JSON.stringify(endpointOf(before))) return endpointOf(before)
        after.version++
        await updateEndpoint(transaction, after)
        const disabled = moved && status === 'Disabled'
        const type = disabled ? 'webhookEndpoint.disabled' : 'webhookEndpoint.updated'
        return emit(events, type, after.version, endpointOf(after))
      })
      changed()
      return answer
    },

    deleteWebhookEndpoint(write, webhookEndpointId) {
      return runOnce.transaction(write, async (transaction, events) => {
        const row = await locked(transaction, write.caller.organisationId, webhookEndpointId)
        await deleteEndpoint(transaction, row.id)
        return emit(events, 'webhookEndpoint.deleted', row.version + 1, endpointOf(row))
      })
    },

    rotateWebhookSecret(write, webhookEndpointId) {
      return runOnce.transaction(write, async (transaction, events) => {
        const row = await locked(transaction, write.caller.organisationId, webhookEndpointId)
        const secret = makeSecret()
        const previous = seal.unseal(row.sealedSecret, secretPlace(row.id, 'sealed_secret'))
        await replaceSecret(transaction, row.id, {
          sealed: seal.seal(secret, secretPlace(row.id, 'sealed_secret')),
          sealedPrevious: seal.seal(previous, secretPlace(row.id, 'sealed_previous_secret')),
        })
        return { ...emit(events, 'webhookEndpoint.secretRotated', row.version + 1, endpointOf(row)), secret }
      })
    },

    async testWebhookEndpoint(write, webhookEndpointId) {
      const { organisationId } = write.caller
      const testId = `evt_${organisationId}_test_${await ids.next()}`
      const answer = await runOnce.transaction(write, async (transaction) => {
        const row = await locked(transaction, organisationId, webhookEndpointId)
        if (row.status !== 'Enabled') throw new Problem('webhook_endpoint_disabled')
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
    },

    async recoverWebhookEndpoint(write, { webhookEndpointId, since }) {
      const answer = await runOnce.transaction(write, async (transaction) => {
        const row = await locked(transaction, write.caller.organisationId, webhookEndpointId)
        let recovered: number
        do recovered = await recoverFailed(transaction, row.id, since, RECOVERED_AT_A_TIME)
        while (recovered === RECOVERED_AT_A_TIME)
        return endpointOf(row)
      })
      changed()
      return answer
    },

    async listDeliveries({ organisationId }, { webhookEndpointId, status, since, until, ...query }) {
      const endpoint = await findEndpoint(database, organisationId, idNumber(webhookEndpointId))
      if (!endpoint) throw new Problem('webhook_endpoint_not_found')
      const page = pageWindow(query)
      const wanted = { endpointId: endpoint.id, status: status ?? null, since: since ?? null, until: until ?? null }
      return toPage(await listDeliveryRows(database, wanted, page), page.limit, deliveryOf)
    },

    async redeliverEvent(write, id) {
      const answer = await runOnce.transaction(write, async (transaction) => {
        const event = await requireEvent(transaction, write.caller.organisationId, id)
        await redeliver(transaction, event)
        return eventOf(event)
      })
      changed()
      return answer
    },
  }
}

export function secretPlace(id: number, column: 'sealed_secret' | 'sealed_previous_secret') {
  return { table: 'webhook_endpoint', row: id, column }
}

/** The endpoint as it is shown. */
export function endpointOf({
  id,
  url,
  events,
  description,
  status,
  disabledReason,
  createdAt,
}: EndpointRow): WebhookEndpoint {
  return { id: String(id), url, events, description, status, disabledReason, createdAt }
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
