import type { ComponentType } from 'react'
import { Event } from './event.tsx'
import { Events } from './events.tsx'
import { Request } from './request.tsx'
import { Requests } from './requests.tsx'

/** The screens of developers without parameters. */
export const developerPages: Record<string, ComponentType> = {
  '/events': Events,
  '/requests': Requests,
}

/** The screens of developers' records, by the path of their list. */
export const developerRecords: Record<string, ComponentType<{ id: string }>> = {
  '/events': Event,
  '/requests': Request,
}
