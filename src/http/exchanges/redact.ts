import type { TSchema } from 'typebox'
import type { Operation } from '../../base/operation.ts'
import { MAX_KEPT_TEXT } from '../request/body.ts'

/** Stands in place of a secret, a document, or anything that may hold one. */
export const REDACTED = '[redacted]'
/** Stands in place of the part of a body past its limit. */
const TRUNCATED = '[truncated]'

/** Names of headers, parameters and members that carry secrets, whatever a schema says of them. */
const SECRET_NAME = /ssn|secret|token|passw|authorization|cookie|api[-_]?key|signature/i

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name)
}

interface Schema {
  'x-secret'?: true
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
}

const MAX_DEPTH = 32
/** Characters that a number, a mark of a list or an object, or a hidden value is counted as. */
const VALUE_LENGTH = 16
/** Characters around a text or in place of an empty value. */
const MARKS_LENGTH = 5

/** Copies bodies of one schema without their secrets. */
export interface Redaction {
  /** A copy without secrets, of at most `MAX_KEPT_TEXT` characters. */
  apply(value: unknown): { value: unknown; changed: boolean; truncated: boolean }
  /** Whether the schema names a secret. Members that it does not know may then be one, misspelled. */
  hasSecrets: boolean
}

/** The redaction of a body by its schema. */
export function redactionOf(schema: TSchema | undefined): Redaction {
  const root = (schema ?? {}) as Schema
  const hasSecrets = namesSecret(root)
  return {
    hasSecrets,
    apply: (value) => {
      const walk = { left: MAX_KEPT_TEXT, changed: false, truncated: false, hideUnknown: hasSecrets }
      return { value: shown(value, [root], 0, walk), changed: walk.changed, truncated: walk.truncated }
    },
  }
}

/** The redactions of an operation's request and of its success. */
export interface OperationRedaction {
  request: Redaction
  response: Redaction
}

const known = new WeakMap<Operation, OperationRedaction>()

export function redactionFor(operation: Operation): OperationRedaction {
  const found = known.get(operation)
  if (found) return found
  const data = { type: 'object', properties: { data: operation.data } } as TSchema
  const made = { request: redactionOf(operation.body), response: redactionOf(data) }
  known.set(operation, made)
  return made
}

interface Walk {
  /** Characters that the copy may still have. */
  left: number
  changed: boolean
  truncated: boolean
  hideUnknown: boolean
}

/** The copy of a value. `schemas` are those that may describe it, none if it is unknown. */
function shown(value: unknown, schemas: Schema[], depth: number, walk: Walk): unknown {
  if (value === null) {
    walk.left -= MARKS_LENGTH
    return null
  }
  if (schemas.some((schema) => schema['x-secret'])) return hidden(walk)
  const isUnknown = schemas.length === 0 || (depth === 0 && typeof value !== 'object')
  if (isUnknown && walk.hideUnknown) return hidden(walk)
  walk.left -= typeof value === 'string' ? value.length + MARKS_LENGTH : VALUE_LENGTH
  if (walk.left < 0 || depth > MAX_DEPTH) return cut(walk)
  if (typeof value !== 'object') return value
  return Array.isArray(value)
    ? shownItems(value, schemas.flatMap(itemsOf), depth, walk)
    : shownMembers(value as Record<string, unknown>, schemas, depth, walk)
}

function shownMembers(value: Record<string, unknown>, schemas: Schema[], depth: number, walk: Walk): unknown {
  const copy: Record<string, unknown> = {}
  for (const name in value) {
    walk.left -= name.length
    if (walk.left < 0) {
      cut(walk)
      break
    }
    const members = schemas.flatMap((schema) => membersOf(schema, name))
    // Any request may have this member, and no schema names it.
    if (depth === 0 && name === 'idempotencyKey') members.push({})
    const isHidden = members.length === 0 && isSecretName(name)
    const member = isHidden ? hidden(walk) : shown(value[name], members, depth + 1, walk)
    // Defined and not set, because a member may be named __proto__.
    Object.defineProperty(copy, name, { value: member, enumerable: true })
  }
  return copy
}

function shownItems(items: unknown[], schemas: Schema[], depth: number, walk: Walk): unknown[] {
  const copy: unknown[] = []
  for (const item of items) {
    if (walk.left <= 0) {
      copy.push(cut(walk))
      break
    }
    copy.push(shown(item, schemas, depth + 1, walk))
  }
  return copy
}

function hidden(walk: Walk): string {
  walk.left -= VALUE_LENGTH
  walk.changed = true
  return REDACTED
}

function cut(walk: Walk): string {
  walk.changed = true
  walk.truncated = true
  return TRUNCATED
}

function itemsOf({ items, anyOf = [] }: Schema): Schema[] {
  return [...(items ? [items] : []), ...anyOf.flatMap(itemsOf)]
}

function membersOf({ properties, anyOf = [] }: Schema, name: string): Schema[] {
  const own = properties && Object.hasOwn(properties, name) ? properties[name] : undefined
  return [...(own ? [own] : []), ...anyOf.flatMap((branch) => membersOf(branch, name))]
}

function namesSecret(schema: Schema): boolean {
  const { properties = {}, items, anyOf = [] } = schema
  const inner = [...Object.values(properties), ...(items ? [items] : []), ...anyOf]
  return schema['x-secret'] === true || inner.some(namesSecret)
}
