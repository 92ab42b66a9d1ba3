import { randomBytes } from 'node:crypto'
import { StartupError } from '../base/startup-error.ts'
import type { Database } from '../database/database.ts'
import type { RecordIds } from '../database/record-ids.ts'
import { deletePasskeys } from './passkeys.sql.ts'
import {
  endSessions,
  findPerson,
  hasPeople,
  insertPerson,
  listPeople,
  type PersonRow,
  type RolesOfPerson,
  removePerson,
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
  return database.transaction(async (transaction) => {
    await insertPerson(transaction, { id, name, subject: null, roles })
    return { id, secret: await invitationOf(transaction, id) }
  })
}

/** Invites a person anew, whose device is lost: passkeys, sessions and earlier invitations end. Undefined for nobody. */
export function inviteAnew(database: Database, id: number): Promise<string | undefined> {
  return database.transaction(async (transaction) => {
    if (!(await findPerson(transaction, id))) return undefined
    await endAccess(transaction, id)
    return invitationOf(transaction, id)
  })
}

/** Removes a person, who can do nothing anywhere within five seconds. False if there is no such person. */
export function remove(database: Database, id: number): Promise<boolean> {
  return database.transaction(async (transaction) => {
    await endAccess(transaction, id)
    return removePerson(transaction, id)
  })
}

type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]

async function endAccess(transaction: Transaction, id: number): Promise<void> {
  await dropTickets(transaction, id)
  await deletePasskeys(transaction, id)
  await endSessions(transaction, id, null)
}

async function invitationOf(transaction: Transaction, personId: number): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  await insertTicket(transaction, secret, { kind: 'invitation', personId, content: null, ms: INVITATION_MS })
  return secret
}

/** The persons with a role in an organisation, or all. */
export function peopleOf(database: Database, organisation: string | null): Promise<PersonRow[]> {
  return listPeople(database, organisation)
}

/** Gives a person a role in an organisation; null takes it. False if there is no such person. */
export function changeRole(database: Database, role: Parameters<typeof setRole>[1]): Promise<boolean> {
  return setRole(database, role)
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
