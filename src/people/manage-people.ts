import { randomBytes } from 'node:crypto'
import { StartupError } from '../base/startup-error.ts'
import type { Database, Queryable } from '../database/database.ts'
import type { RecordIds } from '../database/record-ids.ts'
import { type Actor, insertEntries } from './entries.sql.ts'
import { deletePasskeys } from './passkeys.sql.ts'
import {
  endSessions,
  findPerson,
  hasPeople,
  insertPerson,
  listPeople,
  lockPerson,
  type PersonRow,
  type RolesOfPerson,
  removePerson,
  setInviter,
  setRole,
} from './people.sql.ts'
import { dropTickets, insertTicket } from './tickets.sql.ts'

const INVITATION_MS = 72 * 3_600_000

/** Adds a person, and returns the secret of the invitation with which they register a passkey. */
export async function invite(
  { database, ids }: { database: Database; ids: RecordIds },
  { name, roles }: { name: string; roles: RolesOfPerson },
): Promise<{ id: number; secret: string }> {
  const id = await ids.next()
  const secret = await database.transaction((transaction) => inviteIn(transaction, { id, name, roles }, null))
  return { id, secret }
}

export async function inviteIn(
  transaction: Queryable,
  person: { id: number; name: string; roles: RolesOfPerson },
  by: Actor | null,
): Promise<string> {
  await insertPerson(transaction, { ...person, subject: null })
  await insertEntries(transaction, { type: 'person.invited', personId: person.id, by })
  return invitationOf(transaction, person.id, by)
}

/** Invites a person again whose device is lost: passkeys, sessions and earlier invitations end. Undefined if there is no such person. */
export function inviteAnew(database: Database, id: number): Promise<string | undefined> {
  return database.transaction(async (transaction) =>
    (await findPerson(transaction, id)) ? inviteAnewIn(transaction, id, null) : undefined,
  )
}

export async function inviteAnewIn(transaction: Queryable, id: number, by: Actor | null): Promise<string> {
  await endAccess(transaction, id)
  const cause = 'Passkeys and sessions have ended, and a new link was made'
  await insertEntries(transaction, { type: 'person.invited', personId: id, by, cause })
  return invitationOf(transaction, id, by)
}

/** Removes a person, who can do nothing anywhere within five seconds. False if there is no such person. */
export function remove(database: Database, id: number): Promise<boolean> {
  return database.transaction((transaction) => removeIn(transaction, id, null))
}

export async function removeIn(transaction: Queryable, id: number, by: Actor | null): Promise<boolean> {
  await endAccess(transaction, id)
  const removed = await removePerson(transaction, id)
  if (removed) await insertEntries(transaction, { type: 'person.removed', personId: id, by })
  return removed
}

async function endAccess(transaction: Queryable, id: number): Promise<void> {
  await dropTickets(transaction, id)
  await deletePasskeys(transaction, id)
  await endSessions(transaction, id, null)
}

/** A person has one passkey, that of the latest invitation. The person who made this one may have kept it for themselves. */
async function invitationOf(transaction: Queryable, personId: number, by: Actor | null): Promise<string> {
  await setInviter(transaction, personId, by?.personId ?? null)
  const secret = randomBytes(32).toString('base64url')
  await insertTicket(transaction, secret, { kind: 'invitation', personId, content: null, ms: INVITATION_MS })
  return secret
}

/** The persons with a role in an organisation, or all. */
export function peopleOf(database: Database, organisation: string | null): Promise<PersonRow[]> {
  return listPeople(database, organisation)
}

/** How a person signs in, if they can already. */
export function signsInBy({
  isOfProvider,
  passkeys,
}: Pick<PersonRow, 'isOfProvider' | 'passkeys'>): 'provider' | 'passkey' | 'invited' {
  if (isOfProvider) return 'provider'
  return passkeys > 0 ? 'passkey' : 'invited'
}

/** Gives a person a role in an organisation; null takes it. False if there is no such person. */
export function changeRole(database: Database, role: Parameters<typeof setRole>[1]): Promise<boolean> {
  return database.transaction((transaction) => changeRoleIn(transaction, role, null))
}

export async function changeRoleIn(
  transaction: Queryable,
  { id, organisation, role }: Parameters<typeof setRole>[1],
  by: Actor | null,
): Promise<boolean> {
  const person = await lockPerson(transaction, id)
  if (!person) return false
  const formerRole = person.roles[organisation] ?? null
  if (formerRole === role) return true
  await setRole(transaction, { id, organisation, role })
  await insertEntries(transaction, { type: 'person.roleChanged', personId: id, by, organisation, formerRole })
  return true
}

/** Whether anybody could sign in with a passkey. */
export function canSignIn(database: Database): Promise<boolean> {
  return hasPeople(database)
}

/** Refuses rules about second signatures that nobody could sign. Persons of an identity provider come with their first sign-in. */
export async function requirePersons(database: Database): Promise<void> {
  if (await hasPeople(database)) return
  throw new StartupError(
    'PURSER_TWO_SIGNATURES asks a second person, and there is none: invite one with purser people invite, or set PURSER_OIDC_ISSUER',
  )
}
