import { join } from 'node:path'
import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { beforeAll, describe, expect, test } from 'vitest'
import { eventCatalogue } from '../../src/event-catalogue.ts'
import { openapiOf } from '../../src/http/openapi/document.ts'
import { operations } from '../../src/operations.ts'
import { type Harvest, harvest } from '../support/examples/harvest.ts'
import { root } from '../support/harness.ts'

const RENEW = 'run npm run examples, and look at the changes that it makes'

let harvested: Harvest
beforeAll(async () => {
  harvested = await harvest()
})

const text = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

describe('The examples of the OpenAPI document', () => {
  test('are what the operations answer', async () => {
    await expect(text(harvested.operations), RENEW).toMatchFileSnapshot(join(root, 'src/http/openapi/examples.json'))
  })

  test('have the form of the schemas', () => {
    const faults = operations.flatMap(({ id, params, query, body, data, status, contentType }) => {
      const { request, response } = harvested.operations[id] ?? { request: {} }
      const hasJson = status !== 204 && contentType === undefined
      const answered = (response as { data: unknown } | undefined)?.data
      return [
        ...faultsOf(`${id} params`, params, request.params),
        ...faultsOf(`${id} query`, query, request.query),
        ...faultsOf(`${id} body`, body, request.body),
        ...faultsOf(`${id} answer`, hasJson ? data : undefined, answered),
      ]
    })
    expect(faults).toEqual([])
  })

  test('of invalid requests are what the service answers', () => {
    const { components } = openapiOf(operations, '0', eventCatalogue) as unknown as {
      components: { examples: Record<string, { value: object }> }
    }
    for (const [name, answered] of Object.entries(harvested.invalid)) {
      expect({ ...components.examples[name]?.value, requestId: '' }, name).toEqual({ ...answered, requestId: '' })
    }
  })

  test('hold no secret', () => {
    const secrets = [...text(harvested).matchAll(/(prs_[a-z]+_|whsec_)(\w+)/g)].map(([secret]) => secret)
    expect(secrets.length).toBeGreaterThan(5)
    expect(secrets.filter((secret) => !secret.includes('_Example') && !secret.includes('test_Example'))).toEqual([])
  })
})

describe('The samples of events', () => {
  test('are what the operations emit', async () => {
    // The samples of events that only connectors emit come from their tests, by npm run samples.
    const samples = eventCatalogue.map(({ type, sample }) => [type, harvested.events[type] ?? sample])
    const file = join(root, 'src/event-samples.json')
    await expect(text(Object.fromEntries(samples)), RENEW).toMatchFileSnapshot(file)
  })

  test('have the form of the catalogue', () => {
    const catalogued = eventCatalogue.filter(({ type }) => type in harvested.events)
    const faults = catalogued.flatMap(({ type, data }) => faultsOf(type, data, harvested.events[type]?.data))
    expect(faults).toEqual([])
    expect(catalogued.length).toBeGreaterThan(40)
  })
})

/** The faults of a value by its schema, whose objects are closed. An absent value is right if nothing is required. */
function faultsOf(name: string, schema: TSchema | undefined, value: unknown): string[] {
  if (schema === undefined)
    return value === undefined ? [] : [`${name}: there is no schema for ${JSON.stringify(value)}`]
  const { required = [], type } = schema as { required?: string[]; type?: string }
  const given = value ?? (type === 'object' && required.length === 0 ? {} : undefined)
  const check = Compile(closed(schema))
  return check.Check(given) ? [] : [`${name}: ${JSON.stringify(check.Errors(given))} in ${JSON.stringify(given)}`]
}

/** The schema without room for members that it does not name. */
function closed<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(closed) as T
  if (typeof schema !== 'object' || schema === null) return schema
  const copy = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]))
  return ('properties' in copy && copy.type === 'object' ? { ...copy, additionalProperties: false } : copy) as T
}
