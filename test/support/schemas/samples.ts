import type { TSchema } from 'typebox'
import type { ResourceName } from '../../../src/base/ids.ts'
import type { Operation } from '../../../src/base/operation.ts'
import type { World } from '../world.ts'
import { exceptions } from './exceptions.ts'

/** The parts of JSON Schema that our schemas use. */
export interface Schema {
  type?: string
  const?: unknown
  enum?: unknown[]
  anyOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  patternProperties?: Record<string, Schema>
  propertyNames?: Schema
  items?: Schema
  examples?: unknown[]
  default?: unknown
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  maxProperties?: number
  'x-resource'?: ResourceName
  'x-null'?: 'refused'
  'x-each'?: true
}

/** A schema as the generated tests read it. Of a union of bodies they read the first branch. */
export function schemaOf(schema: TSchema | undefined): Schema {
  const read = (schema ?? {}) as Schema & { discriminator?: object }
  return read.discriminator ? (read.anyOf?.[0] ?? {}) : read
}

/** A valid value of a schema, with ids from the world. */
function sampleOf(schema: Schema, world: World, where: string): unknown {
  const resource = schema['x-resource']
  if (resource !== undefined) {
    const id = world[resource]
    if (id === undefined)
      throw new Error(`${where}: the world has no ${resource}; add a maker to test/support/world.ts`)
    return schema.type === 'integer' ? Number(id) : id
  }
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.examples) return schema.examples[0]
  if (schema.anyOf?.[0]) return sampleOf(schema.anyOf[0], world, where)
  switch (schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, member]) => [
          name,
          sampleOf(member, world, `${where}/${name}`),
        ]),
      )
    case 'array':
      return Array.from({ length: schema.minItems ?? 1 }, () => sampleOf(schema.items ?? {}, world, `${where}/0`))
    case 'string':
      if (schema.pattern) throw new Error(`${where}: a pattern needs an example in its schema`)
      return 'x'.repeat(Math.max(1, schema.minLength ?? 1))
    case 'integer':
    case 'number':
      return schema.default ?? schema.minimum ?? 1
    case 'boolean':
      return true
    case 'null':
      return null
    default:
      throw new Error(`${where}: no sample can be made of ${JSON.stringify(schema)}`)
  }
}

/** A whole valid request: every parameter and every member, the optional ones too. */
export interface Sample {
  params: Record<string, unknown>
  query: Record<string, unknown>
  body: Record<string, unknown> | undefined
}

export function sampleRequest(operation: Operation, world: World): Sample {
  const sample = (part: TSchema) => sampleOf(schemaOf(part), world, operation.id) as Record<string, unknown>
  return {
    params: operation.params ? sample(operation.params) : {},
    query: requiredOnly(operation.query, operation.query ? sample(operation.query) : {}),
    body: exceptions.bodies[operation.id]?.(world) ?? (operation.body ? sample(operation.body) : undefined),
  }
}

function requiredOnly(schema: TSchema | undefined, values: Record<string, unknown>): Record<string, unknown> {
  const { required = [] } = schemaOf(schema)
  return Object.fromEntries(Object.entries(values).filter(([name]) => required.includes(name)))
}

/** The address of a request; parameters that are encoded already pass as they are. */
export function urlOf(path: string, { params, query }: Pick<Sample, 'params' | 'query'>, encoded = false): string {
  const place = path.replace(/:(\w+)/g, (_, name) =>
    encoded ? String(params[name]) : encodeURIComponent(String(params[name])),
  )
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) search.set(name, String(value))
  return search.size > 0 ? `${place}?${search}` : place
}
