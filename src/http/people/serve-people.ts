import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { unauthorized } from '../../access/api-key.ts'
import type { KeyHolder } from '../../access/authenticate-key.ts'
import { Problem } from '../../base/problem.ts'
import { type Database, DatabaseUnavailable } from '../../database/database.ts'
import type { RecordIds } from '../../database/record-ids.ts'
import { openAdministration } from '../../people/administration.ts'
import { allowCommandLine, exchangeCode } from '../../people/command-line.ts'
import type { Entries } from '../../people/entries.ts'
import { canSignIn } from '../../people/manage-people.ts'
import { personOfPasskey, register, registrationOptions, signInOptions } from '../../people/passkeys.ts'
import { openProvider, type Provider, SIGN_IN_MS } from '../../people/provider.ts'
import { openRefusedSignIns, RefusedSignIn } from '../../people/refused-sign-ins.ts'
import { rolesWith } from '../../people/roles.ts'
import {
  beginSession,
  endSessionIn,
  IDLE_MS,
  LENGTH_MS,
  listSessions,
  type SessionKind,
  type Sessions,
  sessionOf,
  type UsableSession,
} from '../../people/sessions.ts'
import { consoleOf, originOf, type PeopleSettings } from '../../people/settings.ts'
import type { Gate } from '../authenticate.ts'
import { type Hosts, hostCheck } from '../hosts.ts'
import { openSignInStarts } from '../limits/sign-in-starts.ts'
import { refuseOtherMethods } from '../request/served-paths.ts'
import { cookieIn, credentialIn, refuseCrossSite, SESSION_COOKIE } from '../session-cookie.ts'
import { serveAdministration } from './serve-administration.ts'

export interface PeopleParts {
  /** The database of the home cell. */
  database: Database
  ids: RecordIds
  sessions: Sessions
  entries: Entries
  settings: PeopleSettings
  hosts: Hosts
  gate: Gate
  /** Whether two persons have agreed on the rights of a person; absent if no rule asks for it. */
  isPermitted: ((holder: KeyHolder, recordId: string) => Promise<boolean>) | undefined
}

/** The parts of a sign-in. */
interface SignInParts extends PeopleParts {
  limits: Gate['limits']
  /** Counts a sign-in that begins. */
  begun(address: string): void
  /** Notes and counts a sign-in that fails. */
  failed(error: unknown, address: string): Promise<void>
}

const MAX_BODY = 64 * 1024

