import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { expect } from 'vitest'
import { fileTypesOf, type Operation } from '../../src/base/operation.ts'
import { refusals } from '../../src/base/refusals.ts'
import { operations } from '../../src/operations.ts'
import { type CallOptions, openTestBank, type Reply, type TestBank } from '../support/harness.ts'
import { smallCatalogue } from '../support/offers.ts'
import { exceptions } from '../support/schemas/exceptions.ts'
import { type Member, members } from '../support/schemas/members.ts'
import { type Sample, type Schema, sampleRequest, schemaOf, urlOf } from '../support/schemas/samples.ts'
import { makeWorld, type World } from '../support/world.ts'

export let bank: TestBank
export let ours: World
export let theirs: World
/** The records that an operation does not name are those of other operations: to make a whole world takes 0.2 seconds. */
let others: World | undefined
/** Operations that read come first, so that no other one changes their world. */
export const inOrder = operations.toSorted(
  (one, other) => Number(other.method === 'GET') - Number(one.method === 'GET'),
)

/** Opens the bank of a file. */
export async function openWorlds(): Promise<void> {
  bank = await openTestBank({ catalogue: smallCatalogue() })
  theirs = await makeWorld(bank, bank.otherKey)
  others = undefined
}

/** Makes the records that requests of an operation name. */
export async function enterWorldOf(operation: Operation): Promise<void> {
  others ??= await makeWorld(bank)
  const named = recordsNamedBy(operation)
  const there: Partial<World> = { ...others }
  for (const name of operation.method === 'GET' ? readOnce : [...named, ...changed]) delete there[name]
  ours = await makeWorld(bank, bank.key, there)
  // One that changes something and names nothing may change all of them.
  if (operation.method !== 'GET' && named.size === 0) others = undefined
}

/** Requests are logged for a while only. */
const readOnce: (keyof World)[] = ['request']
/** Records that an operation may change without their name: it uses up money, and adds rules. */
const changed: (keyof World)[] = ['customer', 'account', 'externalAccount', 'transaction', 'faultRule']

/** The records whose ids a request of the operation contains. */
function recordsNamedBy(operation: Operation): Set<keyof World> {
  const named = new Set<keyof World>()
  const watched = new Proxy({} as World, {
    get: (_world, name: keyof World) => {
      named.add(name)
      return '1'
    },
  })
  sampleRequest(operation, watched)
  return named
}

export async function ignoresBody(operation: Operation): Promise<void> {
  const sample = { ...sampleRequest(operation, ours), body: { surprise: 1 } }
  expectSuccess(operation, (await send(operation, sample)).status)
}

/** A success, or the refusal of a record in another state where the operation needs more than the world has. */
export function expectSuccess({ id, status }: Operation, answered: number, message = id): void {
  expect(exceptions.needFile.includes(id) ? [status, 409] : [status], message).toContain(answered)
}

/** Calls, and holds every answer to the rules that all answers share. */
export async function probe(method: string, url: string, options: CallOptions = {}): Promise<Reply> {
  const reply = await bank.call(method, url, options)
  const breach = breachOf(reply, method)
  if (breach !== undefined) {
    expect.fail(`${method} ${url.slice(0, 200)} answered ${reply.status}, ${breach}: ${reply.text.slice(0, 500)}`)
  }
  return reply
}

/** The rule that an answer breaks. Assertions for each of the many thousand answers took a tenth of the time of this file. */
export function breachOf(reply: Reply, method: string): string | undefined {
  if (reply.status >= 500) return 'an error of the service'
  if (reply.status < 400 || method === 'HEAD') return undefined
  const { type, title, status, detail, code, requestId, errors = [], resumeAfter, ...more } = reply.json ?? {}
  if (Number.isSafeInteger(resumeAfter) !== (status === 410)) return 'resumeAfter belongs to 410'
  if (!Object.hasOwn(refusals, code)) return 'an unknown code'
  if (type !== `/docs/errors#${code}`) return 'a wrong type'
  if (title !== refusals[code as keyof typeof refusals].title) return 'a wrong title'
  if (status !== reply.status) return 'a wrong status in the body'
  if (requestId !== reply.headers['x-request-id']) return 'a wrong request id'
  if (Object.keys(more).length > 0) return `unknown members ${Object.keys(more)}`
  if (typeof detail !== 'string' || detail === '') return 'no detail'
  const odd = errors.find((fault: object) => {
    const place = 'pointer' in fault ? 'pointer' : 'parameter'
    return Object.keys(fault).length !== 3 || !['code', 'message', place].every((name) => name in fault)
  })
  return odd && `a fault with the members ${Object.keys(odd)}`
}

export async function send(operation: Operation, sample: Sample, options: CallOptions = {}): Promise<Reply> {
  const reply = await sendAs(operation, sample, options)
  // A file with one line of JSON is no answer in JSON.
  if (reply.status < 300 && reply.json !== undefined && fileTypesOf(operation).length === 0) {
    const isSound = Object.keys(reply.json).join() === 'data' && conforms(operation, reply.json.data)
    if (!isSound) expect.fail(`${operation.id} answered ${reply.text.slice(0, 1000)}`)
  }
  return reply
}

