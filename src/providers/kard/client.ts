import type { Logger } from 'pino'
import { clock } from '../../base/clock.ts'
import { type Fault, Problem } from '../../base/problem.ts'
import { jsonOf, openUpstream, problemOfReply, type UpstreamReply, unreadable } from '../upstream.ts'
import { messagesOf } from './mapping.ts'

export interface KardSettings {
  url: string
  tokenUrl: string
  clientId: string
  clientSecret: string
  /** The longest that one call may take. */
  callMs: number
  log: Pick<Logger, 'warn'>
}

export interface KardClient {
  /** What lies there, as JSON; undefined for 404. */
  get(path: string, deadlineMs: number): Promise<unknown>
  close(): Promise<void>
}

export const NAME = 'Kard'

/** Talks to the API with a token from another host, which is fetched once for all who need it. */
export function openKardClient({ url, tokenUrl, clientId, clientSecret, callMs, log }: KardSettings): KardClient {
  const api = openUpstream({ name: NAME, url, callMs, log })
  const authority = openUpstream({ name: `${NAME}'s token host`, url: tokenUrl, callMs, log })
  const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  let held: Token | undefined
  let fetching: Promise<Token> | undefined

  /** A token that has not been refused, and has a while to live. */
  async function token(deadlineMs: number): Promise<Token> {
    if (held && held.untilMs > clock.elapsedMs()) return held
    fetching ??= fetchToken(deadlineMs).finally(() => {
      fetching = undefined
    })
    held = await fetching
    return held
  }

  async function fetchToken(deadlineMs: number): Promise<Token> {
    const reply = await authority.call({
      method: 'POST',
      path: '?grant_type=client_credentials',
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/x-www-form-urlencoded' },
      repeatable: true,
      deadlineMs,
    })
    // What this host says of a refusal may hold what it was sent: it is passed on to nobody.
    if (reply.status === 400) throw problemOfReply(NAME, { ...reply, status: 401 })
    if (reply.status !== 200) throw problemOfReply(NAME, reply)
    return tokenOf(jsonOf(NAME, reply))
  }

  async function send(path: string, { text }: Token, deadlineMs: number): Promise<UpstreamReply> {
    const headers = { authorization: `Bearer ${text}`, accept: 'application/json' }
    return api.call({ method: 'GET', path, headers, repeatable: true, deadlineMs })
  }

  async function get(path: string, deadlineMs: number): Promise<unknown> {
    const first = await token(deadlineMs)
    let reply = await send(path, first, deadlineMs)
    if (reply.status === 401) {
      // Ended before its time. Whoever comes second finds the new one.
      if (held === first) held = undefined
      reply = await send(path, await token(deadlineMs), deadlineMs)
    }
    if (reply.status === 404) return undefined
    if (reply.status === 200) return jsonOf(NAME, reply)
    const errors = faultsOf(reply)
    if (reply.status === 400 || reply.status === 422) throw new Problem('refused_by_provider', { errors })
    throw problemOfReply(NAME, reply, errors)
  }

  function faultsOf({ body }: UpstreamReply): Fault[] {
    const secrets = [clientSecret, basic, ...(held ? [held.text] : [])]
    return messagesOf(body.toString('utf8'), secrets).map((message) => ({ code: 'kard', message }))
  }

  return {
    get,
    close: async () => {
      await Promise.all([api.close(), authority.close()])
    },
  }
}

interface Token {
  text: string
  /** When to fetch another one, as `clock.elapsedMs` counts. */
  untilMs: number
}

/** A tenth of its life, at most a minute, is left over: it must not end on its way. */
function tokenOf(content: unknown): Token {
  const { access_token: text, expires_in: seconds } = (content ?? {}) as Record<string, unknown>
  if (typeof text !== 'string' || !/^[\x21-\x7e]+$/.test(text) || typeof seconds !== 'number') throw unreadable(NAME)
  return { text, untilMs: clock.elapsedMs() + seconds * 1_000 - Math.min(60_000, seconds * 100) }
}
