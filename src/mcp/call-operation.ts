import type { FastifyInstance } from 'fastify'
import type { Operation } from '../base/operation.ts'
import { ORGANISATION_HEADER } from '../http/session-cookie.ts'
import { storedAtOf } from '../http/write-handler.ts'

/** The members of an operation's input, those of its path, its query and its body in one object. */
export type Input = Record<string, unknown>

/** The answer of an operation. */
export interface Answered {
  status: number
  /** The data of a success, or the problem of a refusal. */
  content: unknown
  requestId: string
  /** The seconds after which a refused call is worth a repetition. */
  retryAfter?: number
  /** The answer is that of an earlier call with the same idempotency key; with the time of that one, if it is stored. */
  replayed?: { storedAt: string | undefined }
  /** The number of all records that match. */
  total?: number
  /** Records that a provider sent in a form that cannot be shown. */
  omitted?: number
  /** The input that gets the next page. */
  next?: Input
  /** The fault rule of the sandbox that changed the answer. */
  fault?: string
}

export interface CallOptions {
  idempotencyKey?: string | undefined
  /** The call belongs to a tool of ours and is not shown in the log of requests. */
  unlogged?: boolean
}

/** The caller of a tool. */
export interface Caller {
  key: string
  /** The header that names the organisation in which a person acts. */
  organisation: string | undefined
  address: string
  /** The operations that a tool calls have the request id of the tool's own request. */
  requestId: string
}

/** An input that does not even lead to a request. */
export class UnusableInput extends Error {}

/** The connection to the operation ended without an answer, as a fault rule of the sandbox does it. */
export class AnswerLost extends Error {}

/**
 * Calls an operation as HTTP does: by its route, with the caller's key. The key, its scopes and limits, validation,
 * idempotency and the log of requests are those of every other request; there is no second way around them.
 */
export async function callOperation(
  app: FastifyInstance,
  caller: Caller,
  operation: Operation,
  input: Input,
  { idempotencyKey, unlogged }: CallOptions = {},
): Promise<Answered> {
  const { path, body } = requestOf(operation, input)
  const response = await app
    .inject({
      method: operation.method,
      url: path,
      remoteAddress: caller.address,
      headers: {
        'x-service-api-key': caller.key,
        ...(caller.organisation !== undefined && { [ORGANISATION_HEADER]: caller.organisation }),
        'x-request-id': caller.requestId,
        'user-agent': 'purser-mcp',
        accept: 'application/json',
        ...(idempotencyKey !== undefined && operation.method === 'POST' && { 'idempotency-key': idempotencyKey }),
        ...(unlogged && { 'x-purser-tool': 'mcp' }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { payload: body }),
    })
    .catch((error: Error & { code?: string }) => {
      throw error.code === 'LIGHT_ECONNRESET' ? new AnswerLost() : error
    })
  const { headers, statusCode: status } = response
  const retryAfter = Number(headers['retry-after'])
  return {
    status,
    content: contentOf(operation, path, response),
    requestId: caller.requestId,
    ...(retryAfter > 0 && { retryAfter }),
    ...(headers['idempotent-replayed'] && { replayed: { storedAt: storedAtOf(response.raw.res) } }),
    ...(headers['x-total-count'] !== undefined && { total: Number(headers['x-total-count']) }),
    ...(headers['omitted-records'] !== undefined && { omitted: Number(headers['omitted-records']) }),
    ...(headers['x-purser-fault'] !== undefined && { fault: String(headers['x-purser-fault']) }),
    ...nextOf(headers.link, operation, input),
  }
}

interface Received {
  statusCode: number
  headers: Record<string, unknown>
  body: string
  rawPayload: Buffer
}

function contentOf({ contentType }: Operation, path: string, response: Received): unknown {
  const { statusCode, headers, body, rawPayload } = response
  if (contentType && statusCode < 400) {
    return { contentType: headers['content-type'], bytes: rawPayload.length, download: `GET ${path}` }
  }
  if (!String(headers['content-type']).includes('json') || body === '') return null
  const answer = JSON.parse(body) as { data?: unknown }
  return statusCode < 400 ? answer.data : answer
}

/** The path and the body of a request. Names that the operation does not know stay in, so that its validation names them. */
function requestOf({ method, path, params, query, body }: Operation, input: Input) {
  const rest = new Map(Object.entries(input))
  const url = path.replace(/:(\w+)/g, (_match, name: string) => {
    const value = rest.get(name)
    rest.delete(name)
    return segment(name, value)
  })
  for (const name of Object.keys(params?.properties ?? {})) rest.delete(name)
  if (method === 'GET') {
    const search = searchOf(rest)
    return { path: search === '' ? url : `${url}?${search}`, body: undefined }
  }
  if (query) throw new Error('no operation that changes something has a query')
  const sends = method !== 'DELETE' || rest.size > 0
  return { path: url, body: sends && (body || rest.size > 0) ? JSON.stringify(Object.fromEntries(rest)) : undefined }
}

/** A part of a path. Dots alone would lead to another path, and with it to another operation. */
function segment(name: string, value: unknown): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  if (text === '') throw new UnusableInput(`input.${name} is required: a text`)
  if (/^\.+$/.test(text) || !text.isWellFormed()) throw new UnusableInput(`input.${name} is no id`)
  return encodeURIComponent(text)
}

function searchOf(values: Map<string, unknown>): string {
  const search = new URLSearchParams()
  for (const [name, value] of values) {
    for (const each of Array.isArray(value) ? value : [value]) {
      if (each === null || each === undefined) continue
      search.append(name, typeof each === 'object' ? JSON.stringify(each) : String(each))
    }
  }
  return search.toString()
}

/** The input of the next page: that of this one, with the query that the `Link` header names. */
function nextOf(link: unknown, { params }: Operation, input: Input): { next?: Input } {
  const [, search] = /^<[^?>]*\?([^>]*)>; rel="next"/.exec(String(link ?? '')) ?? []
  if (search === undefined) return {}
  const names = Object.keys(params?.properties ?? {})
  const next: Input = Object.fromEntries(names.map((name) => [name, input[name]]))
  for (const [name, value] of new URLSearchParams(search)) {
    const known = next[name]
    next[name] = known === undefined ? value : [known, value].flat()
  }
  return { next }
}
