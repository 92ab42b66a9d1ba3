import type { ComponentType } from 'react'
import { Connect } from './connect.tsx'
import { Guide } from './guide.tsx'
import { Operation } from './operation.tsx'
import { Reference } from './reference.tsx'

/** The screens of the reference without parameters. */
export const referencePages: Record<string, ComponentType> = {
  '/reference': Reference,
  '/reference/guides': Reference,
  '/reference/connect': Connect,
}

/** The screens of the reference by a name in the path. */
export const referenceRecords: Record<string, ComponentType<{ id: string }>> = {
  '/reference': Operation,
  '/reference/guides': ({ id }) => <Guide name={id} folder="guides" />,
  '/reference/pages': ({ id }) => <Guide name={id} folder="" />,
}
