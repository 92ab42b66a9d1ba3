import { idNumber } from '../../base/ids.ts'
import type { Answer, Caller, Write } from '../../base/operation.ts'
import { Page, type PageQuery, pageWindow, toPage } from '../../base/page.ts'
import { invalidRequest, Problem } from '../../base/problem.ts'
import type { Queryable } from '../../database/database.ts'
import { emit } from '../../events/event.ts'
import type { AddressGuard } from '../delivery/address-guard.ts'
import { countOutcomes } from '../delivery/outcomes.sql.ts'
import { makeSecret } from '../delivery/signature.ts'
import type { WebhooksParts } from '../webhooks-parts.ts'
import type { CreateWebhookEndpointInput } from './create-webhook-endpoint.ts'
import { endpointOf, secretColumn } from './endpoint-view.ts'
import {
  type EndpointRow,
  findEndpoint,
  insertEndpoint,
  type LockedEndpoint,
  listEndpointRows,
  lockEndpoint,
  lockEndpointCount,
  markDeleted,
  replaceSecret,
  saveEndpoint,
} from './endpoints.sql.ts'
import type { UpdateWebhookEndpointInput } from './update-webhook-endpoint.ts'
import type {
  WebhookEndpoint,
  WebhookEndpointWithOutcomes,
  WebhookEndpointWithSecret,
  WebhookOutcomes,
} from './webhook-endpoint.ts'

const MAX_ENDPOINTS = 1_000

export async function createEndpoint(
  { ids, runOnce, seals, guard, changed }: WebhooksParts,
  write: Write<WebhookEndpointWithSecret>,
  input: CreateWebhookEndpointInput,
): Promise<Answer> {
  const refusal = urlRefusal(guard, input.url)
  const { organisationId } = write.caller
  const id = await ids.next()
  const secret = makeSecret()
  const seal = await seals.of(organisationId)
  const answer = await runOnce.transaction(write, async (transaction, events) => {
    // Thrown here and not before, so that a request that was answered is replayed, whatever is refused by now.
    if (refusal) throw refusal
    if ((await lockEndpointCount(transaction, organisationId)) >= MAX_ENDPOINTS) {
      throw new Problem('webhook_endpoint_limit')
    }
    const row = await insertEndpoint(transaction, {
      id,
      organisationId,
      url: input.url,
      events: [...new Set(input.events)],
      description: input.description ?? null,
      sealedSecret: seal.seal(secret, secretColumn(id, 'sealed_secret')),
    })
    return { ...emit(events, 'webhookEndpoint.created', row.version, endpointOf(row)), secret }
  })
  changed()
  return answer
}

export async function listEndpoints(
  { database }: WebhooksParts,
  { organisationId }: Caller,
  { failing, ...query }: PageQuery & { failing?: boolean },
): Promise<Page<WebhookEndpointWithOutcomes>> {
  const page = pageWindow(query)
  const rows = await listEndpointRows(database, organisationId, failing ?? null, page)
  const { items, more } = toPage(rows, page.limit, (row) => row)
  return new Page(await withOutcomes(database, items), more)
}

/** Endpoints with the outcomes of the last day. */
async function withOutcomes(database: Queryable, rows: EndpointRow[]): Promise<WebhookEndpointWithOutcomes[]> {
  const counts = await countOutcomes(
    database,
    rows.map(({ id }) => id),
  )
  const byEndpoint = new Map(counts.map(({ endpointId, ...lastDay }) => [endpointId, lastDay]))
  const none: WebhookOutcomes = { succeeded: 0, retried: 0, failed: 0 }
  return rows.map((row) => ({
    ...endpointOf(row),
    failingSince: row.failingSince,
    lastDay: byEndpoint.get(row.id) ?? none,
  }))
}

