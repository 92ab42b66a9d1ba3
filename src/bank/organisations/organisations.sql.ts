import type { Queryable } from '../../database/database.ts'
import { EVENT_CHANNEL } from '../../events/announce.ts'

/** Begins the notification that an organisation has ended. */
export const ENDED = 'ended:'

/** Any fixed number that no other advisory lock uses. */
const CREATION_LOCK = 7_275_740

/** Lets one creation at a time count, so that together they do not pass the limit. */
export async function lockCreations(transaction: Queryable): Promise<void> {
  await transaction.query(`select pg_advisory_xact_lock($1::bigint)`, [CREATION_LOCK])
}

export async function countMadeOrganisations(transaction: Queryable): Promise<number> {
  const [row] = await transaction.query<{ count: number }>(
    `select count(*) as count from organisation where made and ended_at is null`,
  )
  return row?.count ?? 0
}

export interface OrganisationRow {
  id: number
  name: string
  /** The name that the request gave. */
  label: string | null
  made: boolean
  createdAt: string
  frozen: boolean
  ended: boolean
}

const columns = `id, name, label, made, created_at as "createdAt", frozen_at is not null as frozen, ended_at is not null as ended`

export interface NewOrganisation {
  id: number
  name: string
  label: string | null
  made: boolean
  /** Bank time at its start; null for the present. */
  now: string | null
  frozen: boolean
}

/** The month of a new organisation is known to be without statements, so that background work need not look at it. */
export async function insertSandboxOrganisation(
  transaction: Queryable,
  { id, name, label, made, now, frozen }: NewOrganisation,
): Promise<OrganisationRow> {
  const [row] = await transaction.query<OrganisationRow>(
    `insert into organisation (id, name, label, made, created_at, clock_offset, frozen_at, statements_from)
     select $1::bigint, $2::text, $3::text, $4::boolean, t.begins, t.begins - t.present,
       case when $6::boolean then t.begins end, date_trunc('month', t.begins at time zone 'UTC')::date
     from (
       select present, coalesce($5::timestamptz, present) as begins
       from (select date_trunc('milliseconds', clock_timestamp()) as present) p) t
     returning ${columns}`,
    [id, name, label, made, now, frozen],
  )
  if (!row) throw new Error('an insert returned no row')
  return row
}

export async function lockOrganisation(transaction: Queryable, id: number): Promise<OrganisationRow> {
  const [row] = await transaction.query<OrganisationRow>(
    `select ${columns} from organisation where id = $1::bigint for no key update`,
    [id],
  )
  if (!row) throw new Error(`there is no organisation ${id}`)
  return row
}

/**
 * Ends an organisation and its webhooks. The name becomes free for the one that replaces it. Other processes forget its
 * keys as soon as they hear of it.
 */
export async function endOrganisation(transaction: Queryable, id: number): Promise<void> {
  await transaction.query(
    `update organisation set ended_at = clock_timestamp(), name = 'ended ' || id, version = version + 1
     where id = $1::bigint`,
    [id],
  )
  await transaction.query(`select pg_notify($1::text, $2::text)`, [EVENT_CHANNEL, `${ENDED}${id}`])
  // Locked in the order of their ids, because the webhook worker may note the health of the same ones.
  await transaction.query(
    `update webhook_endpoint set deleted_at = bank_time(organisation_id), version = version + 1 where id in (
       select id from webhook_endpoint where organisation_id = $1::bigint and deleted_at is null
       order by id for no key update)`,
    [id],
  )
}

export async function revokeKeys(transaction: Queryable, organisationId: number): Promise<void> {
  await transaction.query(
    `update api_key set revoked_at = clock_timestamp(), deleted = true, version = version + 1
     where organisation_id = $1::bigint and revoked_at is null`,
    [organisationId],
  )
}

/** Moves all keys, also the revoked ones, so that none of them works again after a restart. */
export async function moveKeys(transaction: Queryable, from: number, to: number): Promise<void> {
  await transaction.query(`update api_key set organisation_id = $2::bigint where organisation_id = $1::bigint`, [
    from,
    to,
  ])
}

/** Locks the counter of events, also if there was no event yet. */
const lockCounter = `
  insert into event_counter as c (organisation_id, sequence)
  select id, events_after from organisation where id = $1::bigint
  on conflict (organisation_id) do update set sequence = c.sequence
  returning c.sequence`

/**
 * Waits for the changes of an ended organisation that are under way, and makes all others fail: an event cannot be numbered
 * any more. It is the last lock of its transaction, as the counter is in every other one, against deadlocks.
 */
export async function closeEvents(transaction: Queryable, organisationId: number): Promise<void> {
  await transaction.query(lockCounter, [organisationId])
}

/** The same, and the numbers of events continue after the last one of another organisation. */
export async function continueEvents(transaction: Queryable, from: number, to: number): Promise<void> {
  await transaction.query(
    `with latest as (${lockCounter}),
     opened as (insert into event_counter (organisation_id, sequence) select $2::bigint, sequence from latest)
     update organisation set events_after = latest.sequence from latest where id = $2::bigint`,
    [from, to],
  )
}
