import { Type } from 'typebox'
import { parseInstant } from '../../base/clock.ts'
import { Id } from '../../base/ids.ts'
import { invalidRequest } from '../../base/problem.ts'
import { Instant } from '../../base/text.ts'
import { webhooksWrite } from '../webhooks.ts'
import { WebhookEndpoint } from './webhook-endpoint.ts'

export interface RecoverWebhookEndpointInput {
  webhookEndpointId: string
  since: string
}

/** Extension. Sends again all deliveries that were created after a time and have failed. */
export const recoverWebhookEndpoint = webhooksWrite({
  id: 'recoverWebhookEndpoint',
  resource: 'webhookEndpoints',
  verb: 'recover',
  path: '/v0/webhook-endpoints/:webhookEndpointId/recover',
  summary: 'Recover webhook endpoint',
  description:
    'Sends every delivery to the endpoint again that was created after `since` and has failed for good, such as after a long outage. The first 1,000 become pending at once, the others in the background. Successful deliveries are not repeated.\n\nWhile the endpoint is `Disabled`, they wait.',
  params: Type.Object({ webhookEndpointId: Id('webhookEndpoint') }),
  body: Type.Object(
    { since: Instant({ description: 'Failed deliveries created after this time are sent again' }) },
    { description: 'The deliveries to send again' },
  ),
  data: WebhookEndpoint,
  problems: ['webhook_endpoint_not_found'],
  run: async ({ webhooks, write }, { params, body }) =>
    webhooks.recoverWebhookEndpoint(write, { ...params, since: instantIn('since', body.since) }),
})

/** The time in a member of a body; a text that is none is refused. */
export function instantIn(member: string, text: string): string {
  const instant = parseInstant(text)
  if (instant !== undefined) return instant
  const message = `${member} must be an RFC 3339 date-time or YYYY-MM-DD`
  throw invalidRequest([{ pointer: `/${member}`, code: 'bad_format', message }])
}
