import fc from 'fast-check'
import { Compile } from 'typebox/compile'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ResourceName } from '../../../src/base/ids.ts'
import type { Rule } from '../../../src/base/rules.ts'
import { withOpenWords } from '../../../src/base/text.ts'
import { eventCatalogue } from '../../../src/event-catalogue.ts'
import { openapiOf } from '../../../src/http/openapi/document.ts'
import { operations } from '../../../src/operations.ts'
import { openTestBank, type TestBank } from '../../support/harness.ts'
import { smallCatalogue } from '../../support/offers.ts'
import { makeSandboxOrganisation } from '../../support/organisations.ts'
import { seedOfTest } from '../../support/random.ts'
import { makeWorld, type World } from '../../support/world.ts'

/** Inputs that are drawn for each operation. */
const INPUTS = process.env.SOAK ? 300 : 30
/**
 * Requests that are the same and are sent: the second one meets the state that the first one left. Operations without an
 * input would otherwise be called with one request as often as others are with different ones.
 */
const REPEATS = process.env.SOAK ? 10 : 2
const DAY_MS = 86_400_000
/** Bank time at which the clock of an organisation of its own starts. */
const START = '2026-01-31T12:00:00.000Z'

interface Schema {
  $ref?: string
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  propertyNames?: Schema
  maxProperties?: number
  items?: Schema
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  pattern?: string
  format?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  examples?: unknown[]
  contentSchema?: Schema
  contentEncoding?: 'base64'
  'x-resource'?: ResourceName
  'x-clause'?: true
  'x-rules'?: Rule[]
}

interface Described {
  operationId: string
  deprecated?: true
  parameters: { name: string; in: 'path' | 'query' | 'header'; required: boolean; schema: Schema }[]
  'x-rules'?: Rule[]
  requestBody?: { content: { 'application/json': { schema: Schema } } }
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>
}

const document = openapiOf(operations, '0', eventCatalogue) as unknown as {
  paths: Record<string, Record<string, Described>>
  components: { schemas: Record<string, Schema> }
}

function resolved(schema: Schema): Schema {
  const { $ref, ...beside } = schema
  if ($ref === undefined) return schema
  return { ...document.components.schemas[$ref.slice($ref.lastIndexOf('/') + 1)], ...beside }
}

/** Values of a schema of the document. Ids are those of the world, or any text. */
function drawn(given: Schema, world: World): fc.Arbitrary<unknown> {
  const schema = resolved(given)
  const branches = schema.oneOf ?? schema.anyOf
  if (branches) return fc.oneof(...branches.map((branch) => drawn(branch, world)))
  if ('const' in schema) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  switch (schema.type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return integerOf(schema, world)
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9, noNaN: true })
    case 'array':
      return listOf(schema, world)
    case 'object':
      return objectOf(schema, world)
    case 'string':
      return textOf(schema, world)
    default:
      throw new Error(`no values for ${JSON.stringify(schema)}`)
  }
}

function integerOf({ minimum = -1_000, maximum = 1_000_000, ...schema }: Schema, world: World): fc.Arbitrary<number> {
  const any = fc.integer({ min: Math.max(minimum, -(2 ** 53) + 1), max: maximum })
  const id = schema['x-resource'] && Number(world[schema['x-resource']])
  return id ? fc.oneof(fc.constant(id), any) : any
}

function listOf({ items = {}, minItems = 0, maxItems = 5, uniqueItems }: Schema, world: World) {
  const bounds = { minLength: minItems, maxLength: Math.max(minItems, Math.min(maxItems, 5)) }
  return uniqueItems ? fc.uniqueArray(drawn(items, world), bounds) : fc.array(drawn(items, world), bounds)
}

function objectOf(schema: Schema, world: World): fc.Arbitrary<Record<string, unknown>> {
  const { properties = {}, required = [], additionalProperties, propertyNames = { type: 'string' } } = schema
  if (typeof additionalProperties === 'object') {
    const names = drawn({ maxLength: 30, ...propertyNames }, world) as fc.Arbitrary<string>
    return fc.dictionary(names, drawn(additionalProperties, world), {
      maxKeys: Math.min(3, schema.maxProperties ?? 3),
    })
  }
  const members = Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, drawn(member, world)]))
  const rules = schema['x-rules'] ?? []
  const alternatives = rules.flatMap((rule) => {
    if (rule.rule === 'atLeastOne') return rule.members.slice(0, 1)
    return rule.rule === 'exactlyOne' ? rule.members : []
  })
  const requiredKeys = [...required, ...alternatives].filter((name) => name in members) as never[]
  return obeying(fc.record(members, { requiredKeys }) as fc.Arbitrary<Record<string, unknown>>, rules)
}

/** Changes values so that they obey the rules of their schema. */
function obeying(values: fc.Arbitrary<Record<string, unknown>>, rules: Rule[]): fc.Arbitrary<Record<string, unknown>> {
  return rules.reduce((arbitrary, rule) => arbitrary.map((members) => obey(rule, members)), values)
}

