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
}

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 8_000
/** A service that asks for a longer pause is not waited for: the caller can decide better. */
const LONGEST_RETRY_AFTER_S = 60

/** Sends a request, again where that is safe and may help, and returns the answer of a success. */
export async function send(transport: Transport, request: OutgoingRequest, options: CallOptions): Promise<Received> {
  const prepared = prepare(transport, request, options)
  const retries = options.retries ?? transport.retries
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
  const key = keyOf(request, options)
  const headers = {
    accept: 'application/json',
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...(key !== undefined && { 'idempotency-key': key }),
    ...transport.headers,
    ...options.headers,
    'x-service-api-key': transport.apiKey,
  }
  return {
    operation,
    address: transport.url + path,
    init: { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) },
    key,
    timeoutMs: options.timeoutMs ?? transport.timeoutMs,
    signal: options.signal,
  }
}

/** A POST always carries a key, one for all attempts of a call. PATCH and DELETE have the same effect when repeated. */
function keyOf({ method, body }: OutgoingRequest, { idempotencyKey }: CallOptions): string | undefined {
  if (method !== 'POST') return undefined
  return idempotencyKey ?? (body as { idempotencyKey?: string } | undefined)?.idempotencyKey ?? randomKey()
}

/** Browsers have `randomUUID` on secure pages only. */
function randomKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

async function attemptOnce(transport: Transport, prepared: Prepared, attempt: number): Promise<Received> {
  const { operation, address, init, key, timeoutMs } = prepared
  const timeout = AbortSignal.timeout(timeoutMs)
  const signal = prepared.signal ? AbortSignal.any([prepared.signal, timeout]) : timeout
  try {
    // A redirect would carry the key to another address.
    const response = await transport.fetch(address, { ...init, redirect: 'manual', signal })
    const bytes = await response.arrayBuffer()
    if (response.ok) return { body: bytes, response: infoOf(response, attempt) }
    throw refusalOf(operation, response, bytes, key)
  } catch (error) {
    if (error instanceof PurserProblem || error instanceof PurserConnectionError) throw error
    const more = { idempotencyKey: key, cause: error }
    if (!timeout.aborted) {
      throw new PurserConnectionError(operation, 'unreachable', `${transport.url} cannot be reached`, more)
    }
    throw new PurserConnectionError(operation, 'timeout', `${transport.url} did not answer in time`, more)
  }
}

function infoOf({ status, headers }: Response, attempts: number): ResponseInfo {
  const requestId = headers.get('x-request-id') ?? undefined
  return { status, headers, requestId, replayed: headers.get('idempotent-replayed') === 'true', attempts }
}

/** The error of an answer that is no success. Only a body with a code is the service's own. */
function refusalOf(operation: OperationId, response: Response, bytes: ArrayBuffer, key: string | undefined): Error {
  const { status, headers } = response
  const problem = parsed(bytes) as Partial<PurserProblem> | undefined
  const retryAfter = secondsOf(headers.get('retry-after'))
  if (typeof problem?.code !== 'string') {
    const more = { status, retryAfter, idempotencyKey: key }
    return new PurserConnectionError(operation, 'unexpected_answer', `unexpected answer with status ${status}`, more)
  }
  const { code, title = '', detail = '', errors = [] } = problem
  const requestId = problem.requestId ?? headers.get('x-request-id') ?? undefined
  return new PurserProblem(operation, {
    code,
    status,
    title,
    detail,
    errors,
    requestId,
    retryAfter,
    idempotencyKey: key,
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
