import type { Logger } from 'pino'
import { clock } from '../../base/clock.ts'
import { type Fault, Problem } from '../../base/problem.ts'
import { openUpstream, type UpstreamReply, type UpstreamRequest } from '../upstream.ts'
import { isTransient, jsonOf, problemOfReply, unreadable } from '../upstream-problems.ts'
import { isKardsError, messagesOf } from './messages.ts'

export interface KardSettings {
  url: string
  tokenUrl: string
  /** Where the grant type of a token request stands: in a form, or in the query, as the former token host expects it. */
  token: 'form' | 'query'
  clientId: string
  clientSecret: string
  /** The name and version of this service. */
  userAgent?: string
  /** Time limit of one call. */
  callMs: number
  log: Pick<Logger, 'warn'>
}

export interface KardClient {
  /** Reads JSON; undefined for 404. */
  get(path: string, deadlineMs: number): Promise<unknown>
  /** Sends an event, and returns the JSON of the answer. */
  post(path: string, event: KardEvent, deadlineMs: number): Promise<unknown>
  close(): Promise<void>
}

interface KardEvent {
  /** JSON; absent if the path says it all. */
  content?: unknown
  /** Whether it has one effect when it is sent twice. */
  repeatable: boolean
}

export const NAME = 'Kard'
const TOKEN_HOST = "Kard's token host"
const GRANT = 'grant_type=client_credentials'
/** The life of a token by Kard's documentation, for an answer that does not contain it. */
const TOKEN_SECONDS = 3_600

type Call = Pick<UpstreamRequest, 'method' | 'path' | 'body' | 'repeatable' | 'deadlineMs'>

/** Opens a client of the API. Its token comes from another host and is fetched once for all calls that need it. */
export function openKardClient(settings: KardSettings): KardClient {
  const { url, tokenUrl, clientId, clientSecret, userAgent, callMs, log } = settings
  const api = openUpstream({ name: NAME, url, callMs, log })
  const authority = openUpstream({ name: TOKEN_HOST, url: tokenUrl, callMs, log })
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  const secrets = [clientSecret, basic]
  const agent = userAgent ? { 'user-agent': userAgent } : {}
  let current: Token | undefined
  let fetching: Promise<Token> | undefined

  /** A token that was not refused and does not expire soon. */
  async function token(deadlineMs: number): Promise<Token> {
    if (current && current.untilMs > clock.elapsedMs()) return current
    // The token is known before the attempt ends: a call between the two would fetch another one.
    fetching ??= fetchToken(deadlineMs)
      .then((fetched) => {
        current = fetched
        return fetched
      })
      .finally(() => {
        fetching = undefined
      })
    return fetching
  }

  async function fetchToken(deadlineMs: number): Promise<Token> {
    const reply = await authority.call({
      method: 'POST',
      ...(settings.token === 'form' ? { path: '', body: GRANT } : { path: `?${GRANT}` }),
      headers: { ...agent, authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
      repeatable: true,
      deadlineMs,
    })
    if (reply.status === 200) return tokenOf(jsonOf(TOKEN_HOST, reply))
    const errors = faultsOf(reply, [...secrets, clientId])
    logRefusal(log, { upstream: TOKEN_HOST, method: 'POST', path: '' }, reply, errors)
    // By the rules of OAuth, wrong credentials may be 400, too.
    throw problemOfReply(TOKEN_HOST, reply.status === 400 ? { ...reply, status: 401 } : reply, errors)
  }

  async function send(call: Call, { text }: Token): Promise<UpstreamReply> {
    const content = call.body === undefined ? {} : { 'content-type': 'application/json' }
    const headers = { ...agent, ...content, authorization: `Bearer ${text}`, accept: 'application/json' }
    return api.call({ ...call, headers })
  }

  /** Returns a reply, and throws the problem of one that is neither a success nor Kard's own 404. */
  async function answerOf(call: Call): Promise<{ reply: UpstreamReply; errors: Fault[] }> {
    const first = await token(call.deadlineMs)
    let last = first
    let reply = await send(call, first)
    if (reply.status === 401) {
      // The token ended early. A call that comes second finds the new one.
      if (current === first) current = undefined
      last = await token(call.deadlineMs)
      reply = await send(call, last)
    }
    if (reply.status >= 200 && reply.status < 300) return { reply, errors: [] }
    const errors = faultsOf(reply, [...secrets, first.text, last.text])
    logRefusal(log, { upstream: NAME, method: call.method, path: call.path.split('?')[0] }, reply, errors)
    requireAbsence(reply, errors)
    return { reply, errors }
  }

  return {
    async get(path, deadlineMs) {
      const { reply } = await answerOf({ method: 'GET', path, repeatable: true, deadlineMs })
      return reply.status === 404 ? undefined : jsonOf(NAME, reply)
    },
    async post(path, { content, repeatable }, deadlineMs) {
      const body = content === undefined ? {} : { body: JSON.stringify(content) }
      const { reply, errors } = await answerOf({ method: 'POST', path, repeatable, deadlineMs, ...body })
      if (reply.status === 404) throw new Problem('refused_by_provider', { errors })
      return jsonOf(NAME, reply)
    },
    close: async () => {
      await Promise.all([api.close(), authority.close()])
    },
  }
}

/** Throws the problem of a refusal, but for a 404 in Kard's form. */
function requireAbsence(reply: UpstreamReply, errors: Fault[]): void {
  const isKards = isKardsError(reply.body.toString('utf8'))
  if (reply.status === 404 && isKards) return
  // A refusal without a reason is not Kard's: the address or the form of the request is wrong, not what the caller sent.
  const isRefusal = reply.status === 400 || reply.status === 422
  if (isRefusal && isKards) throw new Problem('refused_by_provider', { errors })
  throw problemOfReply(NAME, reply, errors)
}

/** Logs a refusal: an empty list does not show a wrong setting, such as the organisation's id. */
function logRefusal(log: KardSettings['log'], call: object, { status }: UpstreamReply, errors: Fault[]): void {
  if (isTransient(status)) return
  const reasons = errors.map(({ message }) => message)
  log.warn({ ...call, status, reasons }, 'upstream call was refused')
}

/** The errors of a reply in Kard's words, without the secrets that were sent. */
function faultsOf({ body }: UpstreamReply, secrets: string[]): Fault[] {
  return messagesOf(body.toString('utf8'), secrets).map((message) => ({ code: 'kard', message }))
}

interface Token {
  text: string
  /** When to fetch another one, on the clock of `clock.elapsedMs`. */
  untilMs: number
}

/** Reads a token. It is replaced a tenth of its life before it ends, at most a minute, so that it does not end on its way. */
function tokenOf(content: unknown): Token {
  const { access_token: text, expires_in: given } = (content ?? {}) as Record<string, unknown>
  const seconds = given ?? TOKEN_SECONDS
  if (typeof text !== 'string' || !/^[\x21-\x7e]+$/.test(text) || typeof seconds !== 'number')
    throw unreadable(TOKEN_HOST, 'the answer has no token')
  return { text, untilMs: clock.elapsedMs() + seconds * 1_000 - Math.min(60_000, seconds * 100) }
}