type Members = Record<string, unknown>

const without = (members: Members, ...names: string[]): Members =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !names.includes(name)))

/** How a value is changed so that it obeys a rule. */
const obedience: { [Name in Rule['rule']]: (members: Members, rule: Extract<Rule, { rule: Name }>) => Members } = {
  ordered: (members, { members: [first, second] }) => {
    const [low, high] = [members[first], members[second]] as (number | undefined)[]
    if (low === undefined || high === undefined || low <= high) return members
    return { ...members, [first]: high, [second]: low }
  },
  // All of them are drawn; the length of the value, which is as good as random, says which one stays.
  exactlyOne: (members, { members: names }) => {
    const kept = JSON.stringify(members).length % names.length
    return without(members, ...names.filter((_, at) => at !== kept))
  },
  atMostOne: (members, { members: names }) => {
    const [, ...others] = names.filter((name) => members[name] !== undefined)
    return without(members, ...others)
  },
  atLeastOne: (members) => members,
  // Only a Link header has a cursor that is accepted.
  cursor: (members) => without(members, 'cursor'),
  usAddress: (members) =>
    (members.country ?? 'US') === 'US' ? { ...members, state: 'IL', postalCode: '62701' } : members,
  filter: (members, { members: names }) =>
    names.every((name) => members[name]) ? members : { ...without(members, ...names), [names[0] ?? '']: '' },
  decimals: (members, { members: [name], places }) =>
    name in members ? { ...members, [name]: Number((members[name] as number).toFixed(places)) } : members,
  recent: (members, { members: [name] }) => without(members, name),
  period: (members, { members: names }) => without(members, ...names),
  past: (members, { members: [name] }) => (name in members ? { ...members, [name]: '1990-01-31' } : members),
  future: (members, { members: [name] }) => (name in members ? { ...members, [name]: '2099-12-31' } : members),
  // Without a wait: an empty list would be answered half a minute later.
  position: (members) =>
    members.after === 'latest' ? without(members, 'wait', 'before', 'sort') : without(members, 'wait'),
  schedule: (members) => ({ ...without(members, 'days', 'endDate', 'retryDays'), startDate: '2099-12-31' }),
  dueDate: (members, { members: [name] }) => without(members, name),
  // From the time at which the organisation's clock starts; a time before its present is a conflict and no fault.
  step: (members, { maxDays }) => {
    const { to, by } = members as { to?: string; by?: string }
    if (by !== undefined) return { ...members, by: `P${by.length % 3}DT${by.length % 24}H` }
    if (to === undefined || to === 'next') return members
    const ms = Date.parse(START) + (Math.abs(Date.parse(to)) % (maxDays * DAY_MS))
    return { ...members, to: new Date(ms).toISOString().slice(0, to.length) }
  },
  entity: (members) => (members.entityType === undefined ? without(members, 'entityId') : without(members, 'type')),
}

function obey(rule: Rule, members: Members): Members {
  return (obedience[rule.rule] as (members: Members, rule: Rule) => Members)(members, rule)
}

function textOf(schema: Schema, world: World): fc.Arbitrary<string> {
  if (schema['x-clause']) return fc.constantFrom('', ...((schema.examples ?? []) as string[]))
  if (schema.contentSchema) return drawn(schema.contentSchema, world).map((value) => JSON.stringify(value))
  const free = formatted(schema) ?? patterned(schema)
  const id = schema['x-resource'] && world[schema['x-resource']]
  return id ? fc.oneof(fc.constant(id), free) : free
}

