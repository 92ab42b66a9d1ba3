import { isDeepStrictEqual } from 'node:util'
import type { TSchema } from 'typebox'

export type JsonObject = Record<string, unknown>

/** The schemas of the document, by name. */
export type NamedSchemas = Record<string, JsonObject>

/** No text of a request may hold a control character. JSON Schema can say that only by a pattern. */
const NO_CONTROL_CHARACTER = '^[^\\u0000-\\u001f\\u007f-\\u009f]*$'
const NOT_BLANK = '^(?=.*\\S)[^\\u0000-\\u001f\\u007f-\\u009f]*$'
/** Commas separate the values of a list. */
const VALUE_OF_LIST = '^(?=.*\\S)[^,\\u0000-\\u001f\\u007f-\\u009f]*$'

interface Placing {
  schemas: NamedSchemas
  /** Requests are closed, and their texts are restricted; answers may grow. */
  isRequest: boolean
}

/** The schema of a value in an answer. */
export function answerSchema(schema: TSchema, schemas: NamedSchemas): JsonObject {
  return placed(schema, { schemas, isRequest: false })
}

/** The schema of a query or path parameter. A blank text is refused, except if a filter counts it as absent. */
export function parameterSchema(schema: TSchema, schemas: NamedSchemas): JsonObject {
  const described = placed(schema, { schemas, isRequest: true })
  if ('x-clause' in schema) return described
  const { items } = described
  return items ? { ...described, items: filled(items as JsonObject, VALUE_OF_LIST) } : filled(described, NOT_BLANK)
}

/** The schema of a free text, with a pattern that no blank text has. Other schemas are returned unchanged. */
function filled(schema: JsonObject, pattern: string): JsonObject {
  const isFreeText = schema.type === 'string' && !schema.enum && schema.pattern === NO_CONTROL_CHARACTER
  return isFreeText ? { minLength: 1, ...schema, pattern } : schema
}

/** A point in time, as a date-time with an offset or as a date, or one of the words that stand for a time. */
function instantSchema({ description, examples, ...own }: InstantSchema): JsonObject {
  const formats = ['date-time', 'date'].map((format) => ({ type: 'string', format }))
  const words = own['x-words'] ? [{ type: 'string', enum: own['x-words'] }] : []
  return { anyOf: [...formats, ...words], description, examples }
}

type InstantSchema = TSchema & { description?: string; examples?: unknown[]; 'x-words'?: string[] }

/** Names the schema of a request's body. A POST also takes its idempotency key as a member, of up to so many characters. */
export function bodySchema(
  name: string,
  schema: TSchema | undefined,
  schemas: NamedSchemas,
  keyLength = 0,
): JsonObject {
  const described = placed({ ...(schema ?? noMembers), $id: undefined } as TSchema, { schemas, isRequest: true })
  const branches = described.oneOf as { $ref: string }[] | undefined
  if (keyLength > 0 && branches) for (const { $ref } of branches) addKey(schemas[nameIn($ref)] ?? {}, keyLength)
  else if (keyLength > 0) addKey(described, keyLength)
  return named(name, described, schemas)
}

const noMembers = { type: 'object', description: 'A body without members; it may be left out', properties: {} }

function addKey(body: JsonObject, maxLength: number): void {
  body.properties = { ...(body.properties as object), idempotencyKey: keySchema(maxLength) }
}

const keySchema = (maxLength: number) => ({
  type: 'string',
  pattern: `^[\\u0021-\\u007e]{1,${maxLength}}$`,
  minLength: 1,
  maxLength,
  description: 'The same as the header `Idempotency-Key`, for callers that cannot set headers',
  examples: ['rent-2026-11'],
})

/** Adds a schema under a name and returns a reference to it. */
export function named(name: string, schema: JsonObject, schemas: NamedSchemas): JsonObject {
  const earlier = schemas[name]
  if (earlier && !isDeepStrictEqual(earlier, schema)) throw new Error(`two schemas are named ${name}`)
  schemas[name] = schema
  return { $ref: `#/components/schemas/${name}` }
}

function nameIn(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1)
}

/** A schema in the form of the document: named if it has a name, with the type of every enumeration. */
function placed(schema: TSchema, place: Placing): JsonObject {
  if (place.isRequest && 'x-instant' in schema) return instantSchema(schema)
  const { $id, ...rest } = schema as TSchema & { $id?: string }
  const described = arranged(rest as JsonObject, place)
  if ($id === undefined) return described
  return named(place.isRequest ? `${$id}Input` : $id, described, place.schemas)
}

function arranged(schema: JsonObject, place: Placing): JsonObject {
  const described: JsonObject = {}
  for (const [keyword, value] of Object.entries(schema))
    Object.assign(described, arrangedKeyword(keyword, value, place))
  const [first = described.const] = (described.enum as unknown[]) ?? []
  if (first !== undefined && described.type === undefined) described.type = typeof first
  if (described.discriminator) return discriminated(described, place.schemas)
  if (!place.isRequest) return described
  if (described.properties) described.additionalProperties = false
  const isFreeText = described.type === 'string' && described.enum === undefined && described.const === undefined
  if (isFreeText && described.pattern === undefined && !described['x-raw']) described.pattern = NO_CONTROL_CHARACTER
  return described
}

function arrangedKeyword(keyword: string, value: unknown, place: Placing): JsonObject {
  switch (keyword) {
    case 'properties': {
      const members = Object.entries(value as Record<string, TSchema>)
      return { properties: Object.fromEntries(members.map(([name, member]) => [name, placed(member, place)])) }
    }
    case 'patternProperties': {
      // Generators read free names with values of one kind only in this form.
      const [member = {}] = Object.values(value as Record<string, TSchema>)
      return { additionalProperties: placed(member as TSchema, place) }
    }
    case 'anyOf':
      return { anyOf: (value as TSchema[]).map((branch) => placed(branch, place)) }
    case 'items':
    case 'propertyNames':
      return { [keyword]: placed(value as TSchema, place) }
    default:
      return { [keyword]: value }
  }
}

/** A union whose branch is chosen by the constant value of one member. Every branch has a name, which the mapping needs. */
function discriminated({ anyOf, discriminator, ...rest }: JsonObject, schemas: NamedSchemas): JsonObject {
  const { propertyName } = discriminator as { propertyName: string }
  const mapping: Record<string, string> = {}
  for (const { $ref } of anyOf as { $ref: string }[]) {
    const { properties } = schemas[nameIn($ref)] as { properties: Record<string, { const: string }> }
    mapping[properties[propertyName]?.const ?? ''] = $ref
  }
  return { ...rest, oneOf: anyOf, discriminator: { propertyName, mapping } }
}

/** A name of the document, made of an operation's id, an event type or a problem code. */
export function pascal(words: string): string {
  return words.replace(/(?:^|[._])([a-z])/g, (_match, letter: string) => letter.toUpperCase())
}
