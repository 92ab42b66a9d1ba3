import { Type } from 'typebox'
import { Id } from '../base/ids.ts'
import { Event } from './event.ts'
import { eventsRead } from './events.ts'

/** Extension. Returns one event. */
export const getEvent = eventsRead({
  id: 'getEvent',
  resource: 'events',
  verb: 'get',
  path: '/v0/events/:eventId',
  summary: 'Get event',
  description:
    'Returns one event of the organisation. `data` is the record as it was after the change, which may differ from the record today. Events are never changed. An event that is no longer kept gets `event_expired`, and an id of another organisation `event_not_found`.',
  fromStandby: true,
  params: Type.Object({ eventId: Id('event') }),
  data: Event,
  problems: ['event_not_found', 'event_expired'],
  run: ({ events, caller }, { params }) => events.getEvent(caller, params.eventId),
})