function formatted({ format, contentEncoding, examples = [] }: Schema): fc.Arbitrary<string> | undefined {
  const day = fc.date({ min: new Date('1900-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 100 })
  if (contentEncoding === 'base64') return bytes.map((content) => Buffer.from(content).toString('base64'))
  if (format === 'date-time') return day.map((date) => date.toISOString())
  if (format === 'date') return day.map((date) => date.toISOString().slice(0, 10))
  if (['email', 'uri', 'ip'].includes(format ?? '')) return fc.constantFrom(...(examples as string[]))
  return undefined
}

/** Texts by pattern and length. Patterns that only exclude control characters draw from all other characters. */
function patterned({ pattern, minLength = 0, maxLength = pattern ? Infinity : 60 }: Schema): fc.Arbitrary<string> {
  const codePoints = (text: string) => [...text].length
  const fits = (text: string) =>
    codePoints(text) >= minLength && codePoints(text) <= maxLength && (!pattern || new RegExp(pattern, 'u').test(text))
  const isFree = pattern === undefined || pattern.endsWith('\\u0000-\\u001f\\u007f-\\u009f]*$')
  // The generator knows no lookahead; what one excludes is drawn and dropped.
  if (!isFree) return fc.stringMatching(new RegExp(pattern.replaceAll('(?=.)', ''))).filter(fits)
  const bounds = { minLength, maxLength: Math.max(minLength, Math.min(maxLength, 60)) }
  return fc.oneof(fc.string(bounds), fc.string({ ...bounds, unit: 'grapheme' })).filter(fits)
}

interface Input {
  path: Record<string, unknown>
  query: Record<string, unknown>
  body: unknown
}

function inputOf({ parameters, requestBody, ...described }: Described, world: World): fc.Arbitrary<Input> {
  const placed = (place: 'path' | 'query') => {
    const own = parameters.filter((parameter) => parameter.in === place)
    const values = Object.fromEntries(own.map(({ name, schema }) => [name, drawn(schema, world)]))
    const requiredKeys = own.filter(({ required }) => required).map(({ name }) => name) as never[]
    return fc.record(values, { requiredKeys }) as fc.Arbitrary<Record<string, unknown>>
  }
  return fc.record({
    path: placed('path'),
    query: obeying(placed('query'), described['x-rules'] ?? []),
    body: requestBody ? drawn(requestBody.content['application/json'].schema, world) : fc.constant(undefined),
  })
}

function urlOf(path: string, input: Input): string {
  const place = path.replace(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(String(input.path[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(input.query)) {
    for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one))
  }
  return search.size > 0 ? `${place}?${search}` : place
}

/** Operations that would end the world of the others, or move its clock. Each has an organisation of its own. */
const alone = ['deleteApiKey', 'rotateApiKey', 'deleteOrganisation', 'resetOrganisation', 'advanceClock']

const calls = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, described]) => described.deprecated !== true)
    .map(([method, described]) => ({ id: described.operationId, path, method: method.toUpperCase(), described })),
)

let bank: TestBank
let world: World

beforeAll(async () => {
  bank = await openTestBank({ catalogue: smallCatalogue() })
  world = await makeWorld(bank)
})
afterAll(() => bank.close())

/** The key that calls an operation, and the records that its inputs name. */
async function callerOf(id: string): Promise<{ key: string; records: World }> {
  if (!alone.includes(id)) return { key: bank.key, records: world }
  const { key } = await makeSandboxOrganisation(bank, { now: START, frozen: true })
  const { json } = await bank.call('POST', '/v0/api-keys', { key, body: { name: 'Sample' } })
  return { key, records: { ...world, apiKey: json.data.id } }
}

describe('An input drawn from the OpenAPI document', () => {
  test.each(calls)('is never an invalid request of $id, and its answer has the described form', async (call) => {
    const { id, path, method, described } = call
    const { key, records } = await callerOf(id)
    const checks = new Map<string, (body: unknown) => boolean>()
    const sent = new Map<string, number>()
    const property = fc.asyncProperty(inputOf(described, records), async (input) => {
      const url = urlOf(path, input)
      // An empty or dotted segment is another path.
      if (Object.values(input.path).some((value) => /^\.{0,2}$/.test(String(value)))) return
      const body = input.body === undefined ? {} : { body: input.body }
      const request = `${url} ${JSON.stringify(body)}`
      const times = (sent.get(request) ?? 0) + 1
      sent.set(request, times)
      if (times > REPEATS) return
      const { status, json, text } = await bank.call(method, url, { key, ...body })
      const what = () => `${method} ${url} ${JSON.stringify(input.body)} answered ${status}: ${text.slice(0, 600)}`
      // Compared first: an assertion for each of the answers would take longer than some of the answers.
      if (status === 400 || status >= 500 || !(status in described.responses)) expect.fail(what())
      if (status < 300 && json !== undefined) {
        let check = checks.get(String(status))
        if (!check) {
          const schema = described.responses[status]?.content?.['application/json']?.schema ?? {}
          const compiled = Compile(document.components.schemas as never, withOpenWords(dereferenced(schema)) as never)
          check = (body) => compiled.Check(body as never)
          checks.set(String(status), check)
        }
        if (!check(json)) expect.fail(what())
      }
    })
    await fc.assert(property, { seed: seedOfTest(), numRuns: INPUTS, endOnFailure: true })
  })
})

/** A schema without references. No schema of the document contains itself. */
function dereferenced(schema: Schema): Schema {
  const whole = resolved(schema)
  return Object.fromEntries(
    Object.entries(whole).map(([name, value]) => {
      if (name === 'properties') {
        const members = Object.entries(value as Record<string, Schema>)
        return [name, Object.fromEntries(members.map(([key, member]) => [key, dereferenced(member)]))]
      }
      if (name === 'anyOf' || name === 'oneOf') return ['anyOf', (value as Schema[]).map(dereferenced)]
      if (name === 'items' || (name === 'additionalProperties' && typeof value === 'object')) {
        return [name, dereferenced(value as Schema)]
      }
      return [name, value]
    }),
  )
}
