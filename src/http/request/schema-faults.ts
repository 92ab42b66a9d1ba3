import type { TSchema } from 'typebox'
import { parseInstant } from '../../base/clock.ts'
import { brokenRules, type Rule } from '../../base/rules.ts'
import { type Faults, pointerTo, shortName, unknownMessage } from './faults.ts'

/** The keywords of JSON Schema that request schemas use. */
export interface RequestSchema {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: RequestSchema[]
  /** The member whose constant value chooses the branch of a union of objects. */
  discriminator?: { propertyName: string }
  examples?: unknown[]
  minLength?: number
  maxLength?: number
  pattern?: string
  minimum?: number
  maximum?: number
  items?: RequestSchema
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  format?: string
  properties?: Record<string, RequestSchema>
  required?: string[]
  patternProperties?: Record<string, RequestSchema>
  propertyNames?: RequestSchema
  maxProperties?: number
  'x-rules'?: Rule[]
}

/** One value under its schema: where it stands, and the name that messages call it by. */
interface Place {
  schema: RequestSchema
  value: unknown
  pointer: string
  name: string
}

/**
 * Adds every fault of a value under its schema. The work is linear in the size of the value and ends when `faults` is
 * full. A length is judged before the content: of a list or an object that is too long nothing further is looked at.
 *
 * TypeBox's own `Errors` does neither: a list of 300,000 repeated elements under `uniqueItems` kept it busy for minutes.
 */
export function addSchemaFaults(schema: TSchema, value: unknown, faults: Faults, name = 'the body'): void {
  check({ schema: schema as RequestSchema, value, pointer: '', name }, faults)
}

function check(place: Place, faults: Faults): void {
  if (faults.full) return
  const { schema, value, pointer, name } = place
  const fault = (code: string, message: string) => faults.add({ pointer, code, message: `${name} ${message}` })
  if (schema.discriminator) checkDiscriminated(place, schema.discriminator.propertyName, faults)
  else if (schema.anyOf) checkUnion(place, schema.anyOf, faults)
  else if ('const' in schema) {
    if (value !== schema.const) fault('not_allowed', `must be ${String(schema.const)}`)
  } else if (schema.enum) {
    if (!schema.enum.includes(value)) fault('not_allowed', `must be one of ${schema.enum.join(', ')}`)
  } else if (!isOfType(schema.type, value))
    fault('wrong_type', `must be ${typeNames[schema.type ?? ''] ?? 'different'}`)
  else if (typeof value === 'string') checkText(place, value, fault)
  else if (typeof value === 'number') checkNumber(place, value, fault)
  else if (Array.isArray(value)) checkList(place, value, faults, fault)
  else if (schema.patternProperties) checkPairs(place, value as Record<string, unknown>, faults, fault)
  else if (schema.properties) checkMembers(place, value as Record<string, unknown>, faults)
}

type AddFault = (code: string, message: string) => void

/** A union of one type and null is judged as that type; of several types, one sentence is enough. */
function checkUnion(place: Place, branches: RequestSchema[], faults: Faults): void {
  const matching = branches.filter((branch) => isOfType(typeOf(branch), place.value))
  const [branch] = matching
  if (branch && matching.length === 1) {
    check({ ...place, schema: branch }, faults)
    return
  }
  const expected = branches.map((branch) => branch.enum?.join(' or ') ?? typeNames[typeOf(branch) ?? '']).join(' or ')
  faults.add({ pointer: place.pointer, code: 'wrong_type', message: `${place.name} must be ${expected}` })
}

/** Without a known branch, a value is judged by the members that all branches have. */
function checkDiscriminated(place: Place, member: string, faults: Faults): void {
  const { schema, value } = place
  const branch = branchOf(schema, value)
  if (branch) check({ ...place, schema: branch }, faults)
  else if (!isOfType('object', value)) check({ ...place, schema: { type: 'object' } }, faults)
  else {
    checkMembers({ ...place, schema: commonOf(schema.anyOf ?? [], member) }, value as Record<string, unknown>, faults)
  }
}

function commonOf(branches: RequestSchema[], member: string): RequestSchema {
  const [first = {}, ...others] = branches
  const words = branches.map(({ properties = {} }) => properties[member]?.const)
  return {
    properties: { ...Object.assign({}, ...branches.map(({ properties }) => properties)), [member]: { enum: words } },
    required: (first.required ?? []).filter((name) => others.every(({ required }) => required?.includes(name))),
  }
}

/** The branch of a union that a value chooses by its discriminator; undefined if it chooses none. */
export function branchOf({ anyOf = [], discriminator }: RequestSchema, value: unknown): RequestSchema | undefined {
  if (!discriminator || !isOfType('object', value)) return undefined
  const { propertyName } = discriminator
  const chosen = (value as Record<string, unknown>)[propertyName]
  return anyOf.find(({ properties = {} }) => properties[propertyName]?.const === chosen)
}

