import type { OutgoingHttpHeaders } from 'node:http'
import { instantOf } from '../../base/clock.ts'
import { fileTypesOf } from '../../base/operation.ts'
import { veiled } from '../../base/text.ts'
import type { LoggedMessage, LoggedRequest } from '../../events/requests/logged-request.ts'
import { addressOf } from '../request/address.ts'
import { SuccessParts, successHeaders } from '../send.ts'
import type { Exchange } from './exchange.ts'
import { isSecretName, REDACTED, type Redaction, redactionFor } from './redact.ts'

/** An entry of the list of requests. */
export function entryOf(exchange: Exchange, sequence: number, id: string): LoggedRequest {
  const { requestId, url, idempotencyKey } = exchange
  const { path, search } = addressOf(url)
  return {
    sequence,
    id,
    requestId,
    at: instantOf(exchange.atMs - exchange.ms),
    operation: exchange.operation.id,
    method: exchange.method,
    path,
    query: search === '' ? null : shownQuery(search),
    status: exchange.status,
    code: exchange.code ?? null,
    ms: exchange.ms,
    apiKeyId: String(exchange.keyId),
    idempotencyKey: idempotencyKey ?? null,
    replayed: exchange.replayed,
  }
}

/** The request and its answer with headers and bodies, without secrets. */
export function messagesOf(exchange: Exchange): { request: LoggedMessage; response: LoggedMessage } {
  const { operation, requestHeaders, requestText, requestTruncated, responseText, responseTruncated } = exchange
  const sent = pairsOf(requestHeaders)
  const keys = keysIn(sent)
  return {
    request: {
      headers: shownHeaders(sent, keys),
      body: requestText === undefined ? null : veiled(shownJson(requestText, redactionFor(operation).request), keys),
      truncated: requestTruncated,
    },
    response: {
      headers: shownHeaders(listOf(headersOf(exchange)), keys),
      // Answers have the members of their schema, whose secrets were taken out before.
      body: responseText === undefined ? null : veiled(responseText, keys),
      truncated: responseTruncated,
    },
  }
}

/** A query string in which the values of parameters with the name of a secret are hidden. */
function shownQuery(search: string): string {
  if (!isSecretName(search)) return search
  const pairs = search.split('&').map((pair) => {
    const name = pair.split('=', 1)[0] ?? ''
    return isSecretName(name) ? `${name}=${REDACTED}` : pair
  })
  return pairs.join('&')
}

/** The headers of an answer; those of a plain success are put together again. */
function headersOf({ responseHeaders, requestId, operation }: Exchange): OutgoingHttpHeaders {
  if (!(responseHeaders instanceof SuccessParts)) return responseHeaders
  return successHeaders(requestId, responseHeaders, fileTypesOf(operation)[0], operation.secret)
}

function pairsOf(headers: string[]): [name: string, value: string][] {
  const pairs: [string, string][] = []
  for (let at = 0; at + 1 < headers.length; at += 2) pairs.push([`${headers[at]}`.toLowerCase(), `${headers[at + 1]}`])
  return pairs
}

/** The API key of a request: its owner may have sent it in a wrong place, too. */
function keysIn(pairs: [name: string, value: string][]): string[] {
  return pairs.flatMap(([name, value]) => (name === 'x-service-api-key' && value !== '' ? [value] : []))
}

function listOf(headers: OutgoingHttpHeaders): [name: string, value: string][] {
  return Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value].flat().join(', ')])
}

function shownHeaders(pairs: [name: string, value: string][], keys: string[]): Record<string, string> {
  const headers = new Map<string, string>()
  for (const [name, value] of pairs) {
    const shown = isSecretName(name) ? REDACTED : veiled(value, keys)
    const before = headers.get(name)
    headers.set(name, before === undefined || shown === REDACTED ? shown : `${before}, ${shown}`)
  }
  return Object.fromEntries(headers)
}

/** A body as it was, or a copy if members of it have the name of a secret. It has at most 10 KB, so parsing is quick. */
function shownJson(text: string, redaction: Redaction): string {
  if (!isSecretName(text)) return text
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    // Malformed: its members are not known.
    return REDACTED
  }
  const { value, changed } = redaction.apply(parsed)
  return changed ? JSON.stringify(value) : text
}
