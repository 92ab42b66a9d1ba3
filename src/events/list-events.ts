import { type Static, Type } from 'typebox'
import { invalidRequest } from '../base/problem.ts'
import type { Rule } from '../base/rules.ts'
import { Text } from '../base/text.ts'
import { Event, entityType, eventTypes } from './event.ts'
import { EventFilter, lets, typeFilter } from './event-filter.ts'
import { eventsRead } from './events.ts'
import { positionQuery, positionRule, requirePosition } from './position.ts'

const ListEventsFilter = Type.Object(
  {
    ...positionQuery,
    type: Type.Optional(
      Type.Array(EventFilter, {
        description:
          'Only events of these types; `payment.*` stands for all types of that record. A call looks at up to 10,000 events, so a page may be short or empty while its Link header leads on',
      }),
    ),
    entityType: Type.Optional(
      Type.Enum([...new Set(eventTypes.map(entityType))], {
        description: 'Only events of records of this kind; with `entityId`, of one of them',
      }),
    ),
    entityId: Type.Optional(
      Type.String({ description: 'Only events of the record with this id; needs `entityType`', examples: ['1000042'] }),
    ),
    requestId: Type.Optional(
      Text(1, 128, {
        description:
          'Only events that the request with this `X-Request-Id` caused. Those of a request in `GET /v0/requests` are found at once; for others a call looks at up to 10,000 events, and its Link header leads on',
      }),
    ),
  },
  { 'x-rules': [positionRule, { rule: 'entity', members: ['entityType', 'entityId', 'type'] }] satisfies Rule[] },
)
export type ListEventsQuery = Static<typeof ListEventsFilter>

/** Extension. Lists events in the order in which they happened, and waits for the next one if asked to. */
export const listEvents = eventsRead({
  id: 'listEvents',
  resource: 'events',
  verb: 'list',
  path: '/v0/events',
  summary: 'List events',
  description:
    'Lists the events of the organisation by their sequence numbers, which have no gaps: oldest first, or newest first with `sort=-sequence`. With `wait` the answer comes as soon as there is an event; `after=latest` begins with events after the call.\n\n`entityType` with `entityId` finds the events of one record without reading the feed, and `requestId` those of one request. An unknown id in a filter matches nothing. Parameters that contradict each other are refused with 400.\n\nA position whose events are gone gets 410, and `resumeAfter` is the position to go on from: `events_rewound` if the number is past the latest event because the database was restored, `events_expired` if the next events are no longer kept. `after=0` always begins with the oldest event that is kept.',
  // A call that waits, or begins with the latest event, asks for what happens now.
  fromStandby: ({ after, wait }) => after !== 'latest' && !wait,
  query: ListEventsFilter,
  data: Type.Array(Event),
  problems: ['events_rewound', 'events_expired'],
  run: async ({ events, caller, patience }, { query }) => {
    requirePosition(query)
    requireEntity(query)
    return events.listEvents(caller, query, patience)
  },
})

function requireEntity({ entityType: kind, entityId, type }: ListEventsQuery): void {
  if (kind === undefined && entityId !== undefined) {
    const message = 'entityType is needed beside entityId: an id is unique among records of one kind'
    throw invalidRequest([{ parameter: 'entityType', code: 'required', message }])
  }
  const filter = typeFilter(type)
  if (kind === undefined || !filter || eventTypes.some((word) => entityType(word) === kind && lets(filter, word)))
    return
  const message = `type names no type of ${kind}: no event could be found`
  throw invalidRequest([{ parameter: 'type', code: 'conflict', message }])
}