/** The type of a schema; an enumeration has that of its words. */
function typeOf({ type, enum: words }: RequestSchema): string | undefined {
  return type ?? (words && typeof words[0])
}

const typeNames: Record<string, string> = {
  string: 'a string',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
}

function isOfType(type: string | undefined, value: unknown): boolean {
  switch (type) {
    case undefined:
      return true
    case 'integer':
      return Number.isInteger(value)
    case 'number':
      return Number.isFinite(value)
    case 'array':
      return Array.isArray(value)
    case 'null':
      return value === null
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    default:
      return typeof value === type
  }
}

function checkText({ schema }: Pick<Place, 'schema'>, text: string, fault: AddFault): void {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY, pattern, examples } = schema
  // A code point is one or two UTF-16 units, so that a very long text need not be counted.
  if (text.length > maxLength && (text.length > 2 * maxLength || codePoints(text) > maxLength)) {
    fault('too_long', `must have at most ${maxLength} characters`)
    return
  }
  if (text.length < 2 * minLength && codePoints(text) < minLength) {
    fault('too_short', minLength === 1 ? 'must not be empty' : `must have at least ${minLength} characters`)
    return
  }
  if (pattern === undefined || patternOf(pattern).test(text)) {
    if (isImpossibleDay(schema, text)) fault('bad_format', 'must be a day of the calendar')
    return
  }
  const [example] = examples ?? []
  fault('bad_format', example === undefined ? 'has the wrong form' : `has the wrong form; an example is ${example}`)
}

/** Whether a text has the form of a date and names no day, such as February 30. */
function isImpossibleDay({ format }: RequestSchema, text: string): boolean {
  return format === 'date' && parseInstant(text) === undefined
}

const patterns = new Map<string, RegExp>()

/** Compiled once; the schemas have a few dozen. */
function patternOf(source: string): RegExp {
  const compiled = patterns.get(source) ?? new RegExp(source, 'u')
  patterns.set(source, compiled)
  return compiled
}

function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

function checkNumber({ schema }: Place, number: number, fault: AddFault): void {
  if (schema.minimum !== undefined && number < schema.minimum)
    fault('out_of_range', `must be at least ${schema.minimum}`)
  if (schema.maximum !== undefined && number > schema.maximum)
    fault('out_of_range', `must be at most ${schema.maximum}`)
}

function checkList({ schema, pointer, name }: Place, list: unknown[], faults: Faults, fault: AddFault): void {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, items = {} } = schema
  if (list.length > maxItems) {
    fault('too_long', `must have at most ${maxItems} elements`)
    return
  }
  if (list.length < minItems)
    fault('too_short', minItems === 1 ? 'must not be empty' : `must have at least ${minItems} elements`)
  if (schema.uniqueItems && new Set(list.map((item) => JSON.stringify(item))).size < list.length) {
    fault('bad_format', 'must not have duplicate elements')
  }
  for (let index = 0; index < list.length && !faults.full; index++) {
    check({ schema: items, value: list[index], pointer: `${pointer}/${index}`, name }, faults)
  }
}

/** An object of free names, such as tags. */
function checkPairs(place: Place, pairs: Record<string, unknown>, faults: Faults, fault: AddFault): void {
  const { schema, pointer } = place
  const { maxProperties = Number.POSITIVE_INFINITY, propertyNames = {} } = schema
  const names = Object.keys(pairs)
  if (names.length > maxProperties) {
    fault('too_long', `must have at most ${maxProperties} members`)
    return
  }
  const [value = {}] = Object.values(schema.patternProperties ?? {})
  let oddName = false
  for (const name of names) {
    checkText({ schema: propertyNames }, name, () => {
      oddName = true
    })
    check({ schema: value, value: pairs[name], pointer: pointerTo(pointer, name), name: shortName(name) }, faults)
  }
  if (oddName) fault('bad_format', 'has a name that is too short or too long')
}

function checkMembers({ schema, pointer }: Place, members: Record<string, unknown>, faults: Faults): void {
  const { properties = {}, required = [], 'x-rules': rules = [] } = schema
  const earlier = faults.list.length
  for (const name of required) {
    if (!Object.hasOwn(members, name)) {
      faults.add({ pointer: pointerTo(pointer, name), code: 'required', message: `${name} is required` })
    }
  }
  for (const name of Object.keys(members)) {
    if (faults.full) return
    const member = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (member) check({ schema: member, value: members[name], pointer: pointerTo(pointer, name), name }, faults)
    else {
      const message = unknownMessage(name, Object.keys(properties))
      faults.add({ pointer: pointerTo(pointer, name), code: 'unknown', message })
    }
  }
  // Rules are about members that are valid by themselves.
  if (faults.list.length > earlier) return
  for (const { member, code, message } of brokenRules(rules, members)) {
    faults.add({ pointer: pointerTo(pointer, member), code, message })
  }
}
