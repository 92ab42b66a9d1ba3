import type { Queryable } from '../../database/database.ts'
import type { OrganisationLimits } from '../records/shares.ts'

export interface OrganisationRow {
  id: number
  limits: OrganisationLimits | null
  /** Bank time. */
  now: string
}

const find = `select id, limits, bank_time(id) as now from organisation where name = $1::text and ended_at is null`

export async function findOrganisationLimits(database: Queryable, name: string): Promise<OrganisationRow | undefined> {
  const [row] = await database.query<OrganisationRow>(find, [name])
  return row
}

/** Locks the organisation, so that two changes of its limits follow each other. */
export async function lockOrganisationLimits(
  transaction: Queryable,
  name: string,
): Promise<OrganisationRow | undefined> {
  const [row] = await transaction.query<OrganisationRow>(`${find} for no key update`, [name])
  return row
}

/** Writes limits that are not enforced yet. Returns the number of the transaction. */
export async function startCounting(
  transaction: Queryable,
  organisationId: number,
  limits: OrganisationLimits,
): Promise<string> {
  const [row] = await transaction.query<{ number: string }>(
    `update organisation set limits = $2::jsonb where id = $1::bigint returning pg_current_xact_id()::text as number`,
    [organisationId, JSON.stringify(limits)],
  )
  if (!row) throw new Error('an update of an organisation returned no row')
  return row.number
}

/** Changes the limits. Returns the new version of the organisation. */
export async function updateOrganisationLimits(
  transaction: Queryable,
  organisationId: number,
  limits: OrganisationLimits | null,
): Promise<number> {
  const [row] = await transaction.query<{ version: number }>(
    `update organisation set limits = $2::jsonb, version = version + 1 where id = $1::bigint returning version`,
    [organisationId, limits && JSON.stringify(limits)],
  )
  if (!row) throw new Error('an update of an organisation returned no row')
  return row.version
}

/** Whether all transactions that began before another one have ended. */
export async function areEarlierEnded(database: Queryable, number: string): Promise<boolean> {
  const [row] = await database.query<{ ended: boolean }>(
    `select pg_snapshot_xmin(pg_current_snapshot()) > $1::text::xid8 as ended`,
    [number],
  )
  return row?.ended === true
}

/** Keeps batches from using shares until the transaction ends. */
export async function holdShares(transaction: Queryable): Promise<void> {
  await transaction.query(`lock table organisation_usage in exclusive mode`)
}

/** Takes back the shares of all connections. */
export async function takeShares(transaction: Queryable, organisationId: number): Promise<void> {
  await transaction.query(
    `update organisation_usage set soft_left = 0, hard_left = 0 where organisation_id = $1::bigint`,
    [organisationId],
  )
}

export async function deleteShares(transaction: Queryable, organisationId: number): Promise<void> {
  await transaction.query(`delete from organisation_usage where organisation_id = $1::bigint`, [organisationId])
}

/** Counts the payments of an organisation from a day on, by day and month. */
export async function recountShares(transaction: Queryable, organisationId: number, since: string): Promise<void> {
  await deleteShares(transaction, organisationId)
  await transaction.query(
    `insert into organisation_usage (organisation_id, period, slot, used, soft_left, hard_left)
     select organisation_id, to_char(created_at at time zone 'UTC', format), 0, sum(amount)::bigint, 0, 0
     from payment cross join (values ('YYYY-MM-DD'), ('YYYY-MM')) f (format)
     where organisation_id = $1::bigint and created_at >= $2::text::date::timestamp at time zone 'UTC'
       and type = 'achPayment' and direction = 'Credit' and status not in ('Canceled', 'Rejected')
     group by 1, 2`,
    [organisationId, since],
    'once',
  )
}

/** The amounts that count for the limits of an organisation, on a day and in its month. */
export async function usedOf(
  database: Queryable,
  organisationId: number,
  { day, month }: { day: string; month: string },
): Promise<{ day: number; month: number }> {
  const [row] = await database.query<{ day: number; month: number }>(
    `select coalesce(sum(used) filter (where period = $2::text), 0)::bigint as day,
       coalesce(sum(used) filter (where period = $3::text), 0)::bigint as month
     from organisation_usage where organisation_id = $1::bigint`,
    [organisationId, day, month],
  )
  return row ?? { day: 0, month: 0 }
}
