import type { Queryable } from '../database/database.ts'
import { DEMO_KEY } from '../idempotency/own-keys.ts'
import { USE_KEPT_DAYS } from '../rewards/campaigns/budget.ts'
import type { Keep } from './keep.ts'

/** Any fixed number that no other advisory lock uses. */
const RETENTION_LOCK = 7_275_741

/**
 * Begins a step: its commit waits for no disk and no standby, because a step that is lost is made again, and it gives up
 * quickly if another transaction is in its way.
 */
export async function beginStep(transaction: Queryable): Promise<boolean> {
  const [row] = await transaction.query<{ locked: boolean }>(
    `select pg_try_advisory_xact_lock($1::bigint)
         and not exists (select from organisation_move where state <> 'moved') as locked, set_config('synchronous_commit', 'off', true),
       set_config('lock_timeout', '50ms', true)`,
    [RETENTION_LOCK],
  )
  return row?.locked === true
}

/** A time for ever is null in the database: a comparison with null is not true. */
function orNull(ms: number): number | null {
  return Number.isFinite(ms) ? ms : null
}

/** Stores the times that the database itself checks. */
export async function storeRetention(database: Queryable, keep: Keep): Promise<void> {
  await database.query(
    `select set_retention(kind, make_interval(secs => ms / 1000.0))
     from (values ('events', $1::float8), ('denials', $2::float8), ('deliveries', $3::float8)) r (kind, ms)`,
    [keep.eventsMs, keep.denialsMs, keep.deliveriesMs].map(orNull),
  )
}

/** Notes how far the numbers of rows have come, and forgets notes that a later one replaces. */
export async function markPositions(transaction: Queryable): Promise<void> {
  await transaction.query(`select mark_retention()`)
  await transaction.query(
    `delete from retention_mark m using retention r
     where r.kind = m.kind and m.marked_at < clock_timestamp() - r.keep and exists (
       select from retention_mark n where n.kind = m.kind and n.organisation_id = m.organisation_id
         and n.marked_at > m.marked_at and n.marked_at < clock_timestamp() - r.keep)`,
  )
}

export interface Progress {
  /** Milliseconds until the next walk is due; 0 during one. */
  restsMs: number
  block: number
}

export async function readProgress(transaction: Queryable, kind: string, restMs: number): Promise<Progress> {
  const [row] = await transaction.query<Progress>(
    `select block, greatest(0, coalesce(
       extract(epoch from rested_from - clock_timestamp()) * 1000 + $2::float8, 0))::float8 as "restsMs"
     from retention_progress where kind = $1::text`,
    [kind, restMs],
  )
  return row ?? { block: 0, restsMs: 0 }
}

/** The result of one step. */
export interface Step {
  rows: number
  done: boolean
  /** The next block to look at. */
  block: number
  /** Time of the oldest row that the step has seen and kept. */
  oldest: string | null
}

/** Stores how far a walk has come. Returns the age of the oldest row that is kept, if a walk is complete. */
export async function writeProgress(
  transaction: Queryable,
  kind: string,
  { done, block, oldest }: Step,
): Promise<number | null> {
  const [row] = await transaction.query<{ age: number | null }>(
    `insert into retention_progress as p (kind, block, oldest_so_far, oldest, rested_from)
     values ($1::text, case when $2::boolean then 0 else $3::bigint end,
       case when $2 then null else $4::timestamptz end, case when $2 then $4 end, case when $2 then clock_timestamp() end)
     on conflict (kind) do update set block = excluded.block,
       oldest_so_far = case when not $2 then least(p.oldest_so_far, $4) end,
       oldest = case when $2 then least(p.oldest_so_far, $4) else p.oldest end, rested_from = excluded.rested_from
     returning case when $2 then coalesce(extract(epoch from clock_timestamp() - p.oldest), 0)::float8 end as age`,
    [kind, done, block, oldest],
  )
  return row?.age ?? null
}

/** A table that is walked through, the rows that may go, and the column with the time of a row. */
export interface WalkedTable {
  kind: string
  table: string
  expired: string
  time: string
  /** The values of the condition, from $3 on: times, which may be for ever. */
  times?(keep: Keep): number[]
}

const older = (time: string, ms: string) => `${time} < clock_timestamp() - make_interval(secs => ${ms}::float8 / 1000)`

/**
 * Answers without a key have a shorter hash than those with one. Those to a processor's messages have a longer one and stay. The secrets of configured keys stay: a start whose environment still
 * has a former secret would otherwise take it for a new key. Sums of flows are made again where they are asked for.
 */
