import type { ResourceName } from '../../../src/base/ids.ts'
import type { Operation } from '../../../src/base/operation.ts'
import { type Schema, schemaOf } from './samples.ts'

export interface Member {
  pointer: string
  schema: Schema
  required: boolean
}

/** Every member that a body can have, however deep. */
export function members(schema: Schema, pointer = ''): Member[] {
  const object = objectOf(schema)
  return Object.entries(object?.properties ?? {}).flatMap(([name, member]) => {
    const place = `${pointer}/${name}`
    const own = { pointer: place, schema: member, required: object?.required?.includes(name) ?? false }
    // Items of a batch are validated one by one, and each has a problem of its own.
    if (member['x-each']) return [own]
    const item = member.items ? [{ pointer: `${place}/0`, schema: member.items, required: false }] : []
    return [own, ...item, ...members(member, place), ...(member.items ? members(member.items, `${place}/0`) : [])]
  })
}

export function objectOf(schema: Schema): Schema | undefined {
  return schema.properties ? schema : schema.anyOf?.find(({ properties }) => properties)
}

/** A copy of the body with one member set, or dropped; nothing if the body has no such place. */
export function withMember(body: unknown, pointer: string, value: unknown): unknown {
  // Built from text, so that __proto__ is a member like any other.
  const copy = JSON.parse(JSON.stringify(body)) as Record<string, unknown>
  const names = pointer
    .split('/')
    .slice(1)
    .map((name) => name.replace('~1', '/').replace('~0', '~'))
  const last = names.pop() ?? ''
  let place: Record<string, unknown> | undefined = copy
  for (const name of names) place = place?.[name] as Record<string, unknown> | undefined
  if (typeof place !== 'object' || place === null) return undefined
  if (value === undefined) delete place[last]
  else Object.defineProperty(place, last, { value, enumerable: true, configurable: true, writable: true })
  return copy
}

type IdSchema = Schema & { 'x-resource': ResourceName }

export function idsIn(part: Operation['params']): [name: string, schema: IdSchema][] {
  return Object.entries(schemaOf(part).properties ?? {}).filter(
    (entry): entry is [string, IdSchema] => entry[1]['x-resource'] !== undefined,
  )
}

/** The problem of an id that names no record of the caller. */
export function notFound(resource: ResourceName): string {
  // A purchase is named by its transaction.
  const named = resource === 'purchase' ? 'transaction' : resource
  return `${named.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}_not_found`
}
