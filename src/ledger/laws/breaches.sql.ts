import type { Queryable } from '../../database/database.ts'
import { type Law, laws } from './laws.sql.ts'

/** The tables of the laws whose rows belong to an organisation, except `account`. Merchants and offers belong to nobody. */
const organisationTables = [
  'api_key',
  'customer',
  'application',
  'document',
  'external_account',
  'transfer',
  'payment',
  'debit',
  'account_verification',
  'payment_review',
  'payment_usage',
  'organisation_usage',
  'card',
  'card_authorization',
  'account_hold',
  'recurring_payment',
  'recurring_payment_run',
  'statement',
  'webhook_endpoint',
  'campaign',
  'campaign_offer',
  'campaign_usage',
  'offer_activation',
  'reward',
  'rewardable_transaction',
  'answer',
  'event_counter',
  'event_page',
  'ach_file',
  'ach_batch',
  'ach_entry',
  'ach_exception',
  'ach_received_entry',
  'received_payment',
]

/**
 * A law is checked for a part of the database by parts of its tables. They stand in front of the law under the names of the
 * tables and hide them, so that one text serves every check. These leave out the organisations that have ended, whose rows
 * the background deletes step by step.
 */
const standingTables = ['account', ...organisationTables]
  .map(
    (table) => `${table} as not materialized (select * from public.${table}
      where not exists (select from organisation o where o.id = organisation_id and o.ended_at is not null))`,
  )
  .join(', ')

/** The tables of one organisation. Accounts are read in two parts, because each part has an index. */
const scopedTables = `
  with organisation as not materialized (select * from organisation where id = $1::bigint),
  account as not materialized (
    select * from account where organisation_id = $1 and id > 0
    union all
    select * from account where organisation_id = $1 and id < 0),
  ${organisationTables
    .map((table) => `${table} as not materialized (select * from ${table} where organisation_id = $1)`)
    .join(',\n  ')}`

export interface Breach {
  law: Law
  rows: Record<string, unknown>[]
}

/** How many rows of a breach a check of the whole database gives. */
export const MAX_ROWS = 100

/** Begins a check: one snapshot, without locks. */
export async function prepareCheck(transaction: Queryable): Promise<void> {
  await transaction.query('set transaction isolation level repeatable read, read only')
  await hashTables(transaction)
}

/**
 * Hashing takes time in proportion to the rows; a nested loop that PostgreSQL chose by a wrong number of rows would not end.
 * Just-in-time compilation costs more than it saves here.
 */
export async function hashTables(transaction: Queryable): Promise<void> {
  await transaction.query('set local enable_nestloop = off')
  await transaction.query('set local jit = off')
}

/** The rows of the whole database that break a law, except those of organisations that have ended; the first hundred. */
export async function findBreaches(transaction: Queryable, law: Law): Promise<Record<string, unknown>[]> {
  const [row] = await transaction.query<{ found: boolean }>(
    `select exists (select from organisation where ended_at is not null) as found`,
  )
  const scope = row?.found ? `with ${standingTables}` : ''
  return transaction.query(`${scope} select * from (${laws[law]}) breach limit ${MAX_ROWS}`, [], 'once')
}

/**
 * Begins the check of an organisation: one snapshot, one core of the server. Every table has an index that begins with the
 * organisation; without sequential scans a check takes time in proportion to the organisation, however large the others
 * are. Returns the bank time of the snapshot.
 */
export async function beginCheck(transaction: Queryable, organisationId: number): Promise<string> {
  await prepareCheck(transaction)
  await transaction.query('set local enable_seqscan = off')
  await transaction.query('set local max_parallel_workers_per_gather = 0')
  const [row] = await transaction.query<{ now: string }>(`select bank_time($1::bigint) as now`, [organisationId])
  if (!row) throw new Error('no bank time')
  return row.now
}

export async function limitStatements(transaction: Queryable, ms: number): Promise<void> {
  await transaction.query(`select set_config('statement_timeout', $1::text, true)`, [String(ms)])
}

/** Finds rows of an organisation that break a law. Planned anew each time: organisations differ in size. */
export async function findBreachesOf(
  transaction: Queryable,
  law: Law,
  organisationId: number,
  take: number,
): Promise<Record<string, string | number | boolean | null>[]> {
  const rows = await transaction.query<{ row: Record<string, string | number | boolean | null> }>(
    `${scopedTables} select to_json(breach) as row from (${laws[law]}) breach limit $2::bigint`,
    [organisationId, take],
    'once',
  )
  return rows.map(({ row }) => row)
}

export async function hasLedger(database: Queryable): Promise<boolean> {
  const [row] = await database.query<{ found: boolean }>(`select to_regclass('transfer') is not null as found`)
  return row?.found === true
}
