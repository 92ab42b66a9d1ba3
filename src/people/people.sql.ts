import type { Queryable } from '../database/database.ts'

/** The roles of a person by the names of organisations. */
export type RolesOfPerson = Record<string, string>

export interface NewPerson {
  id: number
  name: string
  /** The person at the identity provider; null for one who signs in with a passkey. */
  subject: string | null
  roles: RolesOfPerson
}

export async function insertPerson(database: Queryable, { id, name, subject, roles }: NewPerson): Promise<void> {
  await database.query(
    `insert into people (id, name, subject, roles, created_at)
     values ($1::bigint, $2::text, $3::text, $4::jsonb, clock_timestamp())`,
    [id, name, subject, JSON.stringify(roles)],
  )
}

/** Notes who made the latest invitation of a person; null for the command line. */
export async function setInviter(database: Queryable, id: number, invitedBy: number | null): Promise<void> {
  await database.query(`update people set invited_by = $2::bigint where id = $1::bigint`, [id, invitedBy])
}

/** Whether anybody could sign in: a person who was not removed. */
export async function hasPeople(database: Queryable): Promise<boolean> {
  const [row] = await database.query<{ any: boolean }>(
    `select exists (select from people where removed_at is null) as any`,
    [],
  )
  return row?.any ?? false
}

/** A session of a browser, which has a cookie, or of the command line. */
export type SessionKind = 'browser' | 'command'

export interface NewSession {
  id: number
  personId: number
  hash: Buffer
  kind: SessionKind
  address: string
  agent: string | null
  lengthMs: number
}

/** Inserts a session. Those that ended long ago are deleted on the way; the seats that name them stay. */
export async function insertSession(database: Queryable, session: NewSession): Promise<void> {
  const { id, personId, hash, kind, address, agent, lengthMs } = session
  await database.query(
    `delete from people_session where person_id = $1::bigint and expires_at < clock_timestamp() - interval '30 days'`,
    [personId],
  )
  await database.query(
    `insert into people_session (id, person_id, hash, kind, address, agent, created_at, used_at, expires_at)
     values ($1::bigint, $2::bigint, $3::bytea, $4::text, $5::text, $6::text, clock_timestamp(), clock_timestamp(),
       clock_timestamp() + make_interval(secs => $7::float8 / 1000))`,
    [id, personId, hash, kind, address, agent, lengthMs],
  )
}

export interface UsableSession {
  id: number
  personId: number
  name: string
  roles: RolesOfPerson
  /** The person who invited this one; null for the command line and an identity provider. */
  invitedBy: number | null
  /** Milliseconds until it ends. */
  leftMs: number
  /** Its latest use is not noted yet. */
  isUnnoted: boolean
}

/** Finds a session that works now: neither ended nor idle for too long, of a person who was not removed. */
export async function findUsableSession(
  database: Queryable,
  { hash, kind, idleMs }: { hash: Buffer; kind: SessionKind; idleMs: number },
): Promise<UsableSession | undefined> {
  const [row] = await database.query<UsableSession>(
    `select s.id, s.person_id as "personId", p.name, p.roles, p.invited_by as "invitedBy",
       ceil(1000 * extract(epoch from s.expires_at - clock_timestamp()))::bigint as "leftMs",
       s.used_at < clock_timestamp() - interval '1 minute' as "isUnnoted"
     from people_session s join people p on p.id = s.person_id
     where s.hash = $1::bytea and s.kind = $2::text and s.ended_at is null and p.removed_at is null
       and s.expires_at > clock_timestamp()
       and s.used_at > clock_timestamp() - make_interval(secs => $3::float8 / 1000)`,
    [hash, kind, idleMs],
  )
  return row
}

export async function noteUse(database: Queryable, sessionId: number): Promise<void> {
  await database.query(`update people_session set used_at = clock_timestamp() where id = $1::bigint`, [sessionId])
}

export interface PersonRow {
  id: number
  name: string
  roles: RolesOfPerson
  /** Whether the person signs in at the identity provider. */
  isOfProvider: boolean
  passkeys: number
  createdAt: string
  /** When a session of the person was last used. */
  usedAt: string | null
}

const people = `
  select p.id, p.name, p.roles, p.subject is not null as "isOfProvider", p.created_at as "createdAt",
    (select count(*) from people_passkey k where k.person_id = p.id) as passkeys,
    (select max(s.used_at) from people_session s where s.person_id = p.id) as "usedAt"
  from people p where p.removed_at is null`

