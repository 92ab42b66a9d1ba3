import type { TSchema } from 'typebox'
import { type Operation, scopesOf } from '../base/operation.ts'
import { type ProblemCode, refusals } from '../base/problem.ts'

type JsonObject = Record<string, unknown>

/** Codes that every operation can answer with. */
const everywhere: ProblemCode[] = [
  'invalid_request',
  'unauthorized',
  'forbidden',
  'rate_limited',
  'internal_error',
  'unavailable',
]
const onPost: ProblemCode[] = [
  'idempotency_in_progress',
  'idempotency_key_reused',
  'payload_too_large',
  'unsupported_media_type',
]

const onWrite: ProblemCode[] = ['outcome_unknown']

/** Codes of operations that a connector can serve. */
const fromUpstream: ProblemCode[] = [
  'refused_by_provider',
  'not_supported_by_provider',
  'upstream_error',
  'upstream_unavailable',
  'upstream_timeout',
]
const fromUpstreamWrites: ProblemCode[] = ['wrong_state', 'upstream_outcome_unknown']

/** The OpenAPI 3.1 document of a list of operations. The schemas are JSON Schema already and are only arranged. */
export function openapiOf(operations: Operation[], version: string): JsonObject {
  const schemas: JsonObject = { Problem: problemSchema }
  const paths: Record<string, JsonObject> = {}
  for (const operation of operations) {
    const path = openapiPath(operation.path)
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation, operation.method, schemas) }
    for (const alias of operation.aliases ?? []) {
      const spelling = openapiPath(alias.path)
      const id = `${operation.id}By${alias.method === 'GET' ? 'Get' : ''}${spelling === path ? '' : 'Alias'}`
      paths[spelling] = {
        ...paths[spelling],
        [alias.method.toLowerCase()]: {
          ...describe(operation, alias.method, schemas),
          operationId: id,
          deprecated: true,
        },
      }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Purser',
      version,
      description:
        'A banking and rewards gateway. Every success is `{data: …}`, every refusal a problem as RFC 9457 defines it. An optional member of a request that is null counts as absent.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This service' }],
    security: [{ apiKey: [] }],
    tags: [...new Set(operations.map(({ area }) => area))].map((name) => ({ name, description: areas[name] })),
    paths,
    components: {
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'X-Service-API-Key' } },
      schemas,
    },
  }
}

const areas: Record<Operation['area'], string> = {
  banking: 'Customers, accounts, cards, payments, transactions, statements, applications',
  rewards: 'Offers and rewards',
  events: 'Events, webhooks and the audit log',
  access: 'API keys',
  sandbox: 'Simulation of events at the bank; sandbox mode only',
}

function openapiPath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}')
}

function scopeText(operation: Operation): string {
  const names = scopesOf(operation).map((scope) => `\`${scope}\``)
  return `${names.length > 1 ? 'Scopes' : 'Scope'}: ${names.join(' and ')}.`
}

function describe(operation: Operation, method: Operation['method'], schemas: JsonObject): JsonObject {
  return {
    operationId: operation.id,
    tags: [operation.area],
    summary: operation.number ? `${operation.number}. ${operation.summary}` : operation.summary,
    description: [operation.description, scopeText(operation)].filter(Boolean).join('\n\n'),
    ...(!operation.number && { 'x-extension': true }),
    parameters: [
      ...parameters(operation.params, 'path', schemas),
      ...parameters(operation.query, 'query', schemas),
      ...(method === 'POST' ? [idempotencyHeader] : []),
    ],
    ...(operation.body && {
      requestBody: {
        required: requiredOf(operation.body).length > 0,
        content: { 'application/json': { schema: placed(operation.body, schemas) } },
      },
    }),
    responses: { [operation.status]: success(operation, schemas), ...refusalsOf(operation, method) },
  }
}

const idempotencyHeader = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Makes the call safe to repeat: requests with the same key and content have one effect and one answer.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}

function parameters(schema: Operation['query'], place: 'path' | 'query', schemas: JsonObject): JsonObject[] {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const { description, ...rest } = placed(property as TSchema, schemas) as { description?: string }
    const required = place === 'path' || requiredOf(schema).includes(name)
    return { name, in: place, required, ...(description && { description }), schema: rest }
  })
}

function requiredOf(schema: Operation['query']): string[] {
  return (schema?.required ?? []) as string[]
}

function success(operation: Operation, schemas: JsonObject): JsonObject {
  if (operation.status === 204) return { description: operation.summary }
  const data = placed(operation.data, schemas)
  const content = operation.contentType
    ? { [operation.contentType]: { schema: { ...data, contentMediaType: operation.contentType } } }
    : { 'application/json': { schema: { type: 'object', required: ['data'], properties: { data } } } }
  return {
    description: operation.summary,
    headers: { ETag: { schema: { type: 'string' } }, 'X-Request-Id': { schema: { type: 'string' } } },
    content,
  }
}

function refusalsOf(operation: Operation, method: Operation['method']): JsonObject {
  const codes = [
    ...everywhere,
    ...(method === 'POST' ? onPost : []),
    ...(operation.method === 'GET' ? [] : onWrite),
    ...operation.problems,
    ...(servedByConnectors(operation) ? fromUpstream : []),
    ...(operation.area === 'banking' && operation.method !== 'GET' ? fromUpstreamWrites : []),
  ]
  const responses: Record<string, { description: string; content: JsonObject }> = {}
  for (const code of codes) {
    const { status } = refusals[code]
    const others = responses[status] ? `${responses[status].description}, ` : ''
    responses[status] = {
      description: `${others}\`${code}\``,
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    }
  }
  return responses
}

/** Connectors serve banking and the offers. The records of rewards are always the service's own. */
function servedByConnectors({ area, number }: Operation): boolean {
  return area === 'banking' || number === 'R1' || number === 'R2'
}

/** Moves a schema that has a name to the components and leaves a reference. */
function placed(schema: TSchema, schemas: JsonObject): JsonObject {
  const { $id, ...rest } = schema as TSchema & { $id?: string }
  const copy = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => {
      if (name === 'properties' || name === 'patternProperties') {
        const members = Object.entries(value as Record<string, TSchema>)
        return [name, Object.fromEntries(members.map(([key, member]) => [key, placed(member, schemas)]))]
      }
      if (name === 'anyOf') return [name, (value as TSchema[]).map((branch) => placed(branch, schemas))]
      if (name === 'items') return [name, placed(value as TSchema, schemas)]
      return [name, value]
    }),
  )
  if ($id === undefined) return copy
  schemas[$id] = copy
  return { $ref: `#/components/schemas/${$id}` }
}

const problemSchema = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
  properties: {
    type: { type: 'string', examples: ['/docs/errors#account_not_found'] },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string', enum: Object.keys(refusals) },
    requestId: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['code', 'message'],
        properties: {
          pointer: { type: 'string' },
          parameter: { type: 'string' },
          code: { type: 'string' },
          message: { type: 'string' },
          supportId: { type: 'string', description: "The provider's reference for this refusal" },
        },
      },
    },
  },
}
