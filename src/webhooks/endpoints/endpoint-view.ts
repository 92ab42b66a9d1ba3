import type { EndpointRow } from './endpoints.sql.ts'
import type { WebhookEndpoint } from './webhook-endpoint.ts'

/** The endpoint as responses and events show it. */
export function endpointOf(row: EndpointRow): WebhookEndpoint {
  const { id, url, events, description, status, disabledReason, createdAt } = row
  return { id: String(id), url, events, description, status, disabledReason, createdAt }
}

/** The column that a secret is sealed for. */
export function secretColumn(endpointId: number, column: 'sealed_secret' | 'sealed_previous_secret') {
  return { table: 'webhook_endpoint', row: endpointId, column }
}
