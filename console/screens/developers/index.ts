import type { ComponentType } from 'react'
import { Access } from './access.tsx'
import { ApiKey } from './api-key.tsx'
import { Delivery } from './delivery.tsx'
import { Endpoint } from './endpoint.tsx'
import { Event } from './event.tsx'
import { Events } from './events.tsx'
import { Request } from './request.tsx'
import { Requests } from './requests.tsx'
import { Sandbox } from './sandbox.tsx'
import { Webhooks } from './webhooks.tsx'

/** The screens of developers without parameters. */
export const developerPages: Record<string, ComponentType> = {
  '/access': Access,
  '/events': Events,
  '/requests': Requests,
  '/sandbox': Sandbox,
  '/webhooks': Webhooks,
}

/** The screens of developers' records, by the path of their list. */
export const developerRecords: Record<string, ComponentType<{ id: string }>> = {
  '/access/keys': ApiKey,
  '/events': Event,
  '/requests': Request,
  '/webhooks': Endpoint,
  '/webhooks/deliveries': Delivery,
}
