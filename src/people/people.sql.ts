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
    `select s.id, s.person_id as "personId", p.name, p.roles,
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
