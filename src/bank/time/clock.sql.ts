import { LAST_INSTANT } from '../../base/clock.ts'
import type { Queryable } from '../../database/database.ts'

export async function bankTime(database: Queryable, organisationId: number): Promise<string> {
  const [row] = await database.query<{ now: string }>(`select bank_time($1::bigint) as now`, [organisationId])
  if (!row) throw new Error('no bank time')
  return row.now
}

/** Reads bank time, and whether it stands still. */
export async function readClock(
  database: Queryable,
  organisationId: number,
): Promise<{ now: string; frozen: boolean }> {
  const [row] = await database.query<{ now: string; frozen: boolean }>(
    `select bank_time(id) as now, frozen_at is not null as frozen from organisation where id = $1::bigint`,
    [organisationId],
  )
  if (!row) throw new Error('no bank time')
  return row
}

/** The next delivery to each enabled endpoint, and how many are pending there; at most 1,000 are counted. */
export function pendingDeliveries(
  database: Queryable,
  organisationId: number,
  limit: number,
): Promise<{ id: number; endpointId: number; dueAt: string; count: number }[]> {
  return database.query(
    `select d.id, e.id as "endpointId", d.due_at as "dueAt", n.count
     from webhook_endpoint e cross join lateral (
       select p.id, p.due_at from webhook_delivery p
       where p.endpoint_id = e.id and p.status = 'Pending' and not p.blocked
       order by p.due_at, p.id limit 1) d
     cross join lateral (
       select count(*)::int as count from (
         select from webhook_delivery p
         where p.endpoint_id = e.id and p.status = 'Pending' and not p.blocked order by p.due_at, p.id limit 1000) w) n
     where e.organisation_id = $1::bigint and e.status = 'Enabled' and e.deleted_at is null
     order by d.due_at, d.id limit $2`,
    [organisationId, limit],
    'once',
  )
}

/**
 * Organisations in which something is due, and their bank time: one statement with an index probe for each kind of work,
 * because most organisations have nothing due in most seconds. Idle ones are skipped, and those that are paused by a move. It finds all others and may find more. Planned anew each
 * time: a plan made while the tables were small would scan them. Of pending payments the first cut-off is read: PostgreSQL
 * would look for any that has passed with a scan of the whole table, if most payments are pending.
 */
export function organisationsWithWorkDue(database: Queryable): Promise<{ organisationId: number; now: string }[]> {
  return database.query(
    `select o.id as "organisationId", t.now
     from organisation o cross join lateral (select bank_time(o.id) as now offset 0) t
     where not o.idle and o.ended_at is null and not is_moving(o.id) and (o.statements_from is null
       or (o.statements_from + interval '1 month') at time zone 'UTC' <= t.now
       or exists (select from card_authorization a
         where a.organisation_id = o.id and a.status = 'Authorized' and a.expires_at <= t.now)
       or exists (select from account_hold h
         where h.organisation_id = o.id and h.status = 'Active' and h.expires_at <= t.now)
       or exists (select from proposal p
         where p.organisation_id = o.id and p.state = 'Waiting' and p.expires_at <= t.now)
       or exists (select from recurring_payment r where r.organisation_id = o.id and r.next_at <= t.now)
       or (select p.cutoff_at from payment p where p.organisation_id = o.id and p.status = 'Pending'
         order by p.cutoff_at limit 1) <= t.now
       or exists (select from ach_file f where f.organisation_id = o.id and f.state = 'building')
       or exists (select from ach_file f where f.organisation_id = o.id and f.answer_at <= t.now)
       or exists (select from ach_batch b
         where b.organisation_id = o.id and b.settled_at is null and b.rejected_at is null and b.settles_at <= t.now)
       or exists (select from ach_batch b
         where b.organisation_id = o.id and b.rejected_at is not null and b.refunded_at is null)
       or exists (select from account_verification v
         where v.organisation_id = o.id and v.status = 'Pending' and v.ach_file_id is null and v.cutoff_at <= t.now)
       or exists (select from account_verification v
         where v.organisation_id = o.id and v.status = 'Sent' and v.ends_at <= t.now)
       or exists (select from debit d
         where d.organisation_id = o.id and d.cleared_at is null and d.clears_at <= t.now)
       or exists (select from received_payment p
         where p.organisation_id = o.id and p.booked_at is null and p.due_at <= t.now)
       or exists (select from received_payment p
         where p.organisation_id = o.id and p.return_file_id is null and p.return_cutoff_at <= t.now)
       or exists (select from payment_review v
         cross join lateral (select external_account_id as id from payment where id = v.id offset 0) p
         join external_account e on e.id = p.id
         where v.organisation_id = o.id and v.decision is null and v.reason = 'externalAccount'
           and e.review in ('Approved', 'Rejected'))
       or exists (select from reward r
         where r.organisation_id = o.id and r.state = 'PENDING' and r.payout_due_at <= t.now))
     order by o.id`,
    [],
    'once',
  )
}

