import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from './schemas.ts'

/**
 * The document in OpenAPI 3.0, for generators of clients that do not know 3.1. It describes the same requests and answers and says
 * less about them, so that a generated client stays small: all refusals of an operation are one response, an event has data of any
 * form, words that may be joined by others are texts, and webhooks, deprecated spellings, headers other than the idempotency key and rules
 * that 3.0 cannot express are left out.
 */
export function openapi30Of(document: JsonObject): JsonObject {
  const { openapi: _version, webhooks: _webhooks, info, paths, components, ...rest } = document
  const { license: _license, ...about } = info as JsonObject
  const { securitySchemes, schemas, parameters } = components as Record<string, Record<string, JsonObject>>
  return {
    openapi: '3.0.3',
    info: { ...about, license: { name: 'Apache-2.0' } },
    ...rest,
    paths: pathsOf30(paths as JsonObject, schemas ?? {}),
    components: {
      securitySchemes,
      schemas: schemasOf30(schemas ?? {}),
      parameters: { 'Idempotency-Key': of30(parameters?.['Idempotency-Key']) },
      responses: {
        Problem: {
          description: 'A refusal. `code` says why; the page `/docs/errors` lists all codes.',
          content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      },
    },
  }
}

/** The schemas by their names, without those that only webhooks and large unions need. */
function schemasOf30(schemas: Schemas): JsonObject {
  const unions = Object.entries(schemas).filter(([, { oneOf }]) => Array.isArray(oneOf) && oneOf.length > MAX_BRANCHES)
  const branches = new Set(unions.flatMap(([, union]) => branchNames(union)))
  const isUnused = (name: string) => branches.has(name) || name === 'EmptyRequest'
  const common = Object.fromEntries(unions.map(([name, union]) => [name, commonOf(union, schemas)]))
  const kept = Object.entries({ ...schemas, ...common }).filter(([name]) => !isUnused(name))
  return Object.fromEntries(
    kept.map(([name, schema]) => answerSchema(name, schema) ?? [name, schemaOf30(name, schema)]),
  )
}

/** A schema that only answers have says its words as texts: a later version may answer with others, and a list of words is long in Go. */
function schemaOf30(name: string, schema: JsonObject | undefined): unknown {
  const isSent = /(Request|Input)$/.test(name)
  return isSent
    ? of30(schema)
    : JSON.parse(JSON.stringify(of30(schema)), (key, value) => (key === 'enum' ? undefined : value))
}

/**
 * The schema of an answer, if it is one, by a name that generators leave free: they make a type `CreatePaymentResponse`
 * themselves. Operations that answer with the same record have one schema, such as `PaymentAnswer`.
 */
function answerSchema(name: string, schema: JsonObject | undefined): [string, unknown] | undefined {
  if (!schema || !name.endsWith('Response')) return undefined
  const { data } = schema.properties as Record<string, JsonObject>
  const record = typeof data?.$ref === 'string' ? nameIn(data.$ref) : undefined
  const described = record === undefined ? schema : { ...schema, description: `An answer with a ${record}` }
  return [`${record ?? name.slice(0, -'Response'.length)}Answer`, of30(described)]
}

function nameIn($ref: string): string {
  return $ref.slice($ref.lastIndexOf('/') + 1)
}

/** Generators make three functions of each branch. */
const MAX_BRANCHES = 10

function branchNames({ oneOf }: JsonObject): string[] {
  return (oneOf as { $ref: string }[]).map(({ $ref }) => nameIn($ref))
}

/** One schema in place of a union: members in which its branches differ are texts, or objects of any form. */
function commonOf(union: JsonObject, schemas: Schemas): JsonObject {
  const [first, ...others] = branchNames(union).map(
    (name) => schemas[name] as { properties: Record<string, JsonObject> },
  )
  const members = Object.entries(first?.properties ?? {}).map(([name, schema]) => {
    if (others.every(({ properties }) => isDeepStrictEqual(properties[name], schema))) return [name, schema]
    const { description } = schema
    return [name, 'const' in schema ? { type: 'string', description } : { type: 'object', description }]
  })
  return { ...first, description: union.description, properties: Object.fromEntries(members) }
}

type Schemas = Record<string, JsonObject>

function pathsOf30(paths: JsonObject, schemas: Schemas): JsonObject {
  const items = Object.entries(paths).map(([path, item]) => [path, pathItem(item, schemas)] as const)
  return Object.fromEntries(items.filter(([, item]) => Object.keys(item).length > 0))
}

function pathItem(item: unknown, schemas: Schemas): JsonObject {
  const operations = Object.entries(item as Record<string, JsonObject>).filter(([, { deprecated }]) => !deprecated)
  return Object.fromEntries(operations.map(([method, operation]) => [method, operationOf30(operation, schemas)]))
}

/** Parameters that work by the headers of answers, `Link` and `X-Total-Count`. `offset` leads through a list without them. */
const byHeaders = ['cursor', 'count']

function operationOf30(
  { description: _description, responses, parameters, requestBody, ...operation }: JsonObject,
  schemas: Schemas,
): JsonObject {
  const answers = Object.entries(responses as JsonObject).filter(([status]) => status.startsWith('2'))
  const body = requestBody && !isEmpty(requestBody) ? { requestBody: of30(requestBody) } : undefined
  // The headers are components. The idempotency key is a member of every body, too.
  const isSent = ({ $ref, name }: JsonObject) =>
    ($ref === undefined && !byHeaders.includes(String(name))) || (!body && String($ref).endsWith('/Idempotency-Key'))
  const sent = (parameters as JsonObject[]).filter(isSent)
  return {
    ...(of30(operation) as JsonObject),
    externalDocs: { url: `/docs/${operation.operationId}.md` },
    parameters: sent.map(parameterOf30),
    ...body,
    responses: {
      ...Object.fromEntries(answers.map(([status, answer]) => [status, answerOf30(answer as JsonObject, schemas)])),
      default: { $ref: '#/components/responses/Problem' },
    },
  }
}

/** A body that has no members may be left out, and is. */
function isEmpty(requestBody: unknown): boolean {
  return JSON.stringify(requestBody).includes('#/components/schemas/EmptyRequest')
}

/** An answer without its headers. */
function answerOf30({ headers: _headers, content = {}, ...answer }: JsonObject, schemas: Schemas): unknown {
  const types = Object.entries(content as Record<string, { schema: JsonObject }>).map(([type, { schema }]) => {
    const name = typeof schema.$ref === 'string' ? nameIn(schema.$ref) : ''
    const [answered] = answerSchema(name, schemas[name]) ?? []
    // Generators know bytes of this type alone.
    const shownType = 'contentMediaType' in schema && !type.startsWith('text/') ? 'application/octet-stream' : type
    return [shownType, { schema: answered ? { $ref: `#/components/schemas/${answered}` } : of30(schema) }]
  })
  return { ...answer, ...(types.length > 0 && { content: Object.fromEntries(types) }) }
}

/** A parameter with several forms, such as a number or a word, is a text: so it is sent. Words match in any letter case. */
function parameterOf30({ schema, ...parameter }: JsonObject): unknown {
  if (parameter.$ref) return of30(parameter)
  const { anyOf, ...one } = schema as JsonObject
  return { ...parameter, schema: anyOf ? { type: 'string' } : of30(withoutWords(one)) }
}

function withoutWords({ enum: _words, items, ...schema }: JsonObject): JsonObject {
  return items ? { ...schema, items: withoutWords(items as JsonObject) } : schema
}

/** Keywords whose values are data and not parts of the document. */
const data = ['example', 'enum', 'required', 'default', 'tags']

/** A part of the document in the words of 3.0. */
function of30(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(of30)
  if (typeof part !== 'object' || part === null) return part
  const { $ref, anyOf, ...own } = part as JsonObject
  if (typeof $ref === 'string') return { $ref }
  if (Array.isArray(anyOf)) return choice(anyOf as JsonObject[], own)
  if (own['x-extensible-enum'] || isLong(own.enum)) delete own.enum
  // Amounts in cents and sequence numbers need more than 32 bits.
  if (own.type === 'integer' && Number(own.maximum ?? MAX_INT32 + 1) > MAX_INT32) own.format = 'int64'
  return Object.fromEntries(Object.entries(own).flatMap(([name, value]) => keyword(name, value)))
}

/** Dozens of words, such as the types of events, would be a list of constants for every place that takes them. */
function isLong(words: unknown): boolean {
  return Array.isArray(words) && words.length > MAX_WORDS
}

const MAX_WORDS = 30
const MAX_INT32 = 2 ** 31 - 1

function keyword(name: string, value: unknown): [string, unknown][] {
  if (data.includes(name)) return [[name, value]]
  if (name.startsWith('x-')) return []
  switch (name) {
    case 'properties': {
      // Its names are those of members, and no keywords.
      const members = Object.entries(value as JsonObject).map(([member, schema]) => [member, of30(schema)])
      return [[name, Object.fromEntries(members)]]
    }
    case 'const':
      return typeof value === 'string' ? [['enum', [value]]] : []
    case 'contentEncoding':
      return [['format', 'byte']]
    case 'contentMediaType':
      return value === 'application/json' ? [] : [['format', 'binary']]
    case 'pattern':
      // Other languages read these expressions in other ways, and the service checks them.
      return []
    case 'examples':
    case 'contentSchema':
    case 'propertyNames':
    case 'maxDays':
    // A set of words is no valid Java.
    case 'uniqueItems':
      return []
    default:
      return [[name, of30(value)]]
  }
}

/** One of several schemas. Null is a property of a schema in 3.0, a choice of texts is a text, and a text or a number is anything. */
function choice(branches: JsonObject[], own: JsonObject): unknown {
  const others = branches.filter(({ type }) => type !== 'null')
  const nullable = others.length < branches.length && { nullable: true }
  const rest = of30(own) as JsonObject
  const [only, ...more] = others
  if (only && more.length === 0) {
    return only.$ref
      ? { ...rest, allOf: [of30(only)], ...nullable }
      : { ...(of30(only) as JsonObject), ...rest, ...nullable }
  }
  if (others.every(({ type }) => type === 'string')) return { ...rest, type: 'string', ...nullable }
  const isMixed = others.some(({ $ref }) => $ref === undefined)
  return { ...rest, ...(!isMixed && { anyOf: others.map(of30) }), ...nullable }
}
