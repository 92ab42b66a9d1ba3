import { parseInstant } from '../../base/clock.ts'
import { Page, type PageQuery, totalIf } from '../../base/page.ts'
import { Problem } from '../../base/problem.ts'

/** The longest message about an answer. It goes into the log and into events, and quotes the names of the upstream. */
const MAX_MESSAGE = 300

/** An answer of the upstream that cannot be read. Asked again, the upstream may answer better. */
export class Garbled extends Error {
  constructor(message: string) {
    super(message.slice(0, MAX_MESSAGE))
  }
}

/** A record in which a member is missing or of another type. Asked again, the upstream would answer the same. */
export class IncompleteRecord extends Garbled {}

type Json = Record<string, unknown>

/** A record in the form of JSON:API. */
export interface Resource {
  type: string
  id: string
  attributes: Json
  relationships: Json
}

/** A whole reply. */
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
  const { type, id, attributes, relationships } = objectOf(value, 'data')
  if (typeof type !== 'string') throw new IncompleteRecord('data.type is not a text')
  return {
    type,
    id: typeof id === 'string' ? id : '',
    attributes: objectOf(attributes ?? {}, 'attributes'),
    relationships: objectOf(relationships ?? {}, 'relationships'),
  }
}

/** A record that is left out of an answer, and the reason. */
export interface Unreadable {
  type: string
  id: string
  reason: string
}
export type LeaveOut = (records: Unreadable[]) => void

/** Maps records. One that cannot be read, or that the interface does not know, is left out: the others are still good. */
export function readable<Item>(
  records: unknown[],
  map: (resource: Resource) => Item,
  leaveOut: LeaveOut,
): { items: Item[]; omitted: number; reason: string | undefined } {
  const items: Item[] = []
  const unreadable: Unreadable[] = []
  for (const record of records) {
    try {
      items.push(map(resourceOf(record)))
    } catch (error) {
      if (!(error instanceof Garbled || error instanceof Problem)) throw error
      unreadable.push({ ...named(record), reason: error.message })
    }
  }
  if (unreadable.length > 0) leaveOut(unreadable)
  const [first] = unreadable
  return { items, omitted: unreadable.length, reason: first && `${first.type} ${first.id}: ${first.reason}` }
}

/** One page of a list. The upstream answers the total, by which there are more or not. */
export function pageFrom<Item>(
  { data, meta }: Document,
  { limit = 100, offset = 0, count }: PageQuery,
  map: (resource: Resource) => Item,
  leaveOut: LeaveOut,
): Page<Item> {
  // An upstream that ignores the limit answers more than was asked for.
  const records = listOf(data).slice(0, limit)
  const { total } = childOf(meta, 'pagination')
  const more = typeof total === 'number' ? offset + records.length < total : records.length === limit
  const { items, omitted, reason } = readable(records, map, leaveOut)
  const page = new Page(items, more && records.length > 0, undefined, omitted)
  return page.because(reason).counted(totalIf(count, total))
}

export function idOf({ id, type }: Resource): string {
  if (id === '') throw new IncompleteRecord(`a ${type} has no id`)
  return id
}

export function text({ attributes, type }: Resource, name: string): string {
  const value = attributes[name]
  if (typeof value !== 'string') throw new IncompleteRecord(`${name} of a ${type} is not a text`)
  return value
}

export function optionalText({ attributes }: Resource, name: string): string | undefined {
  const value = attributes[name]
  return typeof value === 'string' ? value : undefined
}

export function cents({ attributes, type }: Resource, name: string): number {
  const value = attributes[name]
  if (!Number.isSafeInteger(value)) throw new IncompleteRecord(`${name} of a ${type} is not a whole number of cents`)
  return value as number
}

/** A time in the interface's form, with milliseconds. */
export function instant(resource: Resource, name: string): string {
  const parsed = parseInstant(text(resource, name))
  if (parsed === undefined) throw new IncompleteRecord(`${name} of a ${resource.type} is not a time`)
  return `${parsed.slice(0, 23)}Z`
}

export function tagsOf({ attributes }: Resource): Record<string, string> {
  const pairs = Object.entries(childOf(attributes, 'tags')).filter(([, value]) => typeof value === 'string')
  return Object.fromEntries(pairs) as Record<string, string>
}

/** The id of a related record. */
export function relatedId({ relationships }: Resource, name: string): string | undefined {
  const { id } = childOf(childOf(relationships, name), 'data')
  return typeof id === 'string' ? id : undefined
}

/** The customers of a record. The upstream names one as `customer` and several as `customers`. */
export function customerIdsOf(resource: Resource): string[] {
  const { data } = childOf(resource.relationships, 'customers')
  const several = Array.isArray(data) ? data.map((one) => childOf(one).id) : []
  return [relatedId(resource, 'customer'), ...several].filter((id) => typeof id === 'string')
}

/** The customer of a record; the first if it has several. */
export function customerIdOf(resource: Resource): string {
  return customerIdsOf(resource)[0] ?? ownerId(resource, 'customer')
}

/** The id of a related record that must exist. */
export function ownerId(resource: Resource, name: string): string {
  const id = relatedId(resource, name)
  if (id === undefined) throw new IncompleteRecord(`a ${resource.type} belongs to no ${name}`)
  return id
}

/** A member as an object, empty if it is none; without a name the value itself. */
export function childOf(parent: unknown, name?: string): Json {
  const value = name === undefined || !isObject(parent) ? parent : parent[name]
  return isObject(value) ? value : {}
}

function listOf(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new IncompleteRecord('data is not a list')
  return value
}

/** The type and id of a record for the log, as far as it has them. */
function named(record: unknown): { type: string; id: string } {
  const { type, id } = childOf(record)
  const word = (value: unknown) => (typeof value === 'string' ? value.slice(0, 100) : '')
  return { type: word(type), id: word(id) }
}

function objectOf(value: unknown, what: string): Json {
  if (!isObject(value)) throw new IncompleteRecord(`${what} is not an object`)
  return value
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
