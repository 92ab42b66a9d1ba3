import type { ComponentType } from 'react'
import { Request } from './request.tsx'
import { Requests } from './requests.tsx'

/** The screens of developers without parameters. */
export const developerPages: Record<string, ComponentType> = {
  '/requests': Requests,
}

/** The screens of developers' records, by the path of their list. */
export const developerRecords: Record<string, ComponentType<{ id: string }>> = {
  '/requests': Request,
}
