import { randomBytes } from 'node:crypto'
import type { KeyHolder } from '../access/authenticate-key.ts'
import { wakeOrganisation } from '../access/organisations.ts'
import { clock } from '../base/clock.ts'
import type { Scope } from '../base/operation.ts'
import type { Peers } from '../base/peers/peers.ts'
import { Problem } from '../base/problem.ts'
import { Recent } from '../base/recent.ts'
import { sha256 } from '../base/sha256.ts'
import { type Database, DatabaseUnavailable, type Queryable } from '../database/database.ts'
import type { RecordIds } from '../database/record-ids.ts'
import { type Actor, insertEntries } from './entries.sql.ts'
import {
  endSessions,
  findUsableSession,
  insertSession,
  noteUse,
  type SessionKind,
  type UsableSession,
} from './people.sql.ts'
import type { Roles } from './roles.ts'
import { findSeat, keepSeat } from './seats.sql.ts'

export { listSessions, type SessionKind, type UsableSession } from './people.sql.ts'

/** A database with some of the organisations. */
interface PeopleCell {
  place: number
  database: Database
  ids: RecordIds
  isAway(): boolean
}

export interface SessionParts {
  /** The database of the home cell, which has the persons. */
  database: Database
  ids: RecordIds
  /** The databases of all cells, the home cell first; absent places have not joined yet. */
  cells(): PeopleCell[]
  roles: Roles
  mode: 'sandbox' | 'live'
  /** The only organisation that a connector serves; absent without one. */
  sole: number | undefined
  peers: Peers | undefined
}

/** A session as a request names it. */
export interface Credential {
  token: string
  kind: SessionKind
  /** The name of the organisation; absent for the first one in which the person has a role. */
  organisation: string | undefined
  address: string
}

/** Finds the persons behind sessions. */
export interface Sessions {
  /** The holder of a session in an organisation; undefined if the session does not work. Rejects without a role there. */
  authenticate(credential: Credential): KeyHolder | undefined | Promise<KeyHolder | undefined>
  /** The same, whatever is remembered of the session. */
  recheck(credential: Credential): Promise<KeyHolder | undefined>
  /** Whether the session worked when it was last looked up. */
  worked(credential: Credential): boolean
  /** Makes the next request of every session look it up, in every process. */
  forget(): Promise<void>
}

/** A session ends after this time without use. */
export const IDLE_MS = 30 * 60_000
/** A session ends after this time. */
export const LENGTH_MS = 12 * 3_600_000
/** Short enough that a removed person can do nothing anywhere within five seconds. */
const REMEMBERED_MS = 4_000
const MAX_REMEMBERED = 10_000
/** The most organisations and addresses of one session. */
const MAX_SEATS = 50
const MAX_AGENT_LENGTH = 300

/** The form of a session's secret. */
const SESSION_TOKEN = /^prs_ps_[\w-]{43}$/

export function openSessions(parts: SessionParts): Sessions {
  const { peers } = parts
  const remembered = new Recent<string, { holder: KeyHolder; untilMs: number }>(MAX_REMEMBERED)
  const lookUps = new Map<string, Promise<KeyHolder | undefined>>()
  /** Counts the changes of persons. A look-up that ran during a change may have read the former state. */
  let changes = 0

  function forgetHere(): void {
    changes++
    lookUps.clear()
    for (const entry of remembered.values()) entry.untilMs = 0
  }
  peers?.answer('people.forget', forgetHere)

  async function find(name: string, credential: Credential): Promise<KeyHolder | undefined> {
    const before = changes
    const found = await holderOf(parts, credential)
    if (!found) remembered.delete(name)
    else if (before === changes) {
      remembered.set(name, { holder: found.holder, untilMs: clock.elapsedMs() + Math.min(REMEMBERED_MS, found.leftMs) })
    }
    return found?.holder
  }

  return {
    authenticate(credential) {
      const name = nameOf(credential)
      const entry = remembered.get(name)
      if (entry && entry.untilMs > clock.elapsedMs()) return entry.holder
      const running = lookUps.get(name)
      if (running) return running
      const started = find(name, credential).finally(() => {
        if (lookUps.get(name) === started) lookUps.delete(name)
      })
      lookUps.set(name, started)
      return started
    },
    recheck: (credential) => find(nameOf(credential), credential),
    worked: (credential) => remembered.has(nameOf(credential)),
    async forget() {
      forgetHere()
      await peers?.ask('people.forget', null)
    },
  }
}

interface SignIn {
  personId: number
  kind: SessionKind
  address: string
  agent?: string | undefined
  /** Locks the passkey or the session by which the person signs in; false if it has ended since it was looked at. */
  holdBasis?: ((transaction: Queryable) => Promise<boolean>) | undefined
}

