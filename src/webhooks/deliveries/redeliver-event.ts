import { Type } from 'typebox'
import { Id } from '../../base/ids.ts'
import { Event } from '../../events/event.ts'
import { webhooksWrite } from '../webhooks.ts'

/**
 * Extension. Sends an event once more to every endpoint that subscribes to its type. It asks for `events:read` too: the
 * answer shows the event, and a key that may only manage endpoints could otherwise read every past event by pointing an
 * endpoint of its own at them.
 */
export const redeliverEvent = webhooksWrite({
  id: 'redeliverEvent',
  resource: 'events',
  verb: 'redeliver',
  path: '/v0/events/:eventId/redeliver',
  summary: 'Redeliver event',
  description:
    'Sends an event again to every endpoint that subscribes to its type or has received it before, with the same id and new retries. An endpoint that has not reached the event yet receives it in its turn, and a disabled one when it is enabled again. The answer is the event.\n\nBoth scopes are needed, because a key that manages endpoints could otherwise read all past events.',
  alsoScope: 'events:read',
  params: Type.Object({ eventId: Id('event') }),
  data: Event,
  problems: ['event_not_found', 'event_expired'],
  run: ({ webhooks, write }, { params }) => webhooks.redeliverEvent(write, params.eventId),
})
