import type { Queryable } from '../../database/database.ts'

/** A sum of transfers. The amount is text, because a sum can be larger than a number holds exactly. */
export interface FlowRow {
  debitKind: string | null
  creditKind: string | null
  transfers: number
  amount: string
}

export interface HourOfFlows {
  hour: string
  flows: FlowRow[]
}

/** A place along the transfers of an organisation: the first transfer at or after it comes next. */
export interface FlowPlace {
  at: string
  id: number
}

export async function findFirstTransferTime(database: Queryable, organisationId: number): Promise<string | undefined> {
  const [row] = await database.query<{ at: string }>(
    `select created_at as at from transfer where organisation_id = $1::bigint order by created_at, id limit 1`,
    [organisationId],
  )
  return row?.at
}

/** The place `count` transfers further, if there is a transfer at it before the end. */
export async function findPlaceFurther(
  database: Queryable,
  organisationId: number,
  { from, until, count }: { from: FlowPlace; until: string; count: number },
): Promise<FlowPlace | undefined> {
  const [row] = await database.query<FlowPlace>(
    `select created_at as at, id from transfer
     where organisation_id = $1::bigint and (created_at, id) >= ($2::timestamptz, $3::bigint) and created_at < $4::timestamptz
     order by created_at, id offset $5::bigint limit 1`,
    [organisationId, from.at, from.id, until, count],
  )
  return row
}

/** Sums the transfers between two places by hour and kinds of accounts. */
export function sumFlows(
  database: Queryable,
  organisationId: number,
  from: FlowPlace,
  to: FlowPlace,
): Promise<(FlowRow & { hour: string })[]> {
  // Customers' accounts count as one, so that few sums are joined with accounts.
  return database.query(
    `select x.hour, d.kind as "debitKind", c.kind as "creditKind", sum(x.transfers)::bigint as transfers,
       sum(x.amount)::text as amount
     from (
       select date_bin('1 hour', created_at, 'epoch') as hour, least(debit_account_id, 0) as debit_id,
         least(credit_account_id, 0) as credit_id, count(*) as transfers, sum(amount) as amount
       from transfer
       where organisation_id = $1::bigint and (created_at, id) >= ($2::timestamptz, $3::bigint)
         and (created_at, id) < ($4::timestamptz, $5::bigint)
       group by 1, 2, 3) x
     left join lateral (select kind from account where id = x.debit_id offset 0) d on true
     left join lateral (select kind from account where id = x.credit_id offset 0) c on true
     group by x.hour, d.kind, c.kind`,
    [organisationId, from.at, from.id, to.at, to.id],
  )
}

export function findHours(
  database: Queryable,
  organisationId: number,
  from: string,
  until: string,
): Promise<HourOfFlows[]> {
  return database.query(
    `select hour, flows from ledger_flow_hour
     where organisation_id = $1::bigint and hour >= $2::timestamptz and hour < $3::timestamptz`,
    [organisationId, from, until],
  )
}

/** Keeps the sums of hours. Another process may have made them, too; they are the same. */
export async function saveHours(database: Queryable, organisationId: number, hours: HourOfFlows[]): Promise<void> {
  await database.query(
    `insert into ledger_flow_hour (organisation_id, hour, flows)
     select $1::bigint, h.hour, h.flows from json_to_recordset($2::json) h (hour timestamptz, flows json)
     on conflict do nothing`,
    [organisationId, JSON.stringify(hours)],
  )
}

/**
 * A number greater than those of all transactions that have written up to now. To take it assigns one to this
 * statement's own transaction.
 */
export async function takeTransactionNumber(database: Queryable): Promise<string> {
  const [row] = await database.query<{ number: string }>(`select pg_current_xact_id()::text as number`)
  if (!row) throw new Error('no transaction number')
  return row.number
}

/** Whether all transactions before a number have ended. */
export async function haveEnded(database: Queryable, number: string): Promise<boolean> {
  const [row] = await database.query<{ ended: boolean }>(
    `select pg_snapshot_xmin(pg_current_snapshot()) >= $1::text::xid8 as ended`,
    [number],
  )
  return row?.ended === true
}
