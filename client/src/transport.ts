import { PurserConnectionError, PurserProblem } from './errors.ts'
import type { OperationId } from './generated/types.ts'

/** Settings of one call. */
export interface CallOptions {
  /** The key under which a write has one effect, however often it is sent. Without one, the call makes its own. */
  idempotencyKey?: string
  /** Ends the call, and the waiting between its attempts. */
  signal?: AbortSignal
  /** Milliseconds for one attempt. */
  timeoutMs?: number
  /** Attempts after the first one. */
  retries?: number
  /**
   * Seconds that the state of an answer may be old, so that a standby may answer a read. The writes of this client are
   * always seen.
   */
  stale?: number
  /** More headers of the request. */
  headers?: Record<string, string>
}

/** Where and how requests are sent. */
export interface Transport {
  url: string
  apiKey: string
  fetch: typeof fetch
  timeoutMs: number
  retries: number
  headers: Record<string, string>
  /** The position after the latest write; NaN if its answer named none, so that the primary has to answer reads. */
  position?: number
}

/** A request to one operation, ready to be sent. */
export interface OutgoingRequest {
  operation: OperationId
  method: string
  /** Path and query. */
  path: string
  body?: unknown
}

/** The parts of a request that are the same for all attempts. */
interface Prepared {
  operation: OperationId
  /** The address of the service, for the texts of errors. */
  url: string
  address: string
  init: { method: string; headers: Record<string, string>; body?: string }
  key: string | undefined
  timeoutMs: number
  signal: AbortSignal | undefined
}

/** The facts about an answer beside its data. */
export interface ResponseInfo {
  status: number
  headers: Headers
  requestId: string | undefined
  /** Whether the answer was stored by an earlier request with the same idempotency key. */
  replayed: boolean
  /** The number of requests that were sent. */
  attempts: number
}

export interface Received {
  body: ArrayBuffer
  response: ResponseInfo
  idempotencyKey: string | undefined
}

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 8_000
/** A service that asks for a longer pause is not waited for: the caller can decide better. */
const LONGEST_RETRY_AFTER_S = 60
/** A timer that is set to more ends at once. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1

/** Sends a request, again if that is safe and may help, and returns the answer of a success. */
export async function send(transport: Transport, request: OutgoingRequest, options: CallOptions): Promise<Received> {
  const prepared = prepare(transport, request, options)
  const retries = numberOf('retries', options.retries ?? transport.retries, 0)
  for (let attempt = 1; ; attempt++) {
    try {
      return await attemptOnce(transport, prepared, attempt)
    } catch (error) {
      options.signal?.throwIfAborted()
      const pause = attempt > retries ? undefined : pauseAfter(error, attempt)
      if (pause === undefined) throw error
      await sleep(pause, options.signal)
    }
  }
}

/** Faults of the caller's own, such as a body that cannot be written as JSON, are thrown here and not tried again. */
function prepare(transport: Transport, request: OutgoingRequest, options: CallOptions): Prepared {
  const { operation, method, path, body } = request
  const headers = headersOf(transport, request, options)
  const timeoutMs = numberOf('timeoutMs', options.timeoutMs ?? transport.timeoutMs, 1)
  return {
    operation,
    url: transport.url,
    address: transport.url + path,
    init: { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) },
    key: method === 'POST' ? headers['idempotency-key'] : undefined,
    timeoutMs: Math.min(Math.ceil(timeoutMs), LONGEST_TIMEOUT_MS),
    signal: options.signal,
  }
}

function numberOf(name: string, value: number, least: number): number {
  if (typeof value === 'number' && value >= least) return value
  throw new TypeError(`${name} must be a number from ${least}, not ${value}`)
}

/** The headers of a request. Those of the caller replace the client's own, except the key. */
function headersOf(transport: Transport, request: OutgoingRequest, options: CallOptions): Record<string, string> {
  // A `Headers` object would check the same and takes long to load in Node.js.
  const headers: Record<string, string> = {}
  const own = {
    accept: 'application/json',
    'content-type': request.body === undefined ? undefined : 'application/json',
    'idempotency-key': keyOf(request, options),
    ...staleHeaders(transport, request, options),
  }
  for (const part of [own, transport.headers, options.headers ?? {}, { 'x-service-api-key': transport.apiKey }]) {
    for (const [name, value] of Object.entries(part)) {
      if (value === undefined) continue
      const text = String(value).replace(/^[\t\r\n ]+|[\t\r\n ]+$/g, '')
      if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name) || /[^\t\x20-\x7e\x80-\xff]/.test(text)) {
        throw new TypeError(`${request.operation}: the header ${name} has characters that no header may have`)
      }
      headers[name.toLowerCase()] = text
    }
  }
  return headers
}

function staleHeaders({ position = 0 }: Transport, { method }: OutgoingRequest, { stale }: CallOptions) {
  if (stale === undefined || method !== 'GET' || Number.isNaN(position)) return {}
  return { prefer: `stale=${Math.floor(numberOf('stale', stale, 0))}`, 'purser-position': position || undefined }
}

