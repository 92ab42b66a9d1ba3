import type { Queryable } from '../../../database/database.ts'
import { isFailing } from '../../../webhooks/endpoints/failing.ts'

/** Things of one kind that wait: how many, and for how long the oldest has, in bank time. */
export interface Waiting {
  kind: string
  count: number
  seconds: number
}

/** Things of each kind that are counted at most. */
const MOST = 10_000

const seconds = (organisation: string, since: string) =>
  `coalesce(max(extract(epoch from bank_time(${organisation}) - ${since})), 0)::float8 as seconds`

export async function hasTables(database: Queryable): Promise<boolean> {
  const [row] = await database.query<{ found: boolean }>(
    `select to_regclass('ach_exception') is not null as found`,
    [],
    'once',
  )
  return row?.found ?? false
}

/** The files that are not at the end of their way, by state. The age of one begins with its cut-off, or when it was taken. */
export function openFiles(database: Queryable): Promise<Waiting[]> {
  return database.query(
    `select state as kind, count(*)::int as count, ${seconds('key_organisation_id', 'window_at')}
     from (
       select state, key_organisation_id, window_at from ach_file
       where state in ('building', 'built', 'delivering', 'unknown', 'taken') and not arrived
       order by id limit ${MOST}) f
     group by state`,
    [],
    'once',
  )
}

/** The files and entries that need the operator, by kind. */
export function openExceptions(database: Queryable): Promise<Waiting[]> {
  return database.query(
    `select e.kind, count(*)::int as count, ${seconds('e.organisation_id', 'e.created_at')}
     from (
       select kind, organisation_id, created_at from ach_exception where resolved_at is null order by id limit ${MOST}) e
     join organisation o on o.id = e.organisation_id and o.ended_at is null
     group by e.kind`,
    [],
    'once',
  )
}

/** The first of a queue of each organisation: the first row of an index, as such queues can be long. */
const firstOf = (queue: string) =>
  `select o.id, x.at from organisation o cross join lateral (${queue} limit 1) x where o.ended_at is null`

/** The time of the work of each organisation that is due first. Queues that are short are read as a whole. */
const dueFirst = {
  cutoffs: firstOf(
    `select cutoff_at as at from payment where organisation_id = o.id and status = 'Pending' order by cutoff_at`,
  ),
  received: firstOf(
    `select due_at as at from received_payment where organisation_id = o.id and booked_at is null order by due_at`,
  ),
  returns: `select organisation_id, min(return_cutoff_at) from received_payment
    where return_cutoff_at is not null and return_file_id is null and booked_at is not null group by 1`,
  settlements: `select organisation_id, min(settles_at) from ach_batch
    where settled_at is null and rejected_at is null group by 1`,
  refunds: `select organisation_id, min(rejected_at) from ach_batch
    where rejected_at is not null and refunded_at is null group by 1`,
}

/** Rows of several kinds. Functions of an organisation are called for those that are found alone. */
function found(kinds: Record<string, string>): string {
  const each = Object.entries(kinds).map(([kind, rows]) => `select '${kind}' as kind, r.* from (${rows}) r`)
  return `with found (kind, id, at) as materialized (${each.join(' union all ')})
    select f.kind, count(*)::int as count, ${seconds('f.id', 'f.at')}
    from found f join organisation o on o.id = f.id and o.ended_at is null
    where not is_moving(f.id)`
}

/** The work of the rail that is late, by kind, with the number of organisations. Work that is not late is left out. */
export function lateRailWork(database: Queryable): Promise<Waiting[]> {
  return database.query(`${found(dueFirst)} and f.at < bank_time(f.id) group by f.kind`, [], 'once')
}

/** The queues of reviewers. */
const queues = {
  application: `select organisation_id, created_at from application where status = 'PendingReview' limit ${MOST}`,
  externalAccount: `select organisation_id, created_at from external_account
    where review = 'PendingReview' and deleted_at is null limit ${MOST}`,
  payment: `select organisation_id, created_at from payment_review where decision is null limit ${MOST}`,
}

/** The applications, external accounts and payments that wait for a reviewer. */
export function openReviews(database: Queryable): Promise<Waiting[]> {
  return database.query(`${found(queues)} group by f.kind`, [], 'once')
}

/** The webhook endpoints that fail, by the rule of `GET /v0/attention`. */
export function failingEndpoints(database: Queryable): Promise<Waiting[]> {
  return database.query(
    `select 'failing' as kind, count(*)::int as count,
       coalesce(max(extract(epoch from clock_timestamp() - failing_since)), 0)::float8 as seconds
     from webhook_endpoint
     where deleted_at is null and ${isFailing}
       and organisation_id in (select id from organisation where ended_at is null) having count(*) > 0`,
    [],
    'once',
  )
}

/** The day of the bank in Eastern time; undefined if there is no organisation. */
export async function bankDay(database: Queryable): Promise<string | undefined> {
  const [row] = await database.query<{ today: string }>(
    `select (bank_time(id) at time zone 'America/New_York')::date::text as today
     from organisation where ended_at is null order by id limit 1`,
    [],
    'once',
  )
  return row?.today
}

/** The organisations that another database has, or that move. */
export async function movedOrganisations(database: Queryable): Promise<number[]> {
  const rows = await database.query<{ id: number }>('select id from organisation_move', [], 'once')
  return rows.map(({ id }) => id)
}
