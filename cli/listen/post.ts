import type { Agent as HttpAgent, IncomingMessage } from 'node:http'
import type { Agent as HttpsAgent } from 'node:https'
import { moduleOf } from '../http-fetch.ts'

/** A webhook request to the app. */
export interface Post {
  target: URL
  headers: Record<string, string>
  body: string
}

/** The result of one attempt. */
export interface Answer {
  /** Null without an answer. */
  status: number | null
  ms: number
  /** The beginning of the body. */
  body: string
  /** Why there is no answer, or none that counts. */
  error: string | null
  /** The pause that the app asks for. */
  retryAfterMs: number
}

export type Agent = HttpAgent | HttpsAgent

/** Bytes of an answer that are read; the connection is closed if there are more. */
const MAX_READ = 4_096
/** Characters of an answer that are shown. */
const MAX_SHOWN = 200
const MAX_HEADERS = 16_384

/** Connections that are kept open between requests. One pool serves one target. */
export function agentFor({ protocol }: URL, maxSockets: number): Agent {
  const options = { keepAlive: true, maxSockets, timeout: 4_000 }
  return new (moduleOf(protocol).Agent)(options)
}

/** Sends one request and waits for its answer, as long as the service itself would. Redirects are not followed. */
export async function send(post: Post, agent: Agent, timeoutMs: number, signal: AbortSignal): Promise<Answer> {
  const started = performance.now()
  const timeout = AbortSignal.timeout(timeoutMs)
  const answer = { status: null, body: '', error: null, retryAfterMs: 0 }
  try {
    const response = await responseTo(post, agent, AbortSignal.any([timeout, signal]))
    const body = await startOf(response)
    const status = response.statusCode ?? null
    const error = redirectIn(response)
    return { ...answer, status, body, error, retryAfterMs: pauseIn(response), ms: elapsed(started) }
  } catch (error) {
    const reason = timeout.aborted ? `no answer within ${timeoutMs / 1_000} s` : reasonOf(error, post.target)
    return { ...answer, error: reason, ms: elapsed(started) }
  }
}

/** A remark on a redirect, as of an app that adds a slash or wants https. */
function redirectIn({ statusCode = 0, headers: { location } }: IncomingMessage): string | null {
  return statusCode >= 300 && statusCode < 400 && location ? `redirects are not followed: ${location}` : null
}

function elapsed(started: number): number {
  return Math.round(performance.now() - started)
}

function responseTo({ target, headers, body }: Post, agent: Agent, signal: AbortSignal): Promise<IncomingMessage> {
  const { request } = moduleOf(target.protocol)
  const length = { 'content-length': String(Buffer.byteLength(body)) }
  const options = { method: 'POST', agent, headers: { ...headers, ...length }, maxHeaderSize: MAX_HEADERS, signal }
  return new Promise((found, failed) => {
    request(target, options).once('response', found).once('error', failed).end(body)
  })
}

/** The first bytes of a body, as text of at most 200 characters. */
async function startOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response) {
    chunks.push(chunk)
    length += chunk.length
    if (length >= MAX_READ) break
  }
  const text = Buffer.concat(chunks).subarray(0, MAX_READ).toString('utf8').trim()
  const characters = [...text]
  return characters.length > MAX_SHOWN ? `${characters.slice(0, MAX_SHOWN).join('')}…` : text
}

/** `Retry-After` in seconds or as a date. */
function pauseIn({ headers }: IncomingMessage): number {
  const text = headers['retry-after'] ?? ''
  const seconds = /^\d{1,9}$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000
  return seconds > 0 ? seconds * 1_000 : 0
}

function reasonOf(error: unknown, { host }: URL): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ECONNREFUSED') return `nothing listens on ${host}: is the app running?`
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `the name of ${host} cannot be resolved`
  if (code === 'ECONNRESET') return 'the app closed the connection without an answer'
  if (/CERT|SELF_SIGNED|UNABLE_TO_VERIFY/.test(code ?? '')) {
    return `the certificate of ${host} is not trusted (${code}): name its authority in NODE_EXTRA_CA_CERTS`
  }
  if (code === 'EPROTO') return `${host} does not speak TLS: forward to http://${host}`
  return message || String(code ?? error)
}
