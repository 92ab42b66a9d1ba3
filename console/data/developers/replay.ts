import type { LoggedRequestDetail } from '../../../client/src/index.ts'
import { presentKey } from '../session.ts'
import { jsonOf } from './exchange.ts'

/** An answer of the service, as it came. */
export interface Answer {
  status: number
  ms: number
  headers: Record<string, string>
  body: string
  requestId: string | undefined
  replayed: boolean
  idempotencyKey: string | undefined
}

/**
 * Sends a logged request again, with the key of this tab. Unlike the console's own requests it gets into the log, so it
 * does not go through the client, which would also repeat it.
 */
export async function replay(logged: LoggedRequestDetail, idempotencyKey: string | undefined): Promise<Answer> {
  const { method, path, query, request } = logged
  const body = bodyOf(request.body, idempotencyKey)
  const startedMs = performance.now()
  const response = await fetch(query === null ? path : `${path}?${query}`, {
    method,
    headers: headersOf(request.headers, idempotencyKey),
    ...(body !== null && { body }),
    redirect: 'manual',
  })
  const text = await response.text()
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    ms: performance.now() - startedMs,
    body: text,
    requestId: response.headers.get('x-request-id') ?? undefined,
    replayed: response.headers.get('idempotent-replayed') === 'true',
    idempotencyKey,
  }
}

/** Some bodies carry the key, too. */
function bodyOf(text: string | null, idempotencyKey: string | undefined): string | null {
  const body = jsonOf(text) as { idempotencyKey?: string } | null | undefined
  if (!body?.idempotencyKey || idempotencyKey === undefined) return text
  return JSON.stringify({ ...body, idempotencyKey })
}

function headersOf(logged: Record<string, string>, idempotencyKey: string | undefined): Record<string, string> {
  const type = logged['content-type']
  return {
    accept: 'application/json',
    'x-service-api-key': presentKey() ?? '',
    ...(type !== undefined && { 'content-type': type }),
    ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
  }
}

/** A key that was not used before. */
export function newKey(): string {
  return `replay-${Date.now().toString(36)}-${crypto.getRandomValues(new Uint32Array(1))[0]?.toString(36)}`
}
