import type { FastifyRequest } from 'fastify'
import { clock } from '../../base/clock.ts'
import { veiled } from '../../base/text.ts'
import { knownHolder, operationOf } from '../authenticate.ts'
import { refusalOf } from '../errors.ts'
import { MAX_KEPT_TEXT, textOf } from '../request/body.ts'
import { type SentAnswer, SuccessParts } from '../send.ts'
import { recordedBy } from '../write-handler.ts'
import type { Exchange } from './exchange.ts'
import { type OperationRedaction, REDACTED, redactionFor } from './redact.ts'

/** Tools of ours send it, so that a console does not fill the log that it shows. */
const TOOL_HEADER = 'x-purser-tool'
const MAX_URL = 2_048

/**
 * The exchange of a request that was answered; undefined for one that is not logged: of no organisation, of a tool, or a
 * long poll of the log, which the entry of the one before would end at once.
 */
export function exchangeOf(request: FastifyRequest, answer: SentAnswer, ms: number): Exchange | undefined {
  const holder = knownHolder(request)
  const operation = operationOf(request)
  const { url, raw } = request
  if (!holder || !operation || raw.headers[TOOL_HEADER] !== undefined) return undefined
  if (operation.id === 'listRequests' && url.includes('wait=')) return undefined
  const { status, headers } = answer
  const replayed = !(headers instanceof SuccessParts) && headers['idempotent-replayed'] !== undefined
  const recorded = status < 400 && !replayed ? recordedBy(request) : undefined
  const exchange: Exchange = {
    operation,
    requestId: request.id,
    atMs: clock.nowMs(),
    ms,
    method: request.method,
    url: shownUrl(url, raw.headers['x-service-api-key']),
    status,
    code: refusalOf(request),
    keyId: holder.keyId,
    idempotencyKey: idempotencyKeyOf(request),
    replayed,
    firstEvent: recorded?.first ?? 0,
    lastEvent: recorded?.last ?? 0,
    requestHeaders: raw.rawHeaders,
    requestText: textOf(request),
    requestTruncated: false,
    responseHeaders: headers,
    responseText: undefined,
    responseTruncated: false,
  }
  const redaction = redactionFor(operation)
  addRequest(exchange, request.body, redaction)
  addResponse(exchange, answer, redaction)
  return exchange
}

/** The address, cut, and without the caller's API key, which may have been sent in the wrong place. */
function shownUrl(url: string, key: string | string[] | undefined): string {
  const cut = url.length > MAX_URL ? url.slice(0, MAX_URL) : url
  return typeof key === 'string' && cut.includes(key) ? veiled(cut, [key]) : cut
}

/** The text of most bodies stays as it is. Secrets are taken out at once, so that they do not stay in memory. */
function addRequest(exchange: Exchange, body: unknown, { request }: OperationRedaction): void {
  if (exchange.requestText !== undefined) {
    if (!request.hasSecrets) return
    const { value, truncated } = body === undefined ? { value: undefined, truncated: false } : request.apply(body)
    exchange.requestText = JSON.stringify(value) ?? REDACTED
    exchange.requestTruncated = truncated
  } else if (body !== undefined && body !== null) {
    // Too long to be kept as a text.
    exchange.requestText = JSON.stringify(request.apply(body).value).slice(0, MAX_KEPT_TEXT)
    exchange.requestTruncated = true
  }
}

function addResponse(exchange: Exchange, { status, headers, body }: SentAnswer, redaction: OperationRedaction): void {
  if (body === undefined || body.length === 0) return
  const { response, request } = redaction
  const isLong = body.length > MAX_KEPT_TEXT
  if (typeof body !== 'string') {
    // A problem, or a file.
    if (headers instanceof SuccessParts || !String(headers['content-type']).includes('json')) return
    // The message about malformed JSON quotes it.
    const quotesSecret = request.hasSecrets && exchange.requestText === REDACTED
    exchange.responseText = quotesSecret ? REDACTED : body.toString('utf8', 0, MAX_KEPT_TEXT)
  } else if (response.hasSecrets && status < 400) {
    exchange.responseText = isLong ? REDACTED : JSON.stringify(response.apply(JSON.parse(body)).value)
  } else exchange.responseText = isLong ? body.slice(0, MAX_KEPT_TEXT) : body
  exchange.responseTruncated = isLong
}

function idempotencyKeyOf({ method, raw, body }: FastifyRequest): string | undefined {
  if (method !== 'POST') return undefined
  const header = raw.headers['idempotency-key']
  const key = header ?? (body as { idempotencyKey?: unknown } | null | undefined)?.idempotencyKey
  // Longer ones were refused.
  if (typeof key !== 'string' || key.length > 512 || (header === undefined && !/^[\x21-\x7e]+$/.test(key))) {
    return undefined
  }
  // Bare, or as a structured-field string in quotes.
  return header?.toString().startsWith('"') ? key.slice(1, -1).replace(/\\(.)/g, '$1') : key
}
