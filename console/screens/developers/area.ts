import type { Area } from '../../screens.tsx'
import { Access } from './access.tsx'
import { ApiKey } from './api-key.tsx'
import { ClockScreen } from './clock.tsx'
import { Delivery } from './delivery.tsx'
import { Endpoint } from './endpoint.tsx'
import { Event } from './event.tsx'
import { Events } from './events.tsx'
import { Move } from './move.tsx'
import { People, PersonScreen } from './people/people.tsx'
import { Person } from './people/person.tsx'
import { Request } from './request.tsx'
import { Requests } from './requests.tsx'
import { Sandbox } from './sandbox.tsx'
import { Webhooks } from './webhooks.tsx'

/** The screens of developers. */
export const developers: Area = {
  pages: {
    '/access': Access,
    '/access/people': People,
    '/access/person': Person,
    '/clock': ClockScreen,
    '/events': Events,
    '/move': Move,
    '/requests': Requests,
    '/sandbox': Sandbox,
    '/webhooks': Webhooks,
  },
  records: {
    '/access/keys': ApiKey,
    '/access/people': PersonScreen,
    '/events': Event,
    '/requests': Request,
    '/webhooks': Endpoint,
    '/webhooks/deliveries': Delivery,
  },
}