/** Moves the clock to a time, or leaves it where it is when it is past that time already. */
export async function moveClock(database: Queryable, organisationId: number, to: string): Promise<void> {
  await database.query(
    `update organisation set clock_offset = clock_offset + ($2::timestamptz - bank_time(id)),
       frozen_at = case when frozen_at is not null then $2::timestamptz end, version = version + 1
     where id = $1::bigint and bank_time(id) < $2::timestamptz`,
    [organisationId, to],
  )
}

/** If an advance of the clock is to end, and whether it may. */
export interface ClockTarget {
  to: string
  isForward: boolean
  isTooFar: boolean
  isPastEnd: boolean
}

/** The target of an advance from `now`: the time `to`, or the duration `by` later. */
export async function clockTarget(
  database: Queryable,
  now: string,
  { to, by }: { to: string | null; by: string | null },
): Promise<ClockTarget> {
  const [row] = await database.query<ClockTarget>(
    `select least(t.to, $4::timestamptz) as to, t.to > $1::timestamptz as "isForward",
       t.to > $1::timestamptz + interval '400 days' as "isTooFar", t.to > $4::timestamptz as "isPastEnd"
     from (select date_trunc('milliseconds', coalesce($2::timestamptz, $1::timestamptz + $3::interval)) as to) t`,
    [now, to, by, LAST_INSTANT],
  )
  if (!row) throw new Error('a select without a table answered no row')
  return row
}

export async function findAdvance(
  database: Queryable,
  organisationId: number,
  attempt: Buffer,
): Promise<string | undefined> {
  const [row] = await database.query<{ to: string }>(
    `select advancing_to as to from organisation where id = $1::bigint and advancing_key = $2::bytea`,
    [organisationId, attempt],
  )
  return row?.to
}

export async function recordAdvance(
  database: Queryable,
  organisationId: number,
  to: string,
  attempt: Buffer,
): Promise<void> {
  await database.query(
    `update organisation set advancing_to = $2::timestamptz, advancing_key = $3::bytea where id = $1::bigint`,
    [organisationId, to, attempt],
  )
}

/** Takes the clock locks that are free, until the transaction ends, and returns whose they are. */
export async function lockClocks(transaction: Queryable, organisationIds: number[]): Promise<Set<number>> {
  const rows = await transaction.query<{ id: number; isLocked: boolean }>(
    `select id, pg_try_advisory_xact_lock($1::int, (id % 2147483648)::int) as "isLocked" from unnest($2::bigint[]) as id`,
    [CLOCK_LOCKS, organisationIds],
  )
  return new Set(rows.filter(({ isLocked }) => isLocked).map(({ id }) => id))
}

/** Waits for the clock lock: one process at a time advances an organisation's clock or does its due work. */
export async function clockLock(transaction: Queryable, organisationId: number): Promise<void> {
  await transaction.query(`select pg_advisory_xact_lock($1::int, $2::int)`, [CLOCK_LOCKS, organisationId % 2 ** 31])
}

/** Lets the transaction pause for longer than others may: it holds locks while other connections do the work. */
export async function pauseWithoutLimit(transaction: Queryable): Promise<void> {
  await transaction.query(`set local idle_in_transaction_session_timeout = 0`)
}

/** Any fixed number that no other advisory lock begins with. */
const CLOCK_LOCKS = 7_275_739