export function sendAs(
  { method, path }: { method: string; path: string },
  sample: Sample,
  options: CallOptions = {},
): Promise<Reply> {
  return probe(method, urlOf(path, sample), { ...bodyOf(sample), ...options })
}

function bodyOf({ body }: Sample): CallOptions {
  return body === undefined ? {} : { body }
}

const compiled = new Map<Operation, ReturnType<typeof Compile>>()

export function conforms(operation: Operation, data: unknown): boolean {
  const check = compiled.get(operation) ?? Compile(closed(operation.data))
  compiled.set(operation, check)
  return check.Check(data)
}

/** The schema without room for members that it does not name. */
function closed<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(closed) as T
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]))
  return ('properties' in copy && copy.type === 'object' ? { ...copy, additionalProperties: false } : copy) as T
}

/** Compares first, as `breachOf` does. */
export function expectFault(
  { status, json, text }: Reply,
  fault: { pointer?: string; parameter?: string; code?: string },
  what: string = JSON.stringify(fault),
): void {
  const named = Object.entries(fault)
  const isNamed = (each: Record<string, unknown>) => named.every(([name, value]) => each[name] === value)
  if (status === 400 && json.code === 'invalid_request' && json.errors?.some(isNamed)) return
  expect([status, json.code, json.errors], `${what}: ${text}`).toEqual([
    400,
    'invalid_request',
    expect.arrayContaining([expect.objectContaining(fault)]),
  ])
}

export function membersOf(operation: Operation): (Member & { sample: unknown })[] {
  const { body } = sampleRequest(operation, ours)
  return members(schemaOf(operation.body)).map((member) => ({
    ...member,
    sample: member.pointer
      .split('/')
      .slice(1)
      .reduce((value: unknown, name) => (value as Record<string, unknown> | undefined)?.[name], body),
  }))
}

/** Null says the same as leaving the member out, unless its schema admits null or refuses it by name. */
export function countsAsAbsent({ pointer, schema, required }: Member): boolean {
  return !required && !/\/\d+$/.test(pointer) && !typesOf(schema).has('null') && schema['x-null'] !== 'refused'
}

export function typesOf(schema: Schema): Set<string> {
  if (schema.anyOf) return new Set(schema.anyOf.flatMap((branch) => [...typesOf(branch)]))
  if ('const' in schema) return new Set([schema.const === null ? 'null' : typeof schema.const])
  if (schema.enum) return new Set(schema.enum.map((word) => (word === null ? 'null' : typeof word)))
  return new Set([schema.type ?? 'object'])
}

const valuesOfTypes: [type: string, values: unknown[]][] = [
  ['null', [null]],
  ['string', ['text', '1']],
  ['number', [1.5, 1e21]],
  ['integer', [1]],
  ['boolean', [true, false]],
  ['array', [[], [1]]],
  ['object', [{}]],
]

export function illTyped(schema: Schema): unknown[] {
  const types = typesOf(schema)
  if (types.has('number')) types.add('integer')
  return valuesOfTypes.filter(([type]) => !types.has(type)).flatMap(([, values]) => values)
}

/** Whether a text is a time, a day or a month, by its examples or its mark. */
export function isTime(schema: Schema): boolean {
  const { examples = [], anyOf = [] } = schema
  const isExample = (example: unknown) => /^\d{4}-\d\d/.test(String(example))
  return 'x-instant' in schema || examples.some(isExample) || anyOf.some(isTime)
}

/** Days, times and months at the ends of what can be said and past them; `probe` refuses an error of the service. */
export const timesToTry = [
  ...['0000-01-01', '0001-01-01', '0001-02-01T00:00:00Z', '0001-01-01T00:00:00+23:59', '0001-01-01T23:59:00-23:59'],
  ...['-0001-01-01', '0004-02-29', '1900-02-29', '2000-02-29', '2023-02-29', '2024-02-29T23:59:60Z'],
  ...['9999-12-31', '9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.9999Z', '9999-12-31T23:59:59-23:59'],
  ...['10000-01-01', '+010000-01-01T00:00:00Z', '2024-01-01T00:00:00+24:00', '294276-12-31', '1969-12-31T23:59:59Z'],
  ...['0000-01', '0001-01', '1000-01', '2024-02', '9999-12', '9999-13', '10000-01'],
]

interface Edge {
  value: unknown
  past: boolean
  /** Where below the member the fault is. */
  inner?: string
}

