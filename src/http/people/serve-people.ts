import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { unauthorized } from '../../access/api-key.ts'
import { Problem } from '../../base/problem.ts'
import { type Database, DatabaseUnavailable } from '../../database/database.ts'
import type { RecordIds } from '../../database/record-ids.ts'
import { personOfPasskey, register, registrationOptions, signInOptions } from '../../people/passkeys.ts'
import { openProvider, type Provider, SIGN_IN_MS } from '../../people/provider.ts'
import { beginSession, endSessions, IDLE_MS, LENGTH_MS, listSessions, type Sessions } from '../../people/sessions.ts'
import { originOf, type PeopleSettings } from '../../people/settings.ts'
import type { Gate } from '../authenticate.ts'
import { type Hosts, hostCheck } from '../hosts.ts'
import { refuseOtherMethods } from '../request/served-paths.ts'
import { cookieIn, credentialIn, refuseCrossSite, SESSION_COOKIE } from '../session-cookie.ts'

export interface PeopleParts {
  /** The database of the home cell. */
  database: Database
  ids: RecordIds
  sessions: Sessions
  settings: PeopleSettings
  hosts: Hosts
  limits: Gate['limits']
}

const MAX_BODY = 64 * 1024

type Body = Record<string, unknown>
type Handler = (body: Body, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/**
 * Serves the sign-in of persons to the console. It is no part of the interface: every request has to come from a page of this
 * host, and answers go to that page alone.
 */
export function servePeople(app: FastifyInstance, parts: PeopleParts): void {
  const { database, ids, settings, limits } = parts
  const provider = settings.provider && openProvider({ database, ids }, settings.provider)
  if (provider) serveProvider(app, parts, provider)
  const check = hostCheck(parts.hosts)
  const post = (name: string, handle: Handler) => {
    const url = `/session/${name}`
    app.post(url, { onRequest: check, bodyLimit: MAX_BODY }, async (request, reply) => {
      refuseCrossSite(request, settings.origin)
      const { body } = request
      const data = await handle(typeof body === 'object' && body !== null ? (body as Body) : {}, request, reply)
      return reply.header('Cache-Control', 'no-store').send({ data: data ?? null })
    })
    refuseOtherMethods(app, url, ['POST'])
  }
  /** Counts a sign-in that fails as a guess of its address. */
  const guarded = (handle: Handler): Handler => {
    return async (body, request, reply) => {
      const refusal = limits?.lockout(request.ip)
      if (refusal) throw refusal
      return handle(body, request, reply).catch((error: unknown) => {
        if (error instanceof Problem && error.code === 'forbidden') limits?.failed(request.ip)
        throw error
      })
    }
  }
  post('ways', async (_body, request) => ({
    passkeys: originOf(settings, request.headers.host) !== undefined,
    keys: settings.keys,
    provider: provider !== undefined,
    signedIn: await signedIn(parts, request).then(
      () => true,
      (error: unknown) => error instanceof DatabaseUnavailable,
    ),
  }))
  post(
    'invitation',
    guarded(async ({ invitation }, request) =>
      registrationOptions(database, requireOrigin(settings, request), typeof invitation === 'string' ? invitation : ''),
    ),
  )
  post(
    'registration',
    guarded(async ({ response }, request, reply) => {
      const personId = await register(database, requireOrigin(settings, request), answerOf(response))
      await signIn(parts, personId, request, reply)
    }),
  )
  post('challenge', async (_body, request) => signInOptions(database, requireOrigin(settings, request)))
  post(
    'passkey',
    guarded(async ({ response }, request, reply) => {
      const personId = await personOfPasskey(database, requireOrigin(settings, request), answerOf(response))
      await signIn(parts, personId, request, reply)
    }),
  )
  post('list', async (_body, request) => {
    const { id, sessionId } = await signedIn(parts, request)
    const rows = await listSessions(database, id, IDLE_MS)
    return rows.map((row) => ({ ...row, id: String(row.id), current: row.id === sessionId }))
  })
  post('end', async ({ id: asked }, request, reply) => {
    const { id, sessionId } = await signedIn(parts, request)
    const ended = asked === undefined ? sessionId : Number(asked)
    if (!Number.isSafeInteger(ended)) throw new Problem('route_not_found', { detail: 'There is no such session.' })
    await endSessions(database, id, ended)
    await parts.sessions.forget()
    if (ended === sessionId) reply.header('Set-Cookie', cookieOf('', 0))
  })
}

/** The state of a sign-in at the provider: it comes back with a page of another site, and so is not strict. */
const STATE_COOKIE = '__Host-purser-sign-in'

/** Sends a browser to the identity provider, and signs its person in when it comes back. Both lead to fixed addresses. */
function serveProvider(app: FastifyInstance, parts: PeopleParts, provider: Provider): void {
  const { settings, limits } = parts
  const onRequest = hostCheck(parts.hosts)
  const redirect = (reply: FastifyReply, cookies: string[], url: string) =>
    reply.code(303).header('Cache-Control', 'no-store').header('Set-Cookie', cookies).header('Location', url).send()
  app.get('/session/provider', { onRequest }, async (request, reply) => {
    const { url, state } = await provider.begin(requireOrigin(settings, request))
    return redirect(reply, [cookieOf(state, SIGN_IN_MS / 1_000, STATE_COOKIE, 'Lax')], url)
  })
  app.get('/session/callback', { onRequest }, async (request, reply) => {
    const refusal = limits?.lockout(request.ip)
    if (refusal) throw refusal
    const { search } = new URL(request.url, 'http://localhost')
    const personId = await provider
      .finish(requireOrigin(settings, request), search.slice(1), cookieIn(request, STATE_COOKIE) ?? '')
      .catch((error: unknown) => {
        limits?.failed(request.ip)
        throw error
      })
    const session = await sessionCookie(parts, personId, request)
    return redirect(reply, [session, cookieOf('', 0, STATE_COOKIE, 'Lax')], '/console')
  })
}

/** The person of a request, and the session. */
async function signedIn({ sessions }: PeopleParts, request: FastifyRequest) {
  const credential = credentialIn(request)
  const holder = credential && (await sessions.authenticate(credential))
  if (!holder?.person) throw unauthorized()
  return holder.person
}

async function signIn(
  parts: PeopleParts,
  personId: number,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  reply.header('Set-Cookie', await sessionCookie(parts, personId, request))
}

/** Begins a session with a secret of its own, whatever cookie the browser had before. */
async function sessionCookie(
  { database, ids }: PeopleParts,
  personId: number,
  request: FastifyRequest,
): Promise<string> {
  const agent = request.headers['user-agent']
  const token = await beginSession({ database, ids }, { personId, kind: 'browser', address: request.ip, agent })
  return cookieOf(token, LENGTH_MS / 1_000)
}

function cookieOf(value: string, seconds: number, name = SESSION_COOKIE, sameSite = 'Strict'): string {
  return `${name}=${value}; Path=/; Max-Age=${seconds}; Secure; HttpOnly; SameSite=${sameSite}`
}

/** The answer of a browser's device. The library that verifies it checks its form. */
function answerOf(response: unknown) {
  if (typeof response !== 'object' || response === null) {
    throw new Problem('forbidden', { detail: 'The passkey could not be verified. Try again.' })
  }
  return response as never
}

function requireOrigin(settings: PeopleSettings, { headers }: FastifyRequest): string {
  const origin = originOf(settings, headers.host)
  if (origin !== undefined) return origin
  throw new Problem('forbidden', {
    detail: 'Passkeys need a host name: open the console at localhost in a sandbox, or set PURSER_CONSOLE_ORIGIN.',
  })
}
