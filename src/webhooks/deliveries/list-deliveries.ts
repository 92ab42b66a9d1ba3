import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { pageQuery, sinceUntil } from '../../base/page.ts'
import { described } from '../../base/text.ts'
import { webhooksRead } from '../webhooks.ts'
import { Delivery, DeliveryStatus } from './delivery.ts'

/** The filters and the paging of every list of deliveries. */
export const deliveryListQuery = {
  status: Type.Optional(described(DeliveryStatus, 'Only deliveries in this state')),
  failing: Type.Optional(
    Type.Boolean({
      description:
        '`true` for deliveries whose latest attempt was not accepted, repeated or given up; `false` for the others',
    }),
  ),
  ...sinceUntil,
  after: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 999_999_999_999_999,
      description: 'Only deliveries after this position, from the Link header of the previous page',
    }),
  ),
  ...pageQuery,
  offset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1000,
      default: 0,
      description: 'Deliveries to skip; to go far back, follow the Link header',
    }),
  ),
}

const ListDeliveriesFilter = Type.Object(deliveryListQuery)
export type ListDeliveriesQuery = Static<typeof ListDeliveriesFilter> & { webhookEndpointId: string }

/** Extension. Lists the deliveries to a webhook endpoint, newest first. */
export const listDeliveries = webhooksRead({
  id: 'listDeliveries',
  resource: 'webhookEndpoints',
  verb: 'listDeliveries',
  path: '/v0/webhook-endpoints/:webhookEndpointId/deliveries',
  summary: 'List deliveries',
  description:
    'Lists the deliveries to a webhook endpoint, newest first: the event, the state of the delivery and its latest attempts with their results.\n\nWith filters a call looks at a limited number of deliveries, so a page may be short or empty while its Link header leads on.',
  params: Type.Object({ webhookEndpointId: Id('webhookEndpoint') }),
  query: ListDeliveriesFilter,
  data: Type.Array(Delivery),
  problems: ['webhook_endpoint_not_found'],
  run: ({ webhooks, caller }, { params, query }) => webhooks.listDeliveries(caller, { ...params, ...query }),
})
