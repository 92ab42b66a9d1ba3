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
      description: 'Only events with a higher sequence number',
    }),
  ),
  type: Type.Optional(
    Type.Array(EventFilter, {
      description:
        'Only events of these types; `payment.*` stands for all types of a kind of record. A call looks at up to 10,000 events: the page may be short or empty, and the Link header then leads on',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: 'Maximum number of events to return' }),
  ),
  wait: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 30,
      default: 0,
      description: 'Long poll: seconds to wait for an event where there is none yet',
    }),
  ),
})
export type ListEventsQuery = Static<typeof ListEventsFilter>

/** Extension. Lists events in the order in which they happened, and waits for the next one if asked to. */
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