/** The values at each limit of a schema, and those just past it. */
export function edgesOf(schema: Schema, sample: unknown): Edge[] {
  const edges: Edge[] = []
  const at = (value: unknown) => edges.push({ value, past: false })
  const past = (value: unknown, inner = '') => edges.push({ value, past: true, inner })
  if (schema.anyOf) return schema.anyOf.flatMap((branch) => edgesOf(branch, sample))
  if (schema.type === 'string' && schema['x-resource'] === undefined) {
    const { minLength = 0, maxLength, pattern } = schema
    const text = (length: number) => (pattern ? String(sample).padEnd(length, 'a') : '😀'.repeat(length))
    const fits = (value: string) => !pattern || new RegExp(pattern).test(value)
    if (minLength > 0 && fits(text(minLength))) at(text(minLength))
    if (minLength > 0) past(text(minLength).slice(0, pattern ? minLength - 1 : 2 * (minLength - 1)))
    if (maxLength !== undefined && fits(text(maxLength))) at(text(maxLength))
    if (maxLength !== undefined) past(text(maxLength + 1))
    // A letter that is two code points counts twice.
    if (maxLength !== undefined && !pattern) past('e\u0301'.repeat(Math.floor(maxLength / 2) + 1))
    if (pattern) past(`${sample}\u00a0`)
  }
  if (schema.type === 'integer' || schema.type === 'number') {
    if (schema.minimum !== undefined) {
      at(schema.minimum)
      past(schema.minimum - 1)
    }
    if (schema.maximum !== undefined) {
      at(schema.maximum)
      past(schema.maximum + 1)
    }
  }
  if (schema.maxItems !== undefined && Array.isArray(sample)) {
    at(Array.from({ length: schema.maxItems }, () => sample[0]))
    past(Array.from({ length: schema.maxItems + 1 }, () => sample[0]))
  }
  if (schema.patternProperties) edges.push(...pairEdges(schema))
  return edges
}

function pairEdges({ patternProperties = {}, propertyNames = {}, maxProperties }: Schema): Edge[] {
  const edges: Edge[] = []
  const pairs = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, number) => [`name${number}`, 'value']))
  if (maxProperties !== undefined) {
    edges.push({ value: pairs(maxProperties), past: false }, { value: pairs(maxProperties + 1), past: true })
  }
  for (const { value, past } of edgesOf(propertyNames, 'x')) edges.push({ value: { [String(value)]: 'x' }, past })
  for (const schema of Object.values(patternProperties)) {
    for (const { value, past } of edgesOf(schema, 'x')) edges.push({ value: { name: value }, past, inner: '/name' })
    for (const value of illTyped(schema)) edges.push({ value: { name: value }, past: true, inner: '/name' })
  }
  return edges
}

/** Ids that name nothing: malformed ones, over-long ones, and some that are nearly right. */
export function oddIds(id: string): string[] {
  const wrong = ['abc', '0', '-1', '1e6', ' ', '1.0', `0${id}`, `${id} `, ` ${id}`, `+${id}`, `${id}.0`, `-${id}`]
  const long = ['9007199254740993', '9223372036854775808', '9'.repeat(20), '1'.repeat(5000), 'a'.repeat(5000)]
  const strange = ['９９９９９９９', '💰', 'null', 'undefined', '%00', "1' or '1'='1", '../..', `${id},${id}`, '{}']
  return [...wrong, ...long, ...strange, '1999999999']
}

/** The same for ids that are numbers. */
export const oddNumbers = [0, -1, 1_999_999_999, -1e21, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]

export function queryValue(schema: Schema, name: string): string {
  return String(schema['x-resource'] ? ours[schema['x-resource']] : sampleValue(schema, name))
}

function sampleValue(schema: Schema, name: string): unknown {
  const operation = { id: name, query: { type: 'object', required: [name], properties: { [name]: schema } } }
  return sampleRequest(operation as unknown as Operation, ours).query[name]
}

export function shape(path: string): string {
  return path.replace(/:\w+/g, ':')
}

/** The members that a body needs, whichever branch of a union it chooses. */
export function requiredByAll({ body }: Operation): string[] {
  const branches = (body && 'anyOf' in body ? body.anyOf : [body]) as (TSchema | undefined)[]
  const [first = [], ...others] = branches.map((branch) => schemaOf(branch).required ?? [])
  return first.filter((name) => others.every((required) => required.includes(name)))
}

/** Calls with a valid request in which these parameters are replaced. */
export function withQuery(operation: Operation, query: Record<string, string>): Promise<Reply> {
  const sample = sampleRequest(operation, ours)
  return send(operation, { ...sample, query: { ...sample.query, ...query } })
}

/** Calls with a parameter as it is sent, encoded already. */
export function withRawQuery(operation: Operation, name: string, text: string): Promise<Reply> {
  const sample = sampleRequest(operation, ours)
  delete sample.query[name]
  const url = urlOf(operation.path, sample)
  return probe(operation.method, `${url}${url.includes('?') ? '&' : '?'}${name}=${text}`, bodyOf(sample))
}

/** Calls with a part of the path as it is sent, encoded already. */
export function withParam(operation: Operation, name: string, text: string): Promise<Reply> {
  const sample = sampleRequest(operation, ours)
  const params = Object.fromEntries(
    Object.entries(sample.params).map(([key, value]) => [key, encodeURIComponent(String(value))]),
  )
  const url = urlOf(operation.path, { ...sample, params: { ...params, [name]: text } }, true)
  return probe(operation.method, url, bodyOf(sample))
}

/** Calls with another body. */
export function withBody(operation: Operation, body: unknown): Promise<Reply> {
  return send(operation, { ...sampleRequest(operation, ours), body: body as Record<string, unknown> })
}