/** A POST always carries a key, one for all attempts of a call. PUT, PATCH and DELETE have the same effect when repeated. */
function keyOf({ method, body }: OutgoingRequest, { idempotencyKey }: CallOptions): string | undefined {
  if (method !== 'POST') return undefined
  return idempotencyKey ?? (body as { idempotencyKey?: string } | undefined)?.idempotencyKey ?? randomKey()
}

/** Browsers have `randomUUID` on secure pages only. */
export function randomKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

async function attemptOnce(transport: Transport, prepared: Prepared, attempt: number): Promise<Received> {
  const { operation, url, address, init, key, timeoutMs } = prepared
  const timeout = AbortSignal.timeout(timeoutMs)
  const signal = prepared.signal ? AbortSignal.any([prepared.signal, timeout]) : timeout
  try {
    // A redirect would carry the key to another address.
    const response = await transport.fetch(address, { ...init, redirect: 'manual', signal })
    const bytes = await response.arrayBuffer()
    if (response.ok && init.method !== 'GET') {
      transport.position = Math.max(
        transport.position || 0,
        Number(response.headers.get('purser-position') ?? Number.NaN),
      )
    }
    if (response.ok) return { body: bytes, response: infoOf(response, attempt), idempotencyKey: key }
    throw refusalOf(prepared, response, bytes)
  } catch (error) {
    if (error instanceof PurserProblem || error instanceof PurserConnectionError) throw error
    const more = { idempotencyKey: key, cause: error }
    if (timeout.aborted) {
      throw new PurserConnectionError(operation, 'timeout', `${url} did not answer within ${timeoutMs} ms`, more)
    }
    const detail = `${url} cannot be reached (${faultOf(error)}): is Purser running there?`
    throw new PurserConnectionError(operation, 'unreachable', detail, more)
  }
}

/** The code of a network failure, such as ECONNREFUSED, which `fetch` keeps in the cause of its error. */
function faultOf(error: unknown): string {
  const { code, message } = ((error as Error | null)?.cause ?? error ?? {}) as { code?: unknown; message?: string }
  return typeof code === 'string' ? code : (message ?? String(error))
}

function infoOf({ status, headers }: Response, attempts: number): ResponseInfo {
  const requestId = headers.get('x-request-id') ?? undefined
  return { status, headers, requestId, replayed: headers.get('idempotent-replayed') === 'true', attempts }
}

/** The error of an answer that is no success. Only a body with a code is the service's own. */
function refusalOf({ operation, url, key: idempotencyKey }: Prepared, response: Response, bytes: ArrayBuffer): Error {
  const { status, headers } = response
  const problem = parsed(bytes) as Partial<PurserProblem> | undefined
  const retryAfter = secondsOf(headers.get('retry-after'))
  if (typeof problem?.code !== 'string') {
    const target = headers.get('location')
    const answer = `${url} answered with status ${status}${target ? `, a redirect to ${target}` : ''}`
    const detail = status < 500 ? `${answer}: is this the address of Purser?` : answer
    return new PurserConnectionError(operation, 'unexpected_answer', detail, { status, retryAfter, idempotencyKey })
  }
  return new PurserProblem(operation, {
    code: problem.code,
    status,
    title: String(problem.title ?? ''),
    detail: String(problem.detail ?? ''),
    errors: Array.isArray(problem.errors) ? problem.errors.filter((fault) => typeof fault?.message === 'string') : [],
    requestId: problem.requestId ?? headers.get('x-request-id') ?? undefined,
    retryAfter,
    resumeAfter: Number.isSafeInteger(problem.resumeAfter) ? problem.resumeAfter : undefined,
    idempotencyKey,
  })
}

/** The value of a JSON text; undefined for any other text. */
export function parsed(bytes: ArrayBuffer): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    return undefined
  }
}

function secondsOf(header: string | null): number | undefined {
  if (header === null || header === '') return undefined
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return Math.max(0, seconds)
  const at = Date.parse(header)
  return Number.isNaN(at) ? undefined : Math.max(0, (at - Date.now()) / 1000)
}

/** Milliseconds until the next attempt; undefined for an error that another attempt would only repeat. */
export function pauseAfter(
  error: unknown,
  attempt: number,
  longestSeconds = LONGEST_RETRY_AFTER_S,
): number | undefined {
  if (!isPassing(error)) return undefined
  const asked = (error as { retryAfter?: number }).retryAfter ?? 0
  if (asked > longestSeconds) return undefined
  const jitter = Math.random() * Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt)
  return asked * 1000 + jitter
}

/** Whether the cause of an error may pass by itself. */
function isPassing(error: unknown): boolean {
  if (error instanceof PurserConnectionError) {
    const { status } = error
    return status === undefined || status === 408 || status === 429 || (status >= 500 && status !== 501)
  }
  if (!(error instanceof PurserProblem)) return false
  const { code, status } = error
  if (code === 'upstream_outcome_unknown') return false
  if (status === 409) return code === 'idempotency_in_progress'
  return status === 408 || status === 429 || (status >= 500 && status !== 501)
}

/** Waits, and rejects with the signal's reason when it is aborted. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