export const walkedTables: WalkedTable[] = [
  {
    kind: 'answers',
    table: 'answer',
    expired: `${older('created_at', 'case when length(key_hash) < 32 then $3::float8 else $4::float8 end')} and length(key_hash) <= 32 and key_hash <> '\\x${DEMO_KEY.toString('hex')}'`,
    time: 'created_at',
    times: ({ keylessAnswersMs, answersMs }) => [keylessAnswersMs, answersMs],
  },
  {
    kind: 'claims',
    table: 'claim',
    expired: `${older('sent_at', '$3')} and busy_until < clock_timestamp()`,
    time: 'sent_at',
    times: ({ answersMs }) => [answersMs],
  },
  {
    kind: 'deliveries',
    table: 'webhook_delivery',
    expired: `id <= (select expired_positions('deliveries'))[1 - number_range(id)] and (status <> 'Pending' or exists (
      select from webhook_endpoint e where e.id = endpoint_id and e.deleted_at is not null))`,
    time: 'created_at',
  },
  {
    kind: 'verification_tokens',
    table: 'verification_token',
    expired: older('expires_at', '$3'),
    time: 'expires_at',
    times: ({ expiredMs }) => [expiredMs],
  },
  {
    kind: 'retired_secrets',
    table: 'api_key_retired',
    expired: `${older('works_until', '$3')} and exists (
      select from api_key k where k.id = api_key_id and k.source = 'request')`,
    time: 'works_until',
    times: ({ expiredMs }) => [expiredMs],
  },
  {
    kind: 'inbound_events',
    table: 'inbound_event',
    expired: older('received_at', '$3'),
    time: 'received_at',
    times: ({ inboundMs }) => [inboundMs],
  },
  {
    kind: 'attributions',
    table: 'attribution_id',
    expired: older('counted_at', '$3'),
    time: 'counted_at',
    times: ({ attributionsMs }) => [attributionsMs],
  },
  {
    kind: 'attribution_touches',
    table: 'attribution_touch',
    expired: `last_at < bank_time(organisation_id) - interval '31 days'`,
    time: 'last_at',
  },
  {
    kind: 'attribution_days',
    table: 'attribution_day',
    expired: `day < (bank_time(organisation_id) - interval '400 days')::date`,
    time: 'day',
  },
  {
    kind: 'campaign_usage',
    table: 'campaign_usage',
    expired: `period < to_char(bank_time(organisation_id) at time zone 'UTC' - interval '${USE_KEPT_DAYS} days', 'YYYY-MM-DD')`,
    time: `case when period <> 'total' then rpad(period, 10, '-01')::date end`,
  },
  {
    kind: 'flow_hours',
    table: 'ledger_flow_hour',
    expired: `hour < bank_time(organisation_id) - interval '400 days'`,
    time: 'hour',
  },
]

/**
 * Deletes the rows that may go in some blocks of a table. A walk reads the whole table and needs no index, which every
 * write would pay for.
 */
export async function walkBlocks(
  transaction: Queryable,
  { table, expired, time, times }: WalkedTable,
  keep: Keep,
  range: { from: number; blocks: number },
): Promise<Step> {
  const [from, to] = [range.from, range.from + range.blocks]
  const [row] = await transaction.query<{ rows: number; oldest: string | null; size: number }>(
    `with gone as (
       delete from ${table} where ctid >= $1::tid and ctid < $2::tid and (${expired}) returning true)
     select (select count(*) from gone) as rows,
       (select min(${time}) from ${table} where ctid >= $1::tid and ctid < $2::tid and (${expired}) is not true) as oldest,
       pg_relation_size('${table}'::regclass) / current_setting('block_size')::int as size`,
    [`(${from},0)`, `(${to},0)`, ...(times?.(keep) ?? []).map(orNull)],
  )
  const { rows = 0, oldest = null, size = 0 } = row ?? {}
  return { rows, oldest, done: to >= size, block: to }
}

/** Deletes some of the oldest denied requests. */
export async function pruneDenials(transaction: Queryable, most: number): Promise<Step> {
  const [row] = await transaction.query<{ rows: number; oldest: string | null }>(
    `select prune_denials($1::int) as rows, (
       select min(d.created_at) from unnest(expired_positions('denials')) with ordinality p (position, place)
       cross join lateral (
         select created_at from denied_request
         where id > greatest(p.position, (p.place - 1) * 100000000000000) and id < p.place * 100000000000000
         order by id limit 1) d) as oldest`,
    [most],
  )
  const { rows = 0, oldest = null } = row ?? {}
  return { rows, oldest, done: rows < most, block: 0 }
}

/** Forgets signing secrets that no longer sign. */
export async function pruneWebhookSecrets(transaction: Queryable, most: number): Promise<Step> {
  const rows = await transaction.query(
    `update webhook_endpoint set sealed_previous_secret = null, previous_secret_until = null
     where id in (select id from webhook_endpoint where previous_secret_until < clock_timestamp() - interval '1 minute'
       order by id limit $1::int for no key update skip locked)
     returning true`,
    [most],
  )
  return { rows: rows.length, oldest: null, done: rows.length < most, block: 0 }
}

/** An organisation with events that may go, and the number of the last one that a step takes. */
export interface ExpiredEvents {
  organisationId: number
  upTo: number
}

/** The next organisation after a given one that has events to delete. The newest page of an organisation stays. */
export async function findExpiredEvents(
  transaction: Queryable,
  afterId: number,
  pages: number,
): Promise<ExpiredEvents | undefined> {
  const [row] = await transaction.query<ExpiredEvents>(
    `select o.id as "organisationId", p.last as "upTo"
     from organisation o
     cross join lateral (select expired_position('events', o.id) as position offset 0) e
     cross join lateral (
       select max(last) as last from (
         select last from event_page where organisation_id = o.id and last <= e.position
           and last < (select max(last) from event_page where organisation_id = o.id)
         order by last limit $2::int) n) p
     where o.id > $1::bigint and o.ended_at is null and e.position > o.events_after and p.last is not null
     order by o.id limit 1`,
    [afterId, pages],
    'once',
  )
  return row
}

/** Deletes the events of an organisation up to a number. Returns how many pages there were. */
export async function pruneEvents(transaction: Queryable, { organisationId, upTo }: ExpiredEvents): Promise<number> {
  const [row] = await transaction.query<{ pages: number }>(`select prune_events($1::bigint, $2::bigint) as pages`, [
    organisationId,
    upTo,
  ])
  return row?.pages ?? 0
}

/** Time of the oldest event that is kept, by the clock of its organisation. */
export async function oldestEvent(transaction: Queryable): Promise<string | null> {
  const [row] = await transaction.query<{ oldest: string | null }>(
    `select min(p.created_at) as oldest from organisation o cross join lateral (
       select created_at from event_page where organisation_id = o.id order by last limit 1) p
     where o.ended_at is null`,
  )
  return row?.oldest ?? null
}
