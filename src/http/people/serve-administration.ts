import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Problem } from '../../base/problem.ts'
import { isCleanText } from '../../base/text.ts'
import { type Administration, type Administrator, administratorOf } from '../../people/administration.ts'
import type { Entries } from '../../people/entries.ts'
import { isPowerful, rolesWith } from '../../people/roles.ts'
import type { Sessions } from '../../people/sessions.ts'
import { consoleOf, type PeopleSettings } from '../../people/settings.ts'
import { authenticator, type Gate, holderOf } from '../authenticate.ts'
import { type Hosts, hostCheck } from '../hosts.ts'
import { refuseOtherMethods } from '../request/served-paths.ts'
import type { PeopleParts } from './serve-people.ts'

interface Parts extends Pick<PeopleParts, 'isPermitted'> {
  administration: Administration
  entries: Entries
  sessions: Sessions
  settings: PeopleSettings
  gate: Gate
  hosts: Hosts
}

const MAX_BODY = 64 * 1024

type Body = Record<string, unknown>
type Handler = (administrator: Administrator, body: Body, request: FastifyRequest) => unknown

/** Serves the administration of persons to the console. It is no part of the interface, and needs the scope `people:write`. */
export function serveAdministration(app: FastifyInstance, parts: Parts): void {
  const { administration, entries, sessions, settings, gate, isPermitted } = parts
  const onRequest = [hostCheck(parts.hosts), authenticator(gate)]
  const post = (name: string, handle: Handler) => {
    const url = `/session/people/${name}`
    // The name in the audit log of a request that is denied.
    const config = { operationId: `people/${name}` } as object
    app.post(url, { config, onRequest, bodyLimit: MAX_BODY }, async (request, reply) => {
      const administrator = administratorOf(holderOf(request), request.ip)
      const { body } = request
      const sent = typeof body === 'object' && body !== null ? (body as Body) : {}
      const data = await handle(administrator, sent, request)
      return reply.header('Cache-Control', 'no-store').send({ data: data ?? null })
    })
    refuseOtherMethods(app, url, ['POST'])
  }
  /** The same for a change, which counts with the next request of the person. */
  const change = (name: string, handle: Handler) =>
    post(name, async (administrator, body, request) => {
      const data = await handle(administrator, body, request)
      await sessions.forget()
      entries.wake()
      return data
    })
  const roles = rolesWith(settings.roles)
  const isSigned = (role: string) => isPermitted !== undefined && isPowerful(roles, role)
  /** Refuses powerful rights that two persons have not agreed on, if a rule asks for it. */
  const requirePermit = async (request: FastifyRequest, id: number, role: string) => {
    if (!isSigned(role) || (await isPermitted?.(holderOf(request), `${id} ${role}`))) return
    throw unsigned(
      `Propose it, here or with POST /v0/permits/people/${id} and "role": "${role}"; for a day after the approval it works.`,
    )
  }
  const linkTo = (secret: string, host: string | undefined) => {
    const origin = consoleOf(settings, host)
    if (origin !== undefined) return `${origin}/console#invitation=${secret}`
    throw new Problem('forbidden', { detail: 'Passkeys need a host name: set PURSER_CONSOLE_ORIGIN.' })
  }

  post('list', (administrator) => administration.list(administrator))
  post('roles', (administrator) => administration.roles(administrator))
  change('invite', async (administrator, { name, role: given }, { headers: { host } }) => {
    linkTo('', host)
    const role = textIn(given, 'role')
    if (isSigned(role)) throw unsigned('Invite with another role, and give this one then.')
    const { id, secret } = await administration.invite(administrator, { name: nameIn(name), role })
    return { id: String(id), link: linkTo(secret, host) }
  })
  change('link', async (administrator, { id }, request) => {
    const { host } = request.headers
    linkTo('', host)
    for (const role of await administration.rolesOf(administrator, idIn(id)))
      await requirePermit(request, idIn(id), role)
    return { id, link: linkTo(await administration.link(administrator, idIn(id)), host) }
  })
  change('role', async (administrator, { id, role: given }, request) => {
    const role = textIn(given, 'role')
    await requirePermit(request, idIn(id), role)
    await administration.changeRole(administrator, idIn(id), role)
  })
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

function unsigned(next: string): Problem {
  return new Problem('second_person_required', { detail: `A role with such rights needs a second person. ${next}` })
}
