import { Fault } from '../../base/fault.ts'
import type { Operation } from '../../base/operation.ts'
import { invalidRequest, Problem, type ProblemCode, type ProblemOptions } from '../../base/problem.ts'
import { refusals } from '../../base/refusals.ts'
import { problemBody } from '../errors.ts'
import { headerRefs, problemHeaders } from './headers.ts'
import { answerSchema, type JsonObject, type NamedSchemas, pascal } from './schemas.ts'

/** Codes that every operation can answer with. */
const everywhere: ProblemCode[] = [
  'invalid_request',
  'unauthorized',
  'forbidden',
  'method_not_allowed',
  'rate_limited',
  'headers_too_large',
  'internal_error',
  'unavailable',
]
const onPost: ProblemCode[] = ['idempotency_in_progress', 'idempotency_key_reused']
const onBody: ProblemCode[] = ['request_timeout', 'payload_too_large', 'unsupported_media_type']
const onWrite: ProblemCode[] = ['outcome_unknown']

/** Codes of operations that a connector can serve. */
const fromUpstream: ProblemCode[] = [
  'refused_by_provider',
  'not_supported_by_provider',
  'upstream_error',
  'upstream_unavailable',
  'upstream_timeout',
]
const fromUpstreamWrites: ProblemCode[] = ['already_exists', 'wrong_state', 'upstream_outcome_unknown']

/** Codes that many operations share, with the name of their type in the client. */
export const sharedCodes: { name: string; of: string; codes: ProblemCode[] }[] = [
  { name: 'CommonProblemCode', of: 'every operation', codes: everywhere },
  { name: 'PostProblemCode', of: 'every POST', codes: [...onPost, ...onBody, ...onWrite] },
  { name: 'UpstreamProblemCode', of: 'every operation that a connector can serve', codes: fromUpstream },
  { name: 'UpstreamWriteProblemCode', of: 'every write that a connector can serve', codes: fromUpstreamWrites },
]

/** Every code that an operation can answer with when it is called by this method. */
export function codesOf(operation: Operation, method: Operation['method']): ProblemCode[] {
  return [
    ...everywhere,
    ...(method === 'POST' ? onPost : []),
    ...(method === 'POST' || method === 'PUT' || method === 'PATCH' ? onBody : []),
    ...(operation.method === 'GET' ? [] : onWrite),
    ...operation.problems,
    ...(servedByConnectors(operation) ? fromUpstream : []),
    ...(operation.area === 'banking' && operation.method !== 'GET' ? fromUpstreamWrites : []),
  ]
}

/** Connectors serve banking and the offers. The records of rewards are always the service's own. */
function servedByConnectors({ area, number }: Operation): boolean {
  return area === 'banking' || number === 'R1' || number === 'R2'
}

/** Sets of more codes belong to one operation, and a name made of them would be too long. */
const MAX_NAMED = 3

/** The responses of the problems that an operation can answer with, by status. Small sets of codes are shared. */
export function problemResponses(codes: ProblemCode[], shared: Record<string, JsonObject>): JsonObject {
  const byStatus = new Map<number, ProblemCode[]>()
  for (const code of codes) {
    const { status } = refusals[code]
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return Object.fromEntries(
    [...byStatus].map(([status, same]) => {
      if (same.length > MAX_NAMED) return [status, problemResponse(status, same)]
      const name = same.map(pascal).join('Or')
      shared[name] ??= problemResponse(status, same)
      return [status, { $ref: `#/components/responses/${name}` }]
    }),
  )
}

function problemResponse(status: number, codes: ProblemCode[]): JsonObject {
  const content = {
    schema: { $ref: '#/components/schemas/Problem' },
    examples: Object.fromEntries(
      codes.flatMap(exampleNames).map((name) => [name, { $ref: `#/components/examples/${name}` }]),
    ),
  }
  const [only, ...others] = codes
  return {
    description:
      others.length === 0 && only
        ? `\`${only}\`: ${refusals[only].detail}`
        : codes.map((code) => `- \`${code}\`: ${refusals[code].detail}`).join('\n'),
    headers: headerRefs(problemHeaders(status)),
    // The second form is for callers that accept `application/json` and not `application/problem+json`.
    content: { 'application/problem+json': content, 'application/json': content },
  }
}

/** A fault lies in the body, which a pointer names, or in a parameter. */
const invalidRequests: Record<string, Fault> = {
  invalid_request: { pointer: '/amount', code: 'required', message: 'amount is required' },
  invalid_request_parameter: { parameter: 'limit', code: 'out_of_range', message: 'limit must be at least 1' },
}

function exampleNames(code: ProblemCode): string[] {
  return code === 'invalid_request' ? Object.keys(invalidRequests) : [code]
}

/** The members of a problem that only some codes have. */
function optionsOf(code: ProblemCode): ProblemOptions {
  if (code === 'limit_exceeded') return { limit: { scope: 'account', period: 'day', limit: 100_000, left: 2_500 } }
  return refusals[code].status === 410 ? { resumeAfter: 42 } : {}
}

/** The examples of each code, as the service writes it. */
export function problemExamples(codes: Set<ProblemCode>): JsonObject {
  const names = [...codes].flatMap((code) => exampleNames(code).map((name) => ({ code, name })))
  return Object.fromEntries(
    names.map(({ code, name }) => {
      const fault = invalidRequests[name]
      const problem = fault ? invalidRequest([fault]) : new Problem(code, optionsOf(code))
      return [name, { value: problemBody(problem, 'live', '0d1f2a6e-6c1b-4a53-9d54-1f9a3b8f2f10') }]
    }),
  )
}

export const problemSchemas: Record<string, JsonObject> = {
  Problem: {
    type: 'object',
    description: 'A refusal, as RFC 9457 defines it. Programs branch on `code`; `detail` is written for people.',
    required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
    properties: {
      type: { type: 'string', format: 'uri-reference', description: 'The address of the page about this code' },
      title: { type: 'string', description: 'The code in words' },
      status: { type: 'integer', description: 'The status of the response' },
      detail: { type: 'string', description: 'The reason in a sentence; may change between versions' },
      code: {
        type: 'string',
        enum: Object.keys(refusals),
        'x-extensible-enum': true,
        description: 'The reason; stable',
      },
      requestId: { type: 'string', description: 'Names the request in the logs of the service' },
      errors: {
        type: 'array',
        items: { $ref: '#/components/schemas/Fault' },
        description: 'All faults of an invalid request, or the reasons of a provider',
      },
      limit: {
        type: 'object',
        description: 'The limit that a payment would exceed (`limit_exceeded`)',
        required: ['scope', 'period', 'limit', 'left'],
        properties: {
          scope: { type: 'string', enum: ['account', 'organisation'], description: 'Whose limit it is' },
          period: {
            type: 'string',
            enum: ['payment', 'day', 'month'],
            description: 'Whether it limits one payment, or the payments of a UTC day or month in bank time',
          },
          limit: { type: 'integer', description: 'The limit in cents' },
          left: { type: 'integer', description: 'The rest of it in cents' },
        },
      },
      resumeAfter: {
        type: 'integer',
        description: 'The value of `after` with which a list of events goes on whose position is gone (410)',
      },
    },
  },
  ...faultSchema(),
}

function faultSchema(): NamedSchemas {
  const schemas: NamedSchemas = {}
  answerSchema(Fault, schemas)
  return schemas
}
