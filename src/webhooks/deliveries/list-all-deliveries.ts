import { type Static, Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { eventFilterWords } from '../../events/event-filter.ts'
import { webhooksRead } from '../webhooks.ts'
import { Delivery, TEST } from './delivery.ts'
import { deliveryListQuery } from './list-deliveries.ts'

const ListAllDeliveriesFilter = Type.Object({
  endpointId: Type.Optional(Id('webhookEndpoint')),
  eventId: Type.Optional(Id('event')),
  eventType: Type.Optional(
    Type.Enum([...eventFilterWords, TEST], {
      description:
        'Only deliveries of events of this type; `payment.*` stands for all types of that record. With a single type a call looks at up to 1,000 deliveries',
    }),
  ),
  ...deliveryListQuery,
})
export type ListAllDeliveriesQuery = Static<typeof ListAllDeliveriesFilter>

/** Extension. Lists the deliveries to all webhook endpoints, newest first. */
export const listAllDeliveries = webhooksRead({
  id: 'listAllDeliveries',
  resource: 'deliveries',
  verb: 'list',
  path: '/v0/deliveries',
  summary: 'List deliveries to all endpoints',
  description: `Lists the deliveries to all webhook endpoints of the organisation, newest first, with their latest attempts. Those to
a deleted endpoint are not listed. An \`eventId\` or \`endpointId\` that names nothing finds nothing.

A call looks at up to 10,000 deliveries, the same number at each endpoint. With filters, or with many endpoints, a page may
be short or empty and still have a \`Link\` header: follow it until there is none.`,
  query: ListAllDeliveriesFilter,
  data: Type.Array(Delivery),
  problems: [],
  run: ({ webhooks, caller }, { query }) => webhooks.listAllDeliveries(caller, query),
})