type Body = Record<string, unknown>
type Handler = (body: Body, request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
/** Serves a path to pages of this host, or to any caller. */
type Post = (name: string, handle: Handler, options?: { callers: 'page' | 'any' }) => void
type Guarded = (handle: Handler) => Handler

/**
 * Serves the sign-in of persons to the console. It is no part of the interface: every request has to come from a page of this
 * host, and answers go to that page alone.
 */
export function servePeople(app: FastifyInstance, people: PeopleParts): void {
  const { database, ids, settings } = people
  const parts = signInParts(people)
  const administration = openAdministration({ database, ids, roles: rolesWith(settings.roles) })
  serveAdministration(app, { ...people, administration })
  const { limits } = parts
  const provider = settings.provider && openProvider({ database, ids }, settings.provider)
  if (provider) serveProvider(app, parts, provider)
  const check = hostCheck(parts.hosts)
  const post: Post = (name, handle, { callers } = { callers: 'page' }) => {
    const url = `/session/${name}`
    app.post(url, { onRequest: check, bodyLimit: MAX_BODY }, async (request, reply) => {
      // The command line sends its secret itself; a browser adds the cookie to whatever a page sends.
      if (callers === 'page' && credentialIn(request)?.kind !== 'command') refuseCrossSite(request, settings.origin)
      const { body } = request
      const data = await handle(typeof body === 'object' && body !== null ? (body as Body) : {}, request, reply)
      return reply.header('Cache-Control', 'no-store').send({ data: data ?? null })
    })
    refuseOtherMethods(app, url, ['POST'])
  }
  /** Counts a sign-in that fails as a guess of its address. */
  const guarded: Guarded = (handle) => {
    return async (body, request, reply) => {
      const refusal = limits?.lockout(request.ip)
      if (refusal) throw refusal
      return handle(body, request, reply).catch(async (error: unknown) => {
        await parts.failed(error, request.ip)
        throw error
      })
    }
  }
  post('ways', async (_body, request) => ({
    passkeys: originOf(settings, request.headers.host) !== undefined,
    keys: settings.keys,
    provider: provider !== undefined,
    signedIn: await isSignedIn(parts, request),
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
      const signed = await register(database, requireOrigin(settings, request), answerOf(response))
      await signIn(parts, signed, request, reply)
    }),
  )
  post('challenge', async (_body, request) => {
    const origin = requireOrigin(settings, request)
    parts.begun(request.ip)
    return signInOptions(database, origin)
  })
  post(
    'passkey',
    guarded(async ({ response }, request, reply) => {
      const signed = await personOfPasskey(database, requireOrigin(settings, request), answerOf(response))
      await signIn(parts, signed, request, reply)
    }),
  )
  post('list', async (_body, request) => {
    const { id, personId } = await ownSession(parts, request)
    const rows = await listSessions(database, personId, IDLE_MS)
    return rows.map((row) => ({ ...row, id: String(row.id), current: row.id === id }))
  })
  post('end', async ({ id: asked }, request, reply) => {
    const { id, personId } = await ownSession(parts, request)
    const ended = asked === undefined ? id : sessionIdOf(asked)
    const by = { personId, sessionId: id, address: request.ip }
    await database.transaction((transaction) => endSessionIn(transaction, { personId, sessionId: ended }, by))
    await parts.sessions.forget()
    parts.entries.wake()
    if (ended === id) reply.header('Set-Cookie', cookieOf('', 0))
  })
  serveCommandLine(parts, post, guarded)
}

function signInParts(parts: PeopleParts): SignInParts {
  const { limits } = parts.gate
  const starts = limits && openSignInStarts()
  const note = openRefusedSignIns(parts.database)
  return {
    ...parts,
    limits,
    begun: (address) => starts?.(address),
    async failed(error, address) {
      if (error instanceof Problem && error.code === 'forbidden') limits?.failed(address)
      if (!(error instanceof RefusedSignIn)) return
      await note(error, address)
      parts.entries.wake()
    },
  }
}

/** Signs a person in for the command line, by a browser in which the person has signed in. */
function serveCommandLine({ database, ids, settings, ...parts }: SignInParts, post: Post, guarded: Guarded): void {
  const others = { callers: 'any' } as const
  const begin: Handler = async (_body, { headers }) => {
    const origin = consoleOf(settings, headers.host)
    if (origin !== undefined && (settings.provider || (await canSignIn(database)))) return { console: origin }
    throw new Problem('forbidden', {
      detail: `Nobody can sign in yet: ${origin === undefined ? 'PURSER_CONSOLE_ORIGIN is not set' : 'purser people invite invites a person'}.`,
    })
  }
  post('login', begin, others)
  post('allow', async ({ challenge }, request) => {
    // A session of the command line makes no others.
    const session = await ownSession({ database, ...parts }, request, 'browser')
    return { code: await allowCommandLine(database, session, challenge) }
  })
  const exchange = guarded(async ({ code, verifier }, { ip: address, headers }) => {
    const token = await exchangeCode({ database, ids }, { code, verifier, address, agent: headers['user-agent'] })
    parts.entries.wake()
    return { token }
  })
  post('exchange', exchange, others)
}

function sessionIdOf(text: unknown): number {
  const id = typeof text === 'string' ? Number(text) : Number.NaN
  if (Number.isSafeInteger(id)) return id
  throw new Problem('route_not_found', { detail: 'There is no such session.' })
}

/** The state of a sign-in at the provider: it comes back with a page of another site, and so is not strict. */
const STATE_COOKIE = '__Host-purser-sign-in'

/** Sends a browser to the identity provider, and signs its person in when it comes back. Both lead to fixed addresses. */
function serveProvider(app: FastifyInstance, parts: SignInParts, provider: Provider): void {
  const { settings, limits } = parts
  const onRequest = hostCheck(parts.hosts)
  const redirect = (reply: FastifyReply, cookies: string[], url: string) =>
    reply.code(303).header('Cache-Control', 'no-store').header('Set-Cookie', cookies).header('Location', url).send()
  app.get('/session/provider', { onRequest }, async (request, reply) => {
    const origin = requireOrigin(settings, request)
    parts.begun(request.ip)
    const { url, state } = await provider.begin(origin)
    return redirect(reply, [cookieOf(state, SIGN_IN_MS / 1_000, STATE_COOKIE, 'Lax')], url)
  })
  app.get('/session/callback', { onRequest }, async (request, reply) => {
    const refusal = limits?.lockout(request.ip)
    if (refusal) throw refusal
    const { search } = new URL(request.url, 'http://localhost')
    const state = cookieIn(request, STATE_COOKIE)
    // A page of another site can lead a browser here, which then sends no state. That is no attempt of its address.
    if (!state) throw new Problem('forbidden', { detail: 'The sign-in was not begun in this browser. Begin again.' })
    const personId = await provider
      .finish(requireOrigin(settings, request), search.slice(1), state, request.ip)
      .catch(async (error: unknown) => {
        await parts.failed(error, request.ip)
        throw error
      })
    const session = await sessionCookie(parts, { personId }, request)
    return redirect(reply, [session, cookieOf('', 0, STATE_COOKIE, 'Lax')], '/console')
  })
}

/** Whether a person has signed in who can act somewhere. */
async function isSignedIn({ sessions }: Pick<PeopleParts, 'sessions'>, request: FastifyRequest): Promise<boolean> {
  const credential = credentialIn(request)
  try {
    return credential !== undefined && (await sessions.authenticate(credential)) !== undefined
  } catch (error) {
    return error instanceof DatabaseUnavailable
  }
}

/** The session of a request, whatever roles its person has. */
async function ownSession(
  { database, limits }: Pick<SignInParts, 'database' | 'limits'>,
  request: FastifyRequest,
  kind?: SessionKind,
): Promise<UsableSession> {
  const credential = credentialIn(request)
  const isMeant = credential && (kind === undefined || credential.kind === kind)
  const find = async () => (isMeant ? sessionOf(database, credential) : undefined)
  const session = await (limits && isMeant ? limits.lookUp(request.ip, find) : find())
  if (!session) throw unauthorized()
  return session
}

type SignedIn = Pick<Parameters<typeof beginSession>[1], 'personId' | 'holdBasis'>

async function signIn(
  parts: SignInParts,
  signed: SignedIn,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  reply.header('Set-Cookie', await sessionCookie(parts, signed, request))
}

/** Begins a session with a secret of its own, whatever cookie the browser had before. */
async function sessionCookie(
  { database, ids, entries }: SignInParts,
  signed: SignedIn,
  request: FastifyRequest,
): Promise<string> {
  const agent = request.headers['user-agent']
  const token = await beginSession({ database, ids }, { ...signed, kind: 'browser', address: request.ip, agent })
  entries.wake()
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
