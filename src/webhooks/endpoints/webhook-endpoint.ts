import { type Static, Type } from 'typebox'
import type { StateRules } from '../../banking/state-rules.ts'
import { RecordId } from '../../base/ids.ts'
import { CreatedAt, described, Text, Timestamp } from '../../base/text.ts'
import { EventFilter } from '../../events/event-filter.ts'

export const WebhookUrl = Type.String({
  format: 'uri',
  minLength: 1,
  maxLength: 2048,
  pattern: '^https?://[!-~]+$',
  description: 'Absolute URL without user name, password and fragment; https in live mode',
  examples: ['https://example.com/webhooks'],
})

export const WebhookEvents = Type.Array(EventFilter, {
  minItems: 1,
  maxItems: 100,
  description: 'Types of the events to send: `payment.*` stands for all types of a kind of record, `*` for all events',
  examples: [['payment.*']],
})

export const WebhookDescription = Text(1, 255, {
  description: 'Purpose of the endpoint',
  examples: ['Notifies the app'],
})

export const WebhookStatus = Type.Enum(['Enabled', 'Disabled'])

/** The operations that need an endpoint in a certain state. */
export const webhookEndpointRules = {
  testWebhookEndpoint: { from: ['Enabled'], otherwise: 'webhook_endpoint_disabled' },
} as const satisfies StateRules<string, Static<typeof WebhookStatus>>

const fields = {
  id: RecordId(),
  url: Type.String({ format: 'uri', description: 'URL that events are sent to' }),
  events: Type.Array(Type.String(), {
    description:
      'Types of the events to send: `payment.*` stands for all types of a kind of record, `*` for all events',
  }),
  description: Type.Union([Type.String(), Type.Null()], { description: 'Purpose of the endpoint; null without one' }),
  status: described(WebhookStatus, 'Events are sent while the endpoint is `Enabled`; those of a `Disabled` one wait'),
  disabledReason: Type.Union([Type.Enum(['Requested', 'Gone', 'Failing']), Type.Null()], {
    description: '`Requested` by a caller, `Gone` after an answer 410, `Failing` after five days; null while `Enabled`',
  }),
  createdAt: CreatedAt,
}

/** An address that events of an organisation are sent to. */
export const WebhookEndpoint = Type.Object(fields, {
  $id: 'WebhookEndpoint',
  description: 'A URL that events of the organisation are sent to',
})
export type WebhookEndpoint = Static<typeof WebhookEndpoint>

const attempts = (description: string) => Type.Integer({ minimum: 0, description })
const WebhookOutcomes = Type.Object(
  {
    succeeded: attempts('Attempts that the receiver accepted'),
    retried: attempts('Attempts that failed and are repeated later'),
    failed: attempts('Attempts that failed for the last time'),
  },
  {
    $id: 'WebhookOutcomes',
    description: 'Attempts of the last 24 hours of real time by their outcome, counted by the hour; tests count too',
  },
)
export type WebhookOutcomes = Static<typeof WebhookOutcomes>

/** An endpoint with the outcomes of the last day. */
export const WebhookEndpointWithOutcomes = Type.Object(
  {
    ...fields,
    failingSince: Type.Union([Timestamp, Type.Null()], {
      description:
        'Real time since when no attempt was accepted: the endpoint fails; null if the latest attempt was accepted, and before the first. Tests do not count',
    }),
    lastDay: WebhookOutcomes,
  },
  { $id: 'WebhookEndpointWithOutcomes', description: 'A webhook endpoint with the outcomes of the last day' },
)
export type WebhookEndpointWithOutcomes = Static<typeof WebhookEndpointWithOutcomes>

/** An endpoint with the secret that signs its deliveries, which is shown once. */
export const WebhookEndpointWithSecret = Type.Object(
  {
    ...fields,
    secret: Type.String({
      description: 'Signs the deliveries; shown only in this answer',
      pattern: '^whsec_',
      examples: ['whsec_dGhpcyBpcyBhIHNhbXBsZSBvZiBhIHNlY3JldC4uLi4='],
      'x-secret': true,
    }),
  },
  { $id: 'WebhookEndpointWithSecret', description: 'A webhook endpoint with the secret that signs its deliveries' },
)
export type WebhookEndpointWithSecret = Static<typeof WebhookEndpointWithSecret>
