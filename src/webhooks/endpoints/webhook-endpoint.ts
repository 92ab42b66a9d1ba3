import { type Static, Type } from 'typebox'
import type { StateRules } from '../../banking/state-rules.ts'
import { RecordId } from '../../base/ids.ts'
import { Text, Timestamp } from '../../base/text.ts'
import { EventFilter } from '../../events/event-filter.ts'

export const WebhookUrl = Type.String({
  format: 'uri',
  minLength: 1,
  maxLength: 2048,
  pattern: '^https?://[!-~]+$',
  examples: ['https://example.com/webhooks'],
})

export const WebhookEvents = Type.Array(EventFilter, {
  minItems: 1,
  maxItems: 100,
  description: 'Types of events to send: payment.* means all types of payment events, * means all events',
  examples: [['payment.*']],
})

export const WebhookDescription = Text(1, 255, { examples: ['Notifies the app'] })

export const WebhookStatus = Type.Enum(['Enabled', 'Disabled'])

/** The operations that need an endpoint in a certain state. */
export const webhookEndpointRules = {
  testWebhookEndpoint: { from: ['Enabled'], otherwise: 'webhook_endpoint_disabled' },
} as const satisfies StateRules<string, Static<typeof WebhookStatus>>

const fields = {
  id: RecordId(),
  url: Type.String({ format: 'uri' }),
  events: Type.Array(Type.String()),
  description: Type.Union([Type.String(), Type.Null()]),
  status: WebhookStatus,
  disabledReason: Type.Union([Type.Enum(['Requested', 'Gone', 'Failing']), Type.Null()]),
  createdAt: Timestamp,
}

/** An address that events of an organisation are sent to. */
export const WebhookEndpoint = Type.Object(fields, { $id: 'WebhookEndpoint' })
export type WebhookEndpoint = Static<typeof WebhookEndpoint>

/** An endpoint with the secret that signs its deliveries, which is shown once. */
export const WebhookEndpointWithSecret = Type.Object(
  {
    ...fields,
    secret: Type.String({
      pattern: '^whsec_',
      examples: ['whsec_dGhpcyBpcyBhIHNhbXBsZSBvZiBhIHNlY3JldC4uLi4='],
      'x-secret': true,
    }),
  },
  { $id: 'WebhookEndpointWithSecret' },
)
export type WebhookEndpointWithSecret = Static<typeof WebhookEndpointWithSecret>
