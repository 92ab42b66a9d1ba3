import type { Queryable } from '../database/database.ts'
import type { EventType } from '../events/event.ts'

/** The maker of a change: a person with the address of the request, and with the session if there is one. */
export interface Actor {
  personId: number
  sessionId: number | null
  address: string
}

export interface NewEntry {
  type: Extract<EventType, `person.${string}`>
  personId: number
  /** Null for the command line of the operator. */
  by: Actor | null
  /** The name of the organisation; absent for all in which the person has a role. */
  organisation?: string
  formerRole?: string | null
  /** The session that began or ended. */
  sessionId?: number | null
  cause?: string
}

/** Inserts the entries about a change of a person, in the transaction of the change. */
export async function insertEntries(transaction: Queryable, entry: NewEntry): Promise<void> {
  const { type, personId, by, organisation, formerRole, sessionId, cause } = entry
  await transaction.query(
    `with changed as (
       update people set version = version + 1 where id = $1::bigint returning id, version, roles, removed_at)
     insert into people_entry (person_id, version, organisation, type, role, former_role, cause, session_id,
       actor_id, actor_session_id, actor_address)
     select c.id, c.version, o.name, $2::text, case when c.removed_at is null then c.roles ->> o.name end,
       coalesce($4::text, case when c.removed_at is not null then c.roles ->> o.name end), $5::text, $6::bigint,
       $7::bigint, $8::bigint, $9::text
     from changed c cross join lateral unnest(
       case when $3::text is null then array(select jsonb_object_keys(c.roles)) else array[$3] end) as o (name)
     order by o.name`,
    [
      ...[personId, type, organisation ?? null, formerRole ?? null, cause ?? null, sessionId ?? null],
      ...[by?.personId ?? null, by?.sessionId ?? null, by?.address ?? null],
    ],
  )
}

/** An entry that no organisation has yet. */
export interface WaitingEntry {
  id: number
  type: NewEntry['type']
  personId: number
  name: string
  version: number
  organisation: string
  role: string | null
  formerRole: string | null
  cause: string | null
  sessionId: number | null
  actorId: number | null
  actorName: string | null
  actorSessionId: number | null
  actorAddress: string | null
}

/** Any fixed number that no other advisory lock uses. */
const ENTRIES_LOCK = 7_275_742

/** Locks the entries until the end of the transaction; false if another process moves them at the moment. */
export async function lockEntries(transaction: Queryable): Promise<boolean> {
  const [row] = await transaction.query<{ locked: boolean }>(`select pg_try_advisory_xact_lock($1::bigint) as locked`, [
    ENTRIES_LOCK,
  ])
  return row?.locked === true
}

/** The first entries of other organisations than those that are named. */
export function firstEntries(transaction: Queryable, most: number, except: string[]): Promise<WaitingEntry[]> {
  return transaction.query(
    `select e.id, e.type, e.person_id as "personId", p.name, e.version, e.organisation, e.role,
       e.former_role as "formerRole", e.cause, e.session_id as "sessionId", e.actor_id as "actorId", a.name as "actorName",
       e.actor_session_id as "actorSessionId", e.actor_address as "actorAddress"
     from people_entry e join people p on p.id = e.person_id left join people a on a.id = e.actor_id
     where e.organisation <> all($2::text[]) order by e.id limit $1::bigint`,
    [most, except],
  )
}

export async function deleteEntries(transaction: Queryable, ids: number[]): Promise<void> {
  await transaction.query('delete from people_entry where id = any($1::bigint[])', [ids])
}
