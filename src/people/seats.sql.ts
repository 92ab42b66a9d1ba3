import type { Scope } from '../base/operation.ts'
import type { Queryable } from '../database/database.ts'

/** An organisation in its database, with the seat that a session has there at an address. */
export interface FoundSeat {
  organisationId: number
  epoch: number
  /** Background work skips the organisation until it is woken. */
  isIdle: boolean
  /** Null if the session has none there yet. */
  keyId: number | null
  hash: Buffer | null
  scopes: Scope[] | null
}

export interface WantedSeat {
  organisation: string
  /** Null for the seat of a person who has not signed in. */
  sessionId: number | null
  personId: number
  address: string
}

/** Finds the seat of a session, or of a person; undefined if the database does not have the organisation. */
export async function findSeat(
  database: Queryable,
  { organisation, sessionId, personId, address }: WantedSeat,
): Promise<FoundSeat | undefined> {
  const owner = sessionId === null ? 'k.session_id is null and k.person_id = $2::bigint' : 'k.session_id = $2::bigint'
  const [row] = await database.query<FoundSeat>(
    `select o.id as "organisationId", o.epoch, o.idle as "isIdle", k.id as "keyId", k.hash, k.scopes
     from organisation o
     left join api_key k on ${owner} and k.organisation_id = o.id and k.address = $3::text
       and k.revoked_at is null
     where o.name = $1::text and o.ended_at is null and not exists (
       select from organisation_move m where m.id = o.id and m.state in ('arriving', 'switched', 'moved'))
     order by k.id limit 1`,
    [organisation, sessionId ?? personId, address],
  )
  return row
}

export interface NewSeat {
  id: number
  organisationId: number
  name: string
  /** Random, so that no secret leads to it. */
  hash: Buffer
  scopes: readonly Scope[]
  personId: number
  sessionId: number
  address: string
}

/** Inserts a seat, or gives one the present name and scopes. Undefined if the session has too many already. */
export async function keepSeat(
  database: Queryable,
  seat: NewSeat,
  max: number,
): Promise<{ keyId: number; hash: Buffer } | undefined> {
  const [row] = await database.query<{ keyId: number; hash: Buffer }>(
    `insert into api_key as k (id, organisation_id, name, hash, scopes, created_at, person_id, session_id, address)
     select $1::bigint, $2::bigint, $3::text, $4::bytea, $5::text[], clock_timestamp(), $6::bigint, $7::bigint, $8::text
     where (select count(*) from api_key s where s.session_id = $7 and s.scopes <> '{}' and (s.organisation_id, s.address) <> ($2, $8)) < $9::int
     on conflict (session_id, organisation_id, address) where session_id is not null
       do update set name = excluded.name, scopes = excluded.scopes, revoked_at = null, version = k.version + 1
     returning id as "keyId", hash`,
    [seat.id, seat.organisationId, seat.name, seat.hash, seat.scopes, seat.personId, seat.sessionId, seat.address, max],
  )
  return row
}

/**
 * Inserts a seat without scopes, which names an actor and does not count. False if the session has one there already, or if a person
 * has too many without a session.
 */
export async function addSeat(
  database: Queryable,
  seat: Omit<NewSeat, 'sessionId'> & { sessionId: number | null },
  max: number,
): Promise<boolean> {
  const rows = await database.query(
    `insert into api_key (id, organisation_id, name, hash, scopes, created_at, person_id, session_id, address)
     select $1::bigint, $2::bigint, $3::text, $4::bytea, $5::text[], clock_timestamp(), $6::bigint, $7::bigint, $8::text
     where $7 is not null or (
       select count(*) from api_key s where s.session_id is null and s.person_id = $6 and s.organisation_id = $2) < $9::int
     on conflict (session_id, organisation_id, address) where session_id is not null do nothing returning id`,
    [seat.id, seat.organisationId, seat.name, seat.hash, seat.scopes, seat.personId, seat.sessionId, seat.address, max],
  )
  return rows.length > 0
}
