import { allows } from '../access/api-key.ts'
import type { KeyHolder } from '../access/authenticate-key.ts'
import { lacksScope, type Scope } from '../base/operation.ts'
import { Problem } from '../base/problem.ts'
import type { Database, Queryable } from '../database/database.ts'
import type { RecordIds } from '../database/record-ids.ts'
import type { Actor } from './entries.sql.ts'
import { changeRoleIn, inviteAnewIn, inviteIn, removeIn, signsInBy } from './manage-people.ts'
import { findPerson, listPeople, listSessions, lockPerson, type RolesOfPerson, type SessionRow } from './people.sql.ts'
import type { Roles } from './roles.ts'
import { endSessionIn, IDLE_MS } from './sessions.ts'

interface AdministrationParts {
  database: Database
  ids: RecordIds
  roles: Roles
}

/** A person who manages others in the organisation in which their request acts. */
export interface Administrator {
  organisation: string
  scopes: readonly Scope[]
  by: Actor & { sessionId: number }
}

/** The administrator behind a request; throws the refusal of anybody else. */
export function administratorOf(holder: KeyHolder, address: string): Administrator {
  const { person, scopes } = holder
  if (!person || !scopes || !allows(holder, 'people:write')) throw lacksScope('people:write')
  return {
    organisation: person.organisation,
    scopes,
    by: { personId: person.id, sessionId: person.sessionId, address },
  }
}

/** The work of administrators. Nobody gives or takes rights that they lack themselves, and nobody changes their own. */
export interface Administration {
  list(administrator: Administrator): Promise<object[]>
  /** The roles that the administrator may give. */
  roles(administrator: Administrator): { name: string; scopes: readonly Scope[] }[]
  /** The roles of a person of the organisation, here and elsewhere; none for another person. */
  rolesOf(administrator: Administrator, id: number): Promise<string[]>
  /** Returns the id of the person and the secret of the invitation. */
  invite(administrator: Administrator, person: { name: string; role: string }): Promise<{ id: number; secret: string }>
  /** Ends passkeys and sessions, and returns the secret of a new invitation. */
  link(administrator: Administrator, id: number): Promise<string>
  changeRole(administrator: Administrator, id: number, role: string): Promise<void>
  /** Takes the role in the organisation. A person without another one is removed from the bank. */
  remove(administrator: Administrator, id: number): Promise<void>
  listSessions(administrator: Administrator, id: number): Promise<SessionRow[]>
  /** Ends a session of a person; null for all. */
  endSession(administrator: Administrator, id: number, sessionId: number | null): Promise<void>
}

export function openAdministration({ database, ids, roles }: AdministrationParts): Administration {
  const covers = ({ scopes }: Pick<Administrator, 'scopes'>, role: string | undefined) =>
    coversAll(scopes, role === undefined ? [] : (roles.get(role) ?? []))
  const requireRole = (administrator: Pick<Administrator, 'scopes'>, role: string) => {
    if (!roles.has(role)) throw new Problem('invalid_request', { detail: `There is no role ${JSON.stringify(role)}.` })
    if (!covers(administrator, role)) throw lacksRights('The role')
  }

  /** Locks both persons, so that two administrators do not take each other's rights at once, and makes the change. */
  function changing<T>(
    administrator: Administrator,
    id: number,
    change: (transaction: Queryable, person: Target) => Promise<T>,
  ): Promise<T> {
    const { organisation, by } = administrator
    return database.transaction(async (transaction) => {
      const [own, person] = await lockBoth(transaction, by.personId, id)
      const scopes = scopesNow(roles, organisation, own)
      const role = person?.roles[organisation]
      if (!person || role === undefined) throw unknownPerson()
      if (id === by.personId) throw refused('Another administrator has to change your own rights.')
      if (!covers({ scopes }, role)) throw lacksRights('This person')
      return change(transaction, { ...person, ownRoles: own?.roles ?? {}, scopes })
    })
  }

  return {
    async list(administrator) {
      const { organisation, by } = administrator
      const rows = await listPeople(database, organisation)
      return rows.map((row) => {
        const { id, name, createdAt, usedAt } = row
        const role = row.roles[organisation]
        const own = id === by.personId
        const may = !own && covers(administrator, role)
        return { id: String(id), name, role, signsIn: signsInBy(row), createdAt, usedAt, own, may }
      })
    },
    roles: (administrator) =>
      [...roles].filter(([name]) => covers(administrator, name)).map(([name, scopes]) => ({ name, scopes })),
    rolesOf: ({ organisation }, id) => rolesIn(database, organisation, id),
    async invite(administrator, { name, role }) {
      const { organisation, by } = administrator
      const id = await ids.next()
      const person = { id, name, roles: { [organisation]: role } }
      const secret = await database.transaction(async (transaction) => {
        const own = await lockPerson(transaction, by.personId)
        requireRole({ scopes: scopesNow(roles, organisation, own) }, role)
        return inviteIn(transaction, person, by)
      })
      return { id, secret }
    },
    link: (administrator, id) =>
      changing(administrator, id, async (transaction, { roles: held, isOfProvider, ownRoles }) => {
        if (isOfProvider) throw refused('This person signs in at the identity provider, and has no passkeys.')
        requireEverywhere(roles, held, ownRoles)
        return inviteAnewIn(transaction, id, administrator.by)
      }),
    changeRole: (administrator, id, role) =>
      changing(administrator, id, async (transaction, { isOfProvider, scopes }) => {
        requireRole({ scopes }, role)
        if (isOfProvider) throw ofProvider()
        const { organisation, by } = administrator
        await changeRoleIn(transaction, { id, organisation, role }, by)
      }),
    remove: (administrator, id) =>
      changing(administrator, id, async (transaction, { roles: held, isOfProvider }) => {
        const { organisation, by } = administrator
        if (Object.keys(held).length === 1) await removeIn(transaction, id, by)
        else if (isOfProvider) throw ofProvider()
        else await changeRoleIn(transaction, { id, organisation, role: null }, by)
      }),
    listSessions: ({ organisation }, id) => sessionsIn(database, organisation, id),
    endSession: (administrator, id, sessionId) =>
      changing(administrator, id, (transaction) =>
        endSessionIn(transaction, { personId: id, sessionId }, administrator.by),
      ),
  }
}

