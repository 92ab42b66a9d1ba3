import type { TSchema } from 'typebox'
import { fileTypesOf, type Operation, scopesOf, scopeWords } from '../../base/operation.ts'
import type { Rule } from '../../base/rules.ts'
import type { EventKind } from '../../events/event.ts'
import { Proposal } from '../../review/proposals/proposal.ts'
import { exampleOf } from './examples.ts'
import { headerRefs, headers, successHeaders } from './headers.ts'
import { codesOf, problemExamples, problemResponses, problemSchemas } from './problems.ts'
import {
  answerSchema,
  bodySchema,
  type JsonObject,
  type NamedSchemas,
  named,
  parameterSchema,
  pascal,
} from './schemas.ts'
import { eventUnion, signatureHeaders, webhooksOf } from './webhooks.ts'

/** The schema of an answer with a proposal in place of the record. */
export const PROPOSED = 'ProposedResponse'

/** The parts of the document that operations refer to. */
interface Shared {
  schemas: NamedSchemas
  responses: Record<string, JsonObject>
}

/** The OpenAPI 3.1 document of a list of operations. The schemas are JSON Schema already and are only arranged. */
export function openapiOf(operations: Operation[], version: string, catalogue: EventKind[]): JsonObject {
  const shared: Shared = { schemas: { ...problemSchemas }, responses: { NotModified } }
  const paths: Record<string, JsonObject> = {}
  for (const operation of operations) {
    const path = openapiPath(operation.path)
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: described(operation, operation.method, shared) }
    for (const alias of operation.aliases ?? []) {
      const spelling = openapiPath(alias.path)
      const id = `${operation.id}By${alias.method === 'GET' ? 'Get' : ''}${spelling === path ? '' : 'Alias'}`
      paths[spelling] = {
        ...paths[spelling],
        [alias.method.toLowerCase()]: described(operation, alias.method, shared, id),
      }
    }
  }
  // In place of the schema that is common to all events.
  shared.schemas.Event = eventUnion(catalogue, shared.schemas)
  return {
    openapi: '3.1.0',
    info: {
      title: 'Purser',
      version,
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'This service' }],
    security: [{ apiKey: [] }],
    tags: [...new Set(operations.map(({ area }) => area))].map((name) => ({ name, description: areas[name] })),
    paths,
    webhooks: webhooksOf(catalogue),
    components: {
      securitySchemes: {
        apiKey: { type: 'apiKey', in: 'header', name: 'X-Service-API-Key', description: 'An API key of the service' },
      },
      schemas: shared.schemas,
      responses: shared.responses,
      parameters: { 'Idempotency-Key': idempotencyHeader, ...standbyHeaders, ...signatureHeaders },
      headers,
      examples: problemExamples(new Set(operations.flatMap((operation) => codesOf(operation, operation.method)))),
    },
  }
}

const introduction = `A banking and rewards gateway.

Every success is \`{"data": …}\`, every refusal a problem as RFC 9457 defines it. Amounts are whole cents, times are UTC
with milliseconds, ids are texts; the records of rewards have numbers as ids. Bank time is the clock of an organisation: it
runs like real time, and a sandbox can move it forward.

An optional member of a request that is null counts as absent. Unknown members and parameters are refused. A text holds
no control characters, and a parameter of a query is not blank. Words of an enumeration in a query match in any letter
case.

If \`x-extensible-enum\` is true, later versions and other providers may answer with other words than those listed.`

/** The areas in a few words each. */
export const areas: Record<Operation['area'], string> = {
  banking: 'Customers, accounts, cards, payments, transactions, statements, applications',
  processor: 'Messages of a card processor: authorizations, settlements, reversals and refunds of cards',
  review: 'Work of reviewers: payments that wait for a decision',
  closing: 'Closed banking days: statements of the settlement account, their matches with the ledger, certificates',
  rewards: 'Offers and rewards',
  ledger: 'Accounts of the ledger with the internal ones, transfers, flows, balances and the check of the invariants',
  events: 'Events, webhooks and the audit log',
  access: 'API keys',
  tools: 'Look-ups and search over all types of records',
  sandbox: 'Simulation of events at the bank; sandbox mode only',
}

const NotModified = {
  description: 'The content is the one that `If-None-Match` names.',
  headers: headerRefs(['X-Request-Id', 'ETag', 'X-Purser-Fault']),
}

function openapiPath(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}')
}

/** One operation by one of its methods; `aliasId` if the spelling is deprecated. */
function described(operation: Operation, method: Operation['method'], shared: Shared, aliasId?: string): JsonObject {
  const { schemas } = shared
  const { request } = exampleOf(operation)
  return {
    operationId: aliasId ?? operation.id,
    ...(aliasId && { deprecated: true }),
    tags: [operation.area],
    summary: operation.summary,
    description: [operation.description, scopeText(operation)].filter(Boolean).join('\n\n'),
    ...(operation.number ? { 'x-number': operation.number } : { 'x-extension': true }),
    parameters: [
      ...parameters(operation.params, 'path', schemas, request.params),
      ...parameters(operation.query, 'query', schemas, request.query),
      ...(method === 'POST' ? [{ $ref: parameterRef('Idempotency-Key') }] : []),
      ...(operation.fromStandby ? Object.keys(standbyHeaders).map((name) => ({ $ref: parameterRef(name) })) : []),
    ],
    ...rulesOf(operation.query),
    ...requestBody(operation, method, schemas),
    responses: {
      [operation.status]: success(operation, schemas, aliasId !== undefined),
      ...(operation.signature && { 202: proposed(operation, schemas) }),
      ...(method === 'GET' && operation.method === 'GET' && { 304: { $ref: '#/components/responses/NotModified' } }),
      ...problemResponses(codesOf(operation, method), shared.responses),
    },
  }
}

