import type { Schema } from '../../ground/schema.ts'
import type { Operation } from '../../src/base/operation.ts'
import { eventTypes } from '../../src/events/event.ts'
import { PROPOSED } from '../../src/http/openapi/document.ts'
import { codesOf, sharedCodes } from '../../src/http/openapi/problems.ts'
import { type JsonObject, pascal } from '../../src/http/openapi/schemas.ts'
import { type Shape, shapeText, shareMembers } from './shapes.ts'

/** The part of a call that a schema describes; `item` is a record in a list of the body. */
type Role = 'answer' | 'body' | 'item' | 'query'

interface Parameter {
  name: string
  in: string
  required: boolean
  description?: string
  schema: Schema
}

/** One operation of the OpenAPI document, as far as types are made of it. */
interface Described {
  parameters: Parameter[]
  requestBody?: { required: boolean; content: { 'application/json': { schema: Schema } } }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

export interface ApiDocument {
  paths: Record<string, Record<string, Described>>
  webhooks: JsonObject
  components: { schemas: Record<string, Schema> }
}

/** The types of one operation, as TypeScript text. */
export interface OperationTypes {
  params: { name: string; type: string }[]
  /** The name of the query's or the body's type, and whether it may be left out. */
  query?: { type: string; optional: boolean }
  body?: { type: string; optional: boolean }
  data: string
  /** The type of what a call gives: the data, or a proposal if a rule asks for a second person. */
  answer: string
  /** The type of one record of a list. */
  item?: string
  /** The type of its query, if it has one. */
  queries: Shape[]
}

/** The longest comment of more than one sentence, in characters. A third of the package would be what is longer. */
const LONGEST_COMMENT = 160

/** The first line of every generated file. */
export const HEADER = '// Generated from the operations by `npm run client`. Do not edit.\n'

/** The file of all types: records, bodies, queries, events, problem codes and the table of operations. */
export function typesText(operations: Operation[], document: ApiDocument): string {
  const { schemas } = document.components
  const inputs = inputNames(document)
  const answers = new Set([PROPOSED, ...operations.map(({ id }) => `${pascal(id)}Response`)])
  const shown = Object.entries(schemas).filter(([name]) => !answers.has(name) && name !== 'EmptyRequest')
  const types = operations.map((operation) => ({ operation, types: operationTypes(operation, document) }))
  const eventTypes = Object.keys(document.webhooks)
  const kinds = [...new Set(eventTypes.map((type) => type.slice(0, type.indexOf('.'))))]
  // The table of operations names nearly all codes, and the list of them would be a kilobyte, packed.
  const named = new Set<unknown>(operations.flatMap((operation) => codesOf(operation, operation.method)))
  const elsewhere = (schemas.Problem?.properties?.code?.enum ?? []).filter((code) => !named.has(code))
  const declarations = [
    ...shown.map(([name, schema]) => declared(name, schema, inputs.get(name) ?? 'answer')),
    ...types.flatMap(({ types: { queries } }) => queries),
  ]
  const shapes = declarations.filter((each) => typeof each !== 'string')
  const bases = shareMembers(shapes)
  return [
    HEADER,
    ...[...declarations, ...bases].map((each) => (typeof each === 'string' ? each : shapeText(each))),
    "/** The type of an event. */\nexport type EventType = Event['type']\n",
    `/** A type of event, or all types of a kind of record. */\nexport type EventFilter = EventType | ${union(kinds.map((kind) => `${kind}.*`))} | '*'\n`,
    `/** The reasons for which the service refuses requests. Later versions may add some. */\nexport type ProblemCode = ${["Operations[OperationId]['problems']", ...elsewhere.map(literal)].join(' | ')}\n`,
    ...sharedCodes.map(
      ({ name, of, codes }) =>
        `/** The reasons for which ${of} can be refused. */\nexport type ${name} = ${union(codes)}\n`,
    ),
    '/** Input, data and problems of every operation. */',
    'export interface Operations {',
    ...types.map(({ operation, types: each }) => operationEntry(operation, each)),
    '}\n',
    'export type OperationId = keyof Operations',
    '',
  ].join('\n')
}

/** The names of the schemas that requests are made of, each with its part. */
function inputNames({ paths, components: { schemas } }: ApiDocument): Map<string, Role> {
  const names = new Map<string, Role>()
  const visit = (schema: Schema, role: Role = 'body') => {
    const name = schema.$ref && nameIn(schema.$ref)
    if (name && !names.has(name)) {
      names.set(name, role)
      visit(schemas[name] ?? {}, role)
    }
    const { anyOf = [], oneOf = [], items, properties = {}, additionalProperties } = schema
    for (const part of [...anyOf, ...oneOf, ...Object.values(properties)]) visit(part, role)
    if (items) visit(items, 'item')
    if (typeof additionalProperties === 'object') visit(additionalProperties, role)
  }
  for (const { requestBody } of Object.values(paths).flatMap((path) => Object.values(path))) {
    if (requestBody) visit(requestBody.content['application/json'].schema)
  }
  return names
}

function nameIn(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1)
}

