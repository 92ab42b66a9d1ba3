import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { Event } from '../../events/event.ts'
import { webhooksWrite } from '../webhooks.ts'

/** Extension. Sends an event once more to every endpoint that has asked for its type. */
export const redeliverEvent = webhooksWrite({
  id: 'redeliverEvent',
  area: 'events',
  method: 'POST',
  path: '/v0/events/:eventId/redeliver',
  summary: 'Redeliver event',
  status: 200,
  scope: 'webhooks:write',
  params: Type.Object({ eventId: Id('event') }),
  data: Event,
  problems: ['event_not_found'],
  run: ({ webhooks, write }, { params }) => webhooks.redeliverEvent(write, params.eventId),
})