/** Finds a person who was not removed. */
export async function findPerson(database: Queryable, id: number): Promise<PersonRow | undefined> {
  const [row] = await database.query<PersonRow>(`${people} and p.id = $1::bigint`, [id])
  return row
}

/** Locks a person who was not removed. */
export async function lockPerson(
  transaction: Queryable,
  id: number,
): Promise<Pick<PersonRow, 'roles' | 'isOfProvider'> | undefined> {
  const [row] = await transaction.query<Pick<PersonRow, 'roles' | 'isOfProvider'>>(
    `select roles, subject is not null as "isOfProvider" from people where id = $1::bigint and removed_at is null for update`,
    [id],
  )
  return row
}

/** The persons with a role in an organisation, or all. */
export function listPeople(database: Queryable, organisation: string | null): Promise<PersonRow[]> {
  return database.query(`${people} and ($1::text is null or p.roles ? $1) order by p.name, p.id`, [organisation])
}

/** Gives a person a role in an organisation; null takes it. */
export async function setRole(
  database: Queryable,
  { id, organisation, role }: { id: number; organisation: string; role: string | null },
): Promise<void> {
  await database.query(
    `update people set version = version + 1,
       roles = case when $3::text is null then roles - $2::text else roles || jsonb_build_object($2::text, $3::text) end
     where id = $1::bigint and removed_at is null`,
    [id, organisation, role],
  )
}

/** Removes a person for good. False if there is no such person. */
export async function removePerson(database: Queryable, id: number): Promise<boolean> {
  const rows = await database.query(
    `update people set removed_at = clock_timestamp(), version = version + 1
     where id = $1::bigint and removed_at is null returning id`,
    [id],
  )
  return rows.length > 0
}

export interface SessionRow {
  id: number
  kind: SessionKind
  address: string
  agent: string | null
  createdAt: string
  usedAt: string
  expiresAt: string
}

/** The sessions of a person that have not ended, the latest first. */
export function listSessions(database: Queryable, personId: number, idleMs: number): Promise<SessionRow[]> {
  return database.query(
    `select id, kind, address, agent, created_at as "createdAt", used_at as "usedAt", expires_at as "expiresAt"
     from people_session where person_id = $1::bigint and ended_at is null and expires_at > clock_timestamp()
       and used_at > clock_timestamp() - make_interval(secs => $2::float8 / 1000)
     order by id desc`,
    [personId, idleMs],
  )
}

/** Keeps a session from being ended; false if it has ended. */
export async function holdSession(transaction: Queryable, id: number): Promise<boolean> {
  const statement = `select id from people_session where id = $1::bigint and ended_at is null for share`
  return (await transaction.query(statement, [id])).length > 0
}

/** Ends a session of a person, or all; returns how many. */
export async function endSessions(database: Queryable, personId: number, sessionId: number | null): Promise<number> {
  const rows = await database.query(
    `update people_session set ended_at = clock_timestamp()
     where person_id = $1::bigint and ($2::bigint is null or id = $2) and ended_at is null returning id`,
    [personId, sessionId],
  )
  return rows.length
}

/** Locks the person whom a provider names, also one who was removed. */
export async function lockPersonOfProvider(
  transaction: Queryable,
  subject: string,
): Promise<Pick<PersonRow, 'id' | 'roles'> | undefined> {
  const [row] = await transaction.query<Pick<PersonRow, 'id' | 'roles'>>(
    `select id, roles from people where subject = $1::text for update`,
    [subject],
  )
  return row
}

/** Inserts the person whom a provider names, or gives them their present name and roles. Undefined for one who was removed. */
export async function keepPersonOfProvider(database: Queryable, person: NewPerson): Promise<number | undefined> {
  const [row] = await database.query<{ id: number }>(
    `insert into people as p (id, name, subject, roles, created_at)
     values ($1::bigint, $2::text, $3::text, $4::jsonb, clock_timestamp())
     on conflict (subject) do update set name = excluded.name, roles = excluded.roles, version = p.version + 1
       where p.removed_at is null
     returning id`,
    [person.id, person.name, person.subject, JSON.stringify(person.roles)],
  )
  return row?.id
}
