import type { Agent } from 'undici'
import { clock } from '../../base/clock.ts'
import { messageOf } from '../../base/message-of.ts'
import { parseRetryAfter } from '../../base/retry-after.ts'
import type { AddressGuard } from './address-guard.ts'

/** The result of one attempt. */
export interface Sent {
  durationMs: number
  /** Null without an answer. */
  responseStatus: number | null
  error: string | null
  /** The beginning of the body of an answer that was no success. */
  response: string | null
  retryAfterMs: number
  /** The header of the same name. */
  userAgent: string
}

export interface Post {
  url: string
  headers: Record<string, string>
  body: string
  /** Removed from the part of the answer that is kept. */
  secrets: string[]
}

export interface Sender {
  send(post: Post): Promise<Sent>
  /** Aborts every request in flight. */
  abort(): void
  close(): Promise<void>
}

export interface SenderOptions {
  guard: AddressGuard
  timeoutMs: number
  userAgent: string
}

/** The media type of every delivery. */
export const CONTENT_TYPE = 'application/json; charset=utf-8'

/** Bytes of an answer that are read; the connection is closed if there are more. */
const MAX_READ = 4_096
/** Characters of an answer that are kept. */
const MAX_KEPT = 200

/** Posts webhooks. Redirects are not followed. */
export function openSender({ guard, timeoutMs, userAgent }: SenderOptions): Sender {
  let agent: Agent | undefined
  const inFlight = new Set<AbortController>()

  async function post({ url, headers, body, secrets }: Post, signal: AbortSignal): Promise<Answered> {
    const { origin, pathname, search } = new URL(url)
    const { openAgent } = await import('./agent.ts')
    agent ??= openAgent(guard)
    const response = await agent.request({
      origin,
      path: pathname + search,
      method: 'POST',
      headers: { 'content-type': CONTENT_TYPE, 'user-agent': userAgent, ...headers },
      body,
      signal,
    })
    const { statusCode } = response
    const start = await startOf(response.body)
    const succeeded = isSuccess(statusCode)
    return {
      responseStatus: statusCode,
      error: succeeded ? null : `answered ${statusCode}`,
      response: succeeded ? null : presentable(start, secrets),
      retryAfterMs: parseRetryAfter(response.headers['retry-after'], clock.nowMs()) ?? 0,
    }
  }

  async function inTime(request: Post): Promise<Answered> {
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(new Error(`no answer within ${timeoutMs / 1_000} s`)), timeoutMs)
    inFlight.add(controller)
    try {
      return await post(request, controller.signal)
    } catch (error) {
      return { responseStatus: null, error: messageOf(error), response: null, retryAfterMs: 0 }
    } finally {
      clearTimeout(timer)
      inFlight.delete(controller)
    }
  }

  return {
    async send(request) {
      const started = clock.elapsedMs()
      const answered = await inTime(request)
      return { durationMs: Math.round(clock.elapsedMs() - started), userAgent, ...answered }
    },
    abort() {
      for (const controller of inFlight) controller.abort(new Error('aborted'))
    },
    close: async () => agent?.destroy(),
  }
}

type Answered = Omit<Sent, 'durationMs' | 'userAgent'>

export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300
}

/** The first bytes of a body. */
async function startOf(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= MAX_READ) break
  }
  return Buffer.concat(chunks).subarray(0, MAX_READ)
}

/** The beginning of an answer, without control characters and without secrets. */
function presentable(bytes: Buffer, secrets: string[]): string | null {
  let text = bytes
    .toString('utf8')
    .replace(/[\p{Cc}\ufffd]+/gu, ' ')
    .trim()
  for (const secret of secrets) text = text.replaceAll(secret, '***').replaceAll(secret.slice('whsec_'.length), '***')
  text = text.replace(/\b(prs|whsec)_[\w+/=]+/g, '***')
  return text === '' ? null : [...text].slice(0, MAX_KEPT).join('')
}
