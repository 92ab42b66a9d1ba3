import { parseInstant } from '../../base/clock.ts'
import { Page, type PageQuery } from '../../base/page.ts'

/** What came from the upstream is not what its conventions say. */
export class Garbled extends Error {}

type Json = Record<string, unknown>

/** A record as JSON:API writes it. */
export interface Resource {
  type: string
  id: string
  attributes: Json
  relationships: Json
}

/** A whole answer. */
export interface Document {
  data: unknown
  included: unknown
  meta: unknown
}

export function parseDocument(bytes: Buffer): Document {
  let document: unknown
  try {
    document = JSON.parse(bytes.toString('utf8'))
  } catch {
    throw new Garbled('the answer is not JSON')
  }
  const { data, included, meta } = objectOf(document, 'the answer')
  return { data, included, meta }
}

export function resourceOf(value: unknown): Resource {
  const { type, id, attributes = {}, relationships = {} } = objectOf(value, 'data')
  if (typeof type !== 'string') throw new Garbled('data.type is no text')
  return {
    type,
    id: typeof id === 'string' ? id : '',
    attributes: objectOf(attributes, 'attributes'),
    relationships: objectOf(relationships, 'relationships'),
  }
}

export function resourcesOf(value: unknown): Resource[] {
  if (!Array.isArray(value)) throw new Garbled('data is no list')
  return value.map(resourceOf)
}

/** One page of a list; the upstream tells how many there are in all. */
export function pageFrom<Item>(
  { data, meta }: Document,
  { limit = 100, offset = 0 }: PageQuery,
  item: (resource: Resource) => Item,
): Page<Item> {
  const items = resourcesOf(data).map(item)
  const { total } = childOf(meta, 'pagination')
  const more = typeof total === 'number' ? offset + items.length < total : items.length === limit
  return new Page(items, more && items.length > 0)
}

export function idOf({ id, type }: Resource): string {
  if (id === '') throw new Garbled(`a ${type} has no id`)
  return id
}

export function text({ attributes, type }: Resource, name: string): string {
  const value = attributes[name]
  if (typeof value !== 'string') throw new Garbled(`${name} of a ${type} is no text`)
  return value
}

export function optionalText({ attributes }: Resource, name: string): string | undefined {
  const value = attributes[name]
  return typeof value === 'string' ? value : undefined
}

export function cents({ attributes, type }: Resource, name: string): number {
  const value = attributes[name]
  if (!Number.isSafeInteger(value)) throw new Garbled(`${name} of a ${type} is no whole number of cents`)
  return value as number
}

/** A time at the millisecond that the interface shows. */
export function instant(resource: Resource, name: string): string {
  const parsed = parseInstant(text(resource, name))
  if (parsed === undefined) throw new Garbled(`${name} of a ${resource.type} is no time`)
  return `${parsed.slice(0, 23)}Z`
}

export function tagsOf({ attributes }: Resource): Record<string, string> {
  const pairs = Object.entries(childOf(attributes, 'tags')).filter(([, value]) => typeof value === 'string')
  return Object.fromEntries(pairs) as Record<string, string>
}

/** The id of what a record belongs to. */
export function relatedId({ relationships }: Resource, name: string): string | undefined {
  const { id } = childOf(childOf(relationships, name), 'data')
  return typeof id === 'string' ? id : undefined
}

/** The owner of a record; of one with several owners the first. */
export function customerIdOf(resource: Resource): string {
  const { data } = childOf(resource.relationships, 'customers')
  const [first] = Array.isArray(data) ? data : []
  const { id } = childOf(first)
  return relatedId(resource, 'customer') ?? (typeof id === 'string' ? id : ownerId(resource, 'customer'))
}

/** The same where a record has to belong to something. */
export function ownerId(resource: Resource, name: string): string {
  const id = relatedId(resource, name)
  if (id === undefined) throw new Garbled(`a ${resource.type} belongs to no ${name}`)
  return id
}

/** A member that is an object, or an empty one; without a name the value itself. */
export function childOf(parent: unknown, name?: string): Json {
  const value = name === undefined || !isObject(parent) ? parent : parent[name]
  return isObject(value) ? value : {}
}

function objectOf(value: unknown, what: string): Json {
  if (!isObject(value)) throw new Garbled(`${what} is no object`)
  return value
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