/** Begins a session of a person who has signed in, and returns its secret. */
export async function beginSession(
  { database, ids }: Pick<SessionParts, 'database' | 'ids'>,
  { personId, kind, address, agent, holdBasis }: SignIn,
): Promise<string> {
  const token = `prs_ps_${randomBytes(32).toString('base64url')}`
  const id = await ids.next()
  await database.transaction(async (transaction) => {
    if (holdBasis && !(await holdBasis(transaction))) {
      throw new Problem('forbidden', { detail: 'The sign-in has ended meanwhile. Begin again.' })
    }
    await insertSession(transaction, {
      id,
      personId,
      hash: sha256(token),
      kind,
      address,
      agent: agent?.slice(0, MAX_AGENT_LENGTH) ?? null,
      lengthMs: LENGTH_MS,
    })
    const by = { personId, sessionId: id, address }
    await insertEntries(transaction, { type: 'person.signedIn', personId, by, sessionId: id })
  })
  return token
}

/** Ends a session of a person, or all. */
export async function endSessionIn(
  transaction: Queryable,
  { personId, sessionId }: { personId: number; sessionId: number | null },
  by: Actor,
): Promise<void> {
  if ((await endSessions(transaction, personId, sessionId)) === 0) return
  const type = sessionId === by.sessionId ? 'person.signedOut' : 'person.sessionEnded'
  await insertEntries(transaction, { type, personId, by, sessionId })
}

/** The session with a secret, in no organisation; undefined if it does not work. */
export async function sessionOf(
  database: Database,
  { token, kind }: Pick<Credential, 'token' | 'kind'>,
): Promise<UsableSession | undefined> {
  if (!SESSION_TOKEN.test(token)) return undefined
  const session = await findUsableSession(database, { hash: sha256(token), kind, idleMs: IDLE_MS })
  if (session?.isUnnoted) await noteUse(database, session.id)
  return session
}

function nameOf({ token, kind, organisation, address }: Credential): string {
  return JSON.stringify([token, kind, organisation, address])
}

async function holderOf(
  parts: SessionParts,
  { token, kind, organisation, address }: Credential,
): Promise<{ holder: KeyHolder; leftMs: number } | undefined> {
  const session = await sessionOf(parts.database, { token, kind })
  if (!session) return undefined
  const name = organisation ?? Object.keys(session.roles).sort()[0]
  const role = name === undefined ? undefined : session.roles[name]
  const scopes = role === undefined ? undefined : parts.roles.get(role)
  if (name === undefined || role === undefined || scopes === undefined) throw noRole(name)
  const seat = await seatIn(parts, { organisation: name, session, scopes, address })
  if (!seat) throw noRole(name)
  const organisations = Object.entries(session.roles).map(([each, held]) => ({ name: each, role: held }))
  const holder: KeyHolder = {
    ...seat,
    personId: session.personId,
    ...(session.invitedBy !== null && { invitedBy: session.invitedBy }),
    scopes: [...scopes],
    decidesRisk: scopes.includes('risk:write'),
    inGrace: false,
    person: {
      id: session.personId,
      name: session.name,
      sessionId: session.id,
      organisation: name,
      role,
      passesNumbers: parts.mode === 'sandbox' || scopes.includes('personal:read'),
      organisations,
    },
  }
  return { holder, leftMs: session.leftMs }
}

function noRole(organisation: string | undefined): Problem {
  const detail =
    organisation === undefined
      ? 'You have no role in any organisation. An administrator can give you one.'
      : 'You have no role in this organisation. An administrator of it can give you one.'
  return new Problem('forbidden', { detail })
}

interface WantedSeat {
  organisation: string
  session: UsableSession
  scopes: readonly Scope[]
  address: string
}

type Seat = Pick<KeyHolder, 'organisationId' | 'keyId' | 'hash' | 'place' | 'epoch'>

/** The seat in the cell that has the organisation; undefined if none has it. */
async function seatIn({ cells, sole }: SessionParts, wanted: WantedSeat): Promise<Seat | undefined> {
  let away = false
  const found: Seat[] = []
  for (const cell of cells()) {
    if (cell.isAway()) away = true
    else {
      const seat = await seatAt(cell, wanted)
      if (seat && (sole === undefined || seat.organisationId === sole)) found.push(seat)
    }
  }
  // While an organisation moves, two cells may have it: the one with the larger number owns it.
  const [owner] = found.sort((one, other) => other.epoch - one.epoch)
  if (!owner && away) throw new DatabaseUnavailable('a cell that may have the organisation cannot be reached')
  return owner
}

async function seatAt(
  { database, ids, place }: PeopleCell,
  { organisation, session, scopes, address }: WantedSeat,
): Promise<Seat | undefined> {
  const found = await findSeat(database, {
    ...{ organisation, address },
    ...{ sessionId: session.id, personId: session.personId },
  })
  if (!found) return undefined
  const { organisationId, epoch, keyId, hash } = found
  const isCurrent = keyId !== null && String(found.scopes) === String(scopes)
  const seat = isCurrent
    ? { keyId, hash: hash as Buffer }
    : await keepSeat(
        database,
        {
          id: await ids.next(),
          organisationId,
          name: session.name,
          hash: randomBytes(32),
          scopes,
          personId: session.personId,
          sessionId: session.id,
          address,
        },
        MAX_SEATS,
      )
  if (!seat) {
    const detail = 'The session was used from too many addresses and organisations. Sign in again.'
    throw new Problem('forbidden', { detail })
  }
  if (found.isIdle) await wakeOrganisation(database, organisationId, seat.keyId)
  return { organisationId, epoch, place, ...seat }
}
