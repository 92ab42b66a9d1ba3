import { Agent } from 'undici'
import { clock } from '../../base/clock.ts'
import { messageOf } from '../../base/message-of.ts'
import { parseRetryAfter } from '../../base/retry-after.ts'
import type { AddressGuard } from './address-guard.ts'

/** What came of one try to deliver. */
export interface Sent {
  at: string
  durationMs: number
  /** Null where no answer came. */
  responseStatus: number | null
  error: string | null
  /** How the body of an answer that was no success begins. */
  response: string | null
  retryAfterMs: number
}

export interface Post {
  url: string
  headers: Record<string, string>
  body: string
  /** Not to be found in what is kept of the answer. */
  secrets: string[]
}

export interface Sender {
  send(post: Post): Promise<Sent>
  /** Gives up everything that is being sent. */
  abort(): void
  close(): Promise<void>
}

export interface SenderOptions {
  guard: AddressGuard
  timeoutMs: number
  userAgent: string
}

const MAX_READ = 4_096
const MAX_KEPT = 200

/** Posts webhooks. A redirect is an answer like any other, and no success. */
export function openSender({ guard, timeoutMs, userAgent }: SenderOptions): Sender {
  const agent = new Agent({ connect: guard.connect, maxHeaderSize: 16_384, allowH2: false })
  const underWay = new Set<AbortController>()

  async function post({ url, headers, body, secrets }: Post, ended: AbortSignal): Promise<Answered> {
    const { origin, pathname, search } = new URL(url)
    const response = await agent.request({
      origin,
      path: pathname + search,
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', 'user-agent': userAgent, ...headers },
      body,
      signal: ended,
      // The time for the whole is watched over by the signal.
      headersTimeout: 0,
      bodyTimeout: 0,
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

  async function inTime(what: Post): Promise<Answered> {
    const ended = new AbortController()
    const timer = setTimeout(() => ended.abort(new Error(`no answer within ${timeoutMs / 1_000} s`)), timeoutMs)
    underWay.add(ended)
    try {
      return await post(what, ended.signal)
    } catch (error) {
      return { responseStatus: null, error: messageOf(error), response: null, retryAfterMs: 0 }
    } finally {
      clearTimeout(timer)
      underWay.delete(ended)
    }
  }

  return {
    async send(what) {
      const at = clock.now().toISOString()
      const started = clock.elapsedMs()
      const answered = await inTime(what)
      return { at, durationMs: Math.round(clock.elapsedMs() - started), ...answered }
    },
    abort() {
      for (const ended of underWay) ended.abort(new Error('given up'))
    },
    close: () => agent.destroy(),
  }
}

type Answered = Omit<Sent, 'at' | 'durationMs'>

export function isSuccess(status: number | null): boolean {
  return status !== null && status >= 200 && status < 300
}

/** The first bytes of a body. Whoever sends more is hung up on. */
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

/** As much of an answer as helps to find a fault: no control characters, no key of anybody. */
function presentable(bytes: Buffer, secrets: string[]): string | null {
  let text = bytes
    .toString('utf8')
    .replace(/[\p{Cc}\ufffd]+/gu, ' ')
    .trim()
  for (const secret of secrets) text = text.replaceAll(secret, '***').replaceAll(secret.slice('whsec_'.length), '***')
  text = text.replace(/\b(prs|whsec)_[\w+/=]+/g, '***')
  return text === '' ? null : [...text].slice(0, MAX_KEPT).join('')
}
