import { type Static, Type } from 'typebox'
import { Event } from './event.ts'
import { EventFilter } from './event-filter.ts'
import { eventsRead } from './events.ts'

const ListEventsFilter = Type.Object({
  after: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: Number.MAX_SAFE_INTEGER,
      default: 0,
      description: 'The sequence number of the last event that is known; those behind it are answered',
    }),
  ),
  type: Type.Optional(
    Type.Array(EventFilter, { description: 'Only these types; payment.* are all of a kind, repeatable' }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'Most events to answer' })),
  wait: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 30,
      default: 0,
      description: 'Seconds to wait for an event where there is none yet',
    }),
  ),
})
export type ListEventsQuery = Static<typeof ListEventsFilter>

/** Extension. Lists events in the order in which they happened, and waits for the next where asked to. */
export const listEvents = eventsRead({
  id: 'listEvents',
  area: 'events',
  method: 'GET',
  path: '/v0/events',
  summary: 'List events',
  status: 200,
  scope: 'events:read',
  query: ListEventsFilter,
  data: Type.Array(Event),
  problems: [],
  run: ({ events, caller, patience }, { query }) => events.listEvents(caller, query, patience),
})
