import type { FastifyInstance } from 'fastify'
import { Problem } from '../../base/problem.ts'
import { isCleanText } from '../../base/text.ts'
import { type Administration, type Administrator, administratorOf } from '../../people/administration.ts'
import type { Entries } from '../../people/entries.ts'
import type { Sessions } from '../../people/sessions.ts'
import { consoleOf, type PeopleSettings } from '../../people/settings.ts'
import { authenticator, type Gate, holderOf } from '../authenticate.ts'
import { type Hosts, hostCheck } from '../hosts.ts'
import { refuseOtherMethods } from '../request/served-paths.ts'

interface Parts {
  administration: Administration
  entries: Entries
  sessions: Sessions
  settings: PeopleSettings
  gate: Gate
  hosts: Hosts
}

const MAX_BODY = 64 * 1024

type Body = Record<string, unknown>
type Handler = (administrator: Administrator, body: Body, host: string | undefined) => unknown

/** Serves the administration of persons to the console. It is no part of the interface, and needs the scope `people:write`. */
export function serveAdministration(app: FastifyInstance, parts: Parts): void {
  const { administration, entries, sessions, settings, gate } = parts
  const onRequest = [hostCheck(parts.hosts), authenticator(gate)]
  const post = (name: string, handle: Handler) => {
    const url = `/session/people/${name}`
    // The name in the audit log of a request that is denied.
    const config = { operationId: `people/${name}` } as object
    app.post(url, { config, onRequest, bodyLimit: MAX_BODY }, async (request, reply) => {
      const administrator = administratorOf(holderOf(request), request.ip)
      const { body, headers } = request
      const sent = typeof body === 'object' && body !== null ? (body as Body) : {}
      const data = await handle(administrator, sent, headers.host)
      return reply.header('Cache-Control', 'no-store').send({ data: data ?? null })
    })
    refuseOtherMethods(app, url, ['POST'])
  }
  /** The same for a change, which counts with the next request of the person. */
  const change = (name: string, handle: Handler) =>
    post(name, async (administrator, body, host) => {
      const data = await handle(administrator, body, host)
      await sessions.forget()
      entries.wake()
      return data
    })
  const linkTo = (secret: string, host: string | undefined) => {
    const origin = consoleOf(settings, host)
    if (origin !== undefined) return `${origin}/console#invitation=${secret}`
    throw new Problem('forbidden', { detail: 'Passkeys need a host name: set PURSER_CONSOLE_ORIGIN.' })
  }

  post('list', (administrator) => administration.list(administrator))
  post('roles', (administrator) => administration.roles(administrator))
  change('invite', async (administrator, { name, role }, host) => {
    linkTo('', host)
    const { id, secret } = await administration.invite(administrator, {
      name: nameIn(name),
      role: textIn(role, 'role'),
    })
    return { id: String(id), link: linkTo(secret, host) }
  })
  change('link', async (administrator, { id }, host) => {
    linkTo('', host)
    return { id, link: linkTo(await administration.link(administrator, idIn(id)), host) }
  })
  change('role', (administrator, { id, role }) =>
    administration.changeRole(administrator, idIn(id), textIn(role, 'role')),
  )
  change('remove', (administrator, { id }) => administration.remove(administrator, idIn(id)))
  post('sessions', async (administrator, { id }) => {
    const rows = await administration.listSessions(administrator, idIn(id))
    return rows.map((row) => ({ ...row, id: String(row.id), current: row.id === administrator.by.sessionId }))
  })
  change('end', (administrator, { id, session }) =>
    administration.endSession(administrator, idIn(id), session === undefined ? null : idIn(session)),
  )
}

function idIn(text: unknown): number {
  const id = typeof text === 'string' && /^[1-9]\d{0,15}$/.test(text) ? Number(text) : Number.NaN
  if (Number.isSafeInteger(id)) return id
  throw new Problem('route_not_found', { detail: 'There is no such person in this organisation.' })
}

function textIn(text: unknown, name: string): string {
  if (typeof text === 'string') return text
  throw new Problem('invalid_request', { detail: `The member ${name} is required: a text.` })
}

function nameIn(text: unknown): string {
  const name = textIn(text, 'name')
  if (name.trim() !== '' && [...name].length <= 255 && isCleanText(name)) return name
  throw new Problem('invalid_request', { detail: 'A name has 1 to 255 characters.' })
}