function scopeText(operation: Operation): string {
  const words = scopeWords(operation)
  if (words === '') return 'Every key may call this.'
  return `${scopesOf(operation).length > 1 ? 'Scopes' : 'Scope'}: ${words}.`
}

const parameterRef = (name: string) => `#/components/parameters/${name}`

/** The headers by which a caller lets a standby answer. */
const standbyHeaders = {
  Prefer: {
    name: 'Prefer',
    in: 'header',
    required: false,
    description:
      '`stale=5` lets a standby answer whose state is at most five seconds old (RFC 7240). Has no effect without `PURSER_READ_URL`.',
    schema: { type: 'string' },
    example: 'stale=5',
  },
  'Purser-Position': {
    name: 'Purser-Position',
    in: 'header',
    required: false,
    description:
      'The number of an event that the answer has to take into account: that of an answer to a write, or the `sequence` of an event. A standby may answer that has it. Has no effect without `PURSER_READ_URL`.',
    schema: { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
    example: 42,
  },
}

const idempotencyHeader = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Makes the call safe to repeat: requests with the same key and content have one effect and one answer.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\u0021-\\u007e]{1,255}$' },
}

function parameters(
  schema: Operation['query'],
  place: 'path' | 'query',
  schemas: NamedSchemas,
  values: JsonObject = {},
): JsonObject[] {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => {
    const required = place === 'path' || requiredOf(schema).includes(name)
    const { description } = property as { description?: string }
    const { description: _said, ...rest } = parameterSchema(property as TSchema, schemas)
    const example = name in values && { example: values[name] }
    return { name, in: place, required, ...(description && { description }), schema: rest, ...example }
  })
}

/** Rules between the parameters of a query. */
function rulesOf(query: Operation['query']): JsonObject {
  const rules = (query as { 'x-rules'?: Rule[] } | undefined)?.['x-rules']
  return rules ? { 'x-rules': rules } : {}
}

function requiredOf(schema: TSchema | undefined): string[] {
  return ((schema as { required?: string[] } | undefined)?.required ?? []) as string[]
}

/** A PUT replaces a whole record, so that its body is required even if no member of it is. */
function needsBody({ method, body }: Operation): boolean {
  return body !== undefined && (method === 'PUT' || 'anyOf' in body || requiredOf(body).length > 0)
}

function requestBody(operation: Operation, method: Operation['method'], schemas: NamedSchemas): JsonObject {
  if (method === 'GET' || (!operation.body && method !== 'POST')) return {}
  const name = operation.body ? `${pascal(operation.id)}Request` : 'EmptyRequest'
  const keyLength = method === 'POST' ? (operation.batch ? 250 : 255) : 0
  const schema = bodySchema(name, operation.body, schemas, keyLength)
  const { body: example } = exampleOf(operation).request
  return {
    requestBody: {
      required: needsBody(operation),
      content: { 'application/json': { schema, ...(example && { example }) } },
    },
  }
}

/** The answer if a rule of the operator asks for a second person. */
function proposed(operation: Operation, schemas: NamedSchemas): JsonObject {
  const data = answerSchema(Proposal, schemas)
  const envelope = { type: 'object', description: 'A proposal', required: ['data'], properties: { data } }
  return {
    description: 'Waits for a second person: the change is proposed',
    headers: headerRefs(successHeaders(operation, false)),
    content: { 'application/json': { schema: named(PROPOSED, envelope, schemas) } },
  }
}

function success(operation: Operation, schemas: NamedSchemas, isAlias: boolean): JsonObject {
  const { summary: description, status } = operation
  const head = { description, headers: headerRefs(successHeaders(operation, isAlias)) }
  if (status === 204) return head
  const data = answerSchema(operation.data, schemas)
  const types = fileTypesOf(operation)
  if (types.length > 0) {
    const files = types.map((contentMediaType) => [contentMediaType, { schema: { ...data, contentMediaType } }])
    return { ...head, content: Object.fromEntries(files) }
  }
  const envelope = {
    type: 'object',
    description: `The answer of \`${operation.id}\``,
    required: ['data'],
    properties: { data: data.type === 'array' ? { description: 'The records of this page', ...data } : data },
  }
  const schema = named(`${pascal(operation.id)}Response`, envelope, schemas)
  const { response: example } = exampleOf(operation)
  return { ...head, content: { 'application/json': { schema, ...(example && { example }) } } }
}