/** The declaration of a schema: a shape if it is an object with named members, else its text. */
function declared(name: string, schema: Schema, role: Role): Shape | string {
  const { description = '' } = schema
  // A sentence about a body says no more than the method that takes it.
  const comment =
    role === 'body' && name.endsWith('Request') && !description.includes('. ') ? '' : commentOf(description)
  if (!schema.properties || schema.additionalProperties) {
    return `${comment}export type ${name} = ${typeText(schema, role)}\n`
  }
  return { name, comment, members: membersOf(schema, role), bases: [] }
}

/** The first sentences of a text, as many as a comment has room for, but always one: the reference has all of them. */
export function briefly(text: string, most = Number.POSITIVE_INFINITY): string {
  const [first = '', ...others] = text.split(/(?<=\.)\s+(?=[A-Z`])/)
  let brief = first
  for (const sentence of others.slice(0, most - 1)) {
    if (brief.length + sentence.length >= LONGEST_COMMENT) break
    brief += ` ${sentence}`
  }
  return brief
}

/** A comment of TypeScript; Markdown is kept. */
export function commentOf(text: string | undefined, indent = ''): string {
  if (!text) return ''
  const lines = text.replaceAll('*/', '*\\/').split('\n')
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join('\n')}\n${indent} */\n`
}

function objectText(schema: Schema, role: Role): string {
  const members = [...membersOf(schema, role).values()]
  return members.length === 0 ? 'Record<string, never>' : `{\n${members.join('')}}`
}

/** The texts of an object's members by their names. */
function membersOf({ properties = {}, required = [] }: Schema, role: Role): Map<string, string> {
  const members = Object.entries(properties)
    // Methods take the key as an option.
    .filter(([name]) => !(role === 'body' && name === 'idempotencyKey'))
    .map(([name, schema]) => {
      const optional = !required.includes(name)
      const type = typeText(schema, role) + (optional && role !== 'answer' ? ' | undefined' : '')
      const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
      return [
        name,
        `${commentOf(briefly(schema.description ?? ''), '  ')}  ${key}${optional ? '?' : ''}: ${type}\n`,
      ] as const
    })
  return new Map(members)
}

function typeText(schema: Schema, role: Role): string {
  if (schema.$ref) return nameIn(schema.$ref)
  if (schema.const !== undefined) return literal(schema.const)
  if (schema.enum)
    return (listedName(schema.enum) ?? union(schema.enum)) + (schema['x-extensible-enum'] ? ' | (string & {})' : '')
  const branches = schema.oneOf ?? schema.anyOf
  if (branches) return [...new Set(branches.map((branch) => typeText(branch, role)))].join(' | ')
  if (schema.type === 'array') {
    const item = typeText(schema.items ?? {}, role)
    return /[|&]/.test(item) ? `(${item})[]` : `${item}[]`
  }
  if (schema.type === 'object') return objectOrRecord(schema, role)
  // JSON inside a text, such as a query parameter, is a text.
  if (schema.contentMediaType && schema.contentMediaType !== 'application/json') return 'Uint8Array'
  const plain: Record<string, string> = { string: 'string', integer: 'number', number: 'number', boolean: 'boolean' }
  return schema.type === 'null' ? 'null' : (plain[schema.type ?? ''] ?? 'unknown')
}

/** The name of a long list of words that is declared once: it is half a kilobyte, packed, wherever it stands. */
function listedName(words: readonly unknown[]): string | undefined {
  if (words.includes('invalid_request')) return 'ProblemCode'
  if (!words.includes('account.created')) return undefined
  // Lists of deliveries also know the test event, which the feed never has.
  const others = words.filter((word) => !String(word).endsWith('*') && !eventTypes.some((type) => type === word))
  return [words.includes('*') ? 'EventFilter' : 'EventType', ...others.map(literal)].join(' | ')
}

function objectOrRecord(schema: Schema, role: Role): string {
  const { additionalProperties, properties } = schema
  if (typeof additionalProperties === 'object') return `Record<string, ${typeText(additionalProperties, role)}>`
  return properties ? objectText(schema, role) : 'Record<string, unknown>'
}

function union(words: readonly unknown[]): string {
  return words.map(literal).join(' | ')
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value)
}

/** The types of an operation's input and data. */
export function operationTypes(operation: Operation, { paths, components }: ApiDocument): OperationTypes {
  const path = operation.path.replace(/:(\w+)/g, '{$1}')
  const described = paths[path]?.[operation.method.toLowerCase()]
  if (!described) throw new Error(`the document lacks ${operation.id}`)
  const query = described.parameters.filter((parameter) => parameter.in === 'query')
  const queryName = `${pascal(operation.id)}Query`
  const { requestBody } = described
  const envelope = Object.values(described.responses[operation.status]?.content ?? {})[0]?.schema
  const answer = envelope?.$ref ? components.schemas[nameIn(envelope.$ref)]?.properties?.data : envelope
  const body = operation.body && requestBody?.content['application/json'].schema
  const data = answer ? typeText(answer, 'answer') : 'undefined'
  return {
    params: described.parameters
      .filter((parameter) => parameter.in === 'path')
      .map(({ name, schema }) => ({
        name,
        type: hasNumber(name, components) ? 'string | number' : typeText(schema, 'query'),
      })),
    ...(query.length > 0 && { query: { type: queryName, optional: !query.some(({ required }) => required) } }),
    ...(body && { body: { type: typeText(body, 'body'), optional: !requestBody?.required } }),
    data,
    answer: operation.signature ? `${data} | Proposal` : data,
    // Only reads have pages.
    ...(operation.method === 'GET' && answer?.type === 'array' && { item: typeText(answer.items ?? {}, 'answer') }),
    queries: query.length > 0 ? [queryShape(queryName, query)] : [],
  }
}

/** Whether the id of this name is a number in its record, so that a call takes it as it is there. */
function hasNumber(name: string, { schemas }: ApiDocument['components']): boolean {
  return schemas[pascal(name.replace(/Id$/, ''))]?.properties?.id?.type === 'integer'
}

function queryShape(name: string, query: Parameter[]): Shape {
  const properties = query.map((each) => [each.name, { ...each.schema, description: each.description }])
  const required = query.filter((each) => each.required).map((each) => each.name)
  return {
    name,
    comment: '',
    members: membersOf({ properties: Object.fromEntries(properties), required }, 'query'),
    bases: [],
  }
}

function operationEntry(operation: Operation, { params, query, body, answer }: OperationTypes): string {
  const codes = codesOf(operation, operation.method)
  const sets = sharedCodes.filter((shared) => shared.codes.every((code) => codes.includes(code)))
  const own = codes.filter((code) => !sets.some((shared) => shared.codes.includes(code)))
  const members = [
    params.length > 0 && `params: { ${params.map(({ name, type }) => `${name}: ${type}`).join('; ')} }`,
    query && `query${query.optional ? '?' : ''}: ${query.type}`,
    body && `body${body.optional ? '?' : ''}: ${body.type}`,
    `data: ${answer}`,
    `problems: ${[...sets.map(({ name }) => name), ...own.map(literal)].join(' | ')}`,
  ]
  return `  ${operation.id}: {\n${members.flatMap((member) => (member ? [`    ${member}\n`] : [])).join('')}  }`
}
