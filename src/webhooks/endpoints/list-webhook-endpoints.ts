import { Type } from 'typebox'
import { pageQuery } from '../../base/page.ts'
import { webhooksRead } from '../webhooks.ts'
import { WebhookEndpointWithOutcomes } from './webhook-endpoint.ts'

/** Extension. Lists webhook endpoints, newest first. */
export const listWebhookEndpoints = webhooksRead({
  id: 'listWebhookEndpoints',
  resource: 'webhookEndpoints',
  verb: 'list',
  path: '/v0/webhook-endpoints',
  summary: 'List webhook endpoints',
  description:
    'Lists the webhook endpoints of the organisation, newest first, without their secrets. Disabled endpoints are listed; deleted ones are not.',
  query: Type.Object({
    ...pageQuery,
    failing: Type.Optional(
      Type.Boolean({
        description:
          '`true` for endpoints whose latest attempt was not accepted or that were disabled for it; `false` for the others',
      }),
    ),
  }),
  data: Type.Array(WebhookEndpointWithOutcomes),
  problems: [],
  run: ({ webhooks, caller }, { query }) => webhooks.listWebhookEndpoints(caller, query),
})