export async function getEndpoint(
  { database }: WebhooksParts,
  { organisationId }: Caller,
  webhookEndpointId: string,
): Promise<WebhookEndpointWithOutcomes> {
  const row = await findEndpoint(database, organisationId, idNumber(webhookEndpointId))
  const [endpoint] = row ? await withOutcomes(database, [row]) : []
  if (!endpoint) throw new Problem('webhook_endpoint_not_found')
  return endpoint
}

export async function updateEndpoint(
  { runOnce, guard, changed }: WebhooksParts,
  write: Write<WebhookEndpoint>,
  input: UpdateWebhookEndpointInput,
): Promise<Answer> {
  const refusal = input.url === undefined ? undefined : urlRefusal(guard, input.url)
  const answer = await runOnce.transaction(write, async (transaction, events) => {
    if (refusal) throw refusal
    const before = await requireEndpoint(transaction, write.caller, input.webhookEndpointId)
    const after = changedEndpoint(before, input)
    if (JSON.stringify(endpointOf(after)) === JSON.stringify(endpointOf(before))) return endpointOf(before)
    after.version++
    await saveEndpoint(transaction, after)
    const disabled = after.status === 'Disabled' && before.status === 'Enabled'
    const type = disabled ? 'webhookEndpoint.disabled' : 'webhookEndpoint.updated'
    return emit(events, type, after.version, endpointOf(after))
  })
  changed()
  return answer
}

function changedEndpoint(before: EndpointRow, input: UpdateWebhookEndpointInput): EndpointRow {
  const { url, events, description, status = before.status } = input
  const disabledReason = status === 'Disabled' ? 'Requested' : null
  return {
    ...before,
    url: url ?? before.url,
    events: events ? [...new Set(events)] : before.events,
    description: description === undefined ? before.description : description,
    ...(status !== before.status && { status, disabledReason }),
  }
}

export function deleteEndpoint(
  { runOnce }: WebhooksParts,
  write: Write<WebhookEndpoint>,
  webhookEndpointId: string,
): Promise<Answer> {
  return runOnce.transaction(write, async (transaction, events) => {
    const row = await requireEndpoint(transaction, write.caller, webhookEndpointId)
    await markDeleted(transaction, row.id)
    return emit(events, 'webhookEndpoint.deleted', row.version + 1, endpointOf(row))
  })
}

export async function rotateSecret(
  { runOnce, seals }: WebhooksParts,
  write: Write<WebhookEndpointWithSecret>,
  webhookEndpointId: string,
): Promise<Answer> {
  const seal = await seals.of(write.caller.organisationId)
  return runOnce.transaction(write, async (transaction, events) => {
    const row = await requireEndpoint(transaction, write.caller, webhookEndpointId)
    const secret = makeSecret()
    const previous = seal.unseal(row.sealedSecret, secretColumn(row.id, 'sealed_secret'))
    await replaceSecret(transaction, row.id, {
      sealed: seal.seal(secret, secretColumn(row.id, 'sealed_secret')),
      sealedPrevious: seal.seal(previous, secretColumn(row.id, 'sealed_previous_secret')),
    })
    return { ...emit(events, 'webhookEndpoint.secretRotated', row.version + 1, endpointOf(row)), secret }
  })
}

/** Locks an endpoint of the caller's organisation. */
export async function requireEndpoint(
  transaction: Queryable,
  { organisationId }: Caller,
  webhookEndpointId: string,
): Promise<LockedEndpoint> {
  const row = await lockEndpoint(transaction, organisationId, idNumber(webhookEndpointId))
  if (!row) throw new Problem('webhook_endpoint_not_found')
  return row
}

/** The problem of a URL that webhooks may not be sent to; undefined if it has none. */
function urlRefusal(guard: AddressGuard, text: string): Problem | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || url.username + url.password + url.hash !== '') {
    const message = 'url must be a URL without user name, password or fragment'
    return invalidRequest([{ pointer: '/url', code: 'bad_format', message }])
  }
  const detail = guard.faultOf(url)
  return detail === undefined ? undefined : new Problem('webhook_url_refused', { detail })
}