/** The scopes of a locked administrator: the role may have changed since the request was admitted. */
function scopesNow(roles: Roles, organisation: string, own: { roles: RolesOfPerson } | undefined): readonly Scope[] {
  const scopes = roles.get(own?.roles[organisation] ?? '') ?? []
  if (!scopes.includes('people:write')) throw lacksScope('people:write')
  return scopes
}

async function sessionsIn(database: Database, organisation: string, id: number): Promise<SessionRow[]> {
  if ((await rolesIn(database, organisation, id)).length === 0) throw unknownPerson()
  return listSessions(database, id, IDLE_MS)
}

async function rolesIn(database: Database, organisation: string, id: number): Promise<string[]> {
  const held = (await findPerson(database, id))?.roles ?? {}
  return Object.hasOwn(held, organisation) ? Object.values(held) : []
}

interface Target {
  roles: RolesOfPerson
  isOfProvider: boolean
  ownRoles: RolesOfPerson
  /** Those of the administrator. */
  scopes: readonly Scope[]
}

/** Refuses a link to a person with rights elsewhere that the administrator lacks: its bearer becomes the person everywhere. */
function requireEverywhere(roles: Roles, held: RolesOfPerson, own: RolesOfPerson): void {
  for (const [organisation, role] of Object.entries(held)) {
    const scopes = roles.get(own[organisation] ?? '') ?? []
    if (scopes.includes('people:write') && coversAll(scopes, roles.get(role) ?? [])) continue
    throw refused('The person has rights in another organisation that you lack: the operator makes a new link.')
  }
}

/** Locks two persons in the order of their ids, against deadlocks. */
async function lockBoth(transaction: Queryable, own: number, other: number) {
  const found = new Map<number, Awaited<ReturnType<typeof lockPerson>>>()
  for (const id of [...new Set([own, other])].sort((one, next) => one - next)) {
    found.set(id, await lockPerson(transaction, id))
  }
  return [found.get(own), found.get(other)] as const
}

function coversAll(granted: readonly Scope[], needed: readonly Scope[]): boolean {
  return needed.every((scope) => granted.includes(scope) || granted.includes(scope.replace(':read', ':write') as Scope))
}

function lacksRights(what: string): Problem {
  return refused(`${what} has rights that you lack.`)
}

function ofProvider(): Problem {
  return refused('The roles of this person come from the groups at the identity provider: change them there.')
}

function unknownPerson(): Problem {
  return new Problem('route_not_found', { detail: 'There is no such person in this organisation.' })
}

function refused(detail: string): Problem {
  return new Problem('forbidden', { detail })
}
