import type { FastifyRequest } from 'fastify'
import { Problem } from '../base/problem.ts'
import type { Credential } from '../people/sessions.ts'

/** The cookie with the secret of a session. A browser keeps it for this host alone, and shows it to no script. */
export const SESSION_COOKIE = '__Host-purser'
/** Names the organisation in which a person acts, as a URL would write it. */
export const ORGANISATION_HEADER = 'x-purser-organisation'

/** The value of a cookie; undefined if the request has none of this name, or several. */
export function cookieIn({ headers }: Pick<FastifyRequest, 'headers'>, name: string): string | undefined {
  const values = (headers.cookie ?? '').split(';').flatMap((pair) => {
    const at = pair.indexOf('=')
    return pair.slice(0, at).trim() === name ? [pair.slice(at + 1).trim()] : []
  })
  return values.length === 1 ? values[0] : undefined
}

/** The session of a request: of the command line in the header of keys, of a browser in its cookie. A key comes first. */
export function credentialIn(request: FastifyRequest): Credential | undefined {
  const { headers, ip: address } = request
  const key = headers['x-service-api-key']
  if (key === undefined && headers.cookie === undefined) return undefined
  const isCommand = typeof key === 'string' && key.startsWith('prs_ps_')
  const token = isCommand ? key : key === undefined ? cookieIn(request, SESSION_COOKIE) : undefined
  if (token === undefined) return undefined
  return { token, kind: isCommand ? 'command' : 'browser', organisation: organisationIn(headers), address }
}

function organisationIn(headers: FastifyRequest['headers']): string | undefined {
  const sent = headers[ORGANISATION_HEADER]
  if (typeof sent !== 'string') return undefined
  try {
    return decodeURIComponent(sent)
  } catch {
    return sent
  }
}

/**
 * Refuses a request that a page of another site makes with the cookie of a session. Browsers name the site of every request
 * that they make, and the origin of every change; a change that names neither is refused.
 */
export function refuseCrossSite({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>, own?: string): void {
  const { origin, host } = headers
  const site = headers['sec-fetch-site']
  const isOwn = own === undefined ? origin === `https://${host}` || origin === `http://${host}` : origin === own
  const isRead = method === 'GET' || method === 'HEAD'
  const isSame = origin === undefined ? site === 'same-origin' || (site === undefined && isRead) : isOwn
  if (isSame && (site === undefined || site === 'same-origin')) return
  throw new Problem('forbidden', {
    detail: 'The request came from a page of another site, which cannot act for the person who is signed in.',
  })
}
