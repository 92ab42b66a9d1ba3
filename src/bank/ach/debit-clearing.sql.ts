import type { Queryable } from '../../database/database.ts'

/** The numbers of clearing days of the debits of a batch. */
export async function clearingDaysIn(database: Queryable, batchId: number): Promise<number[]> {
  const rows = await database.query<{ days: number }>(
    `select distinct d.clearing_days as days from ach_entry e join debit d on d.id = e.payment_id
     where e.batch_id = $1::bigint order by 1`,
    [batchId],
    'once',
  )
  return rows.map(({ days }) => days)
}

/** Notes when the debits of a batch with so many clearing days are credited: at their settlement, or at the end of these days. */
export async function noteClearing(
  database: Queryable,
  {
    batchId,
    clearingDays,
    settlesAt,
    endsAt,
  }: { batchId: number; clearingDays: number; settlesAt: string; endsAt: string },
): Promise<void> {
  await database.query(
    `update debit d set clears_at = case when early then $3::timestamptz else $4::timestamptz end,
       early_until = case when early then $4::timestamptz end
     from ach_entry e
     where e.batch_id = $1::bigint and d.id = e.payment_id and d.clearing_days = $2::int and d.clears_at is null`,
    [batchId, clearingDays, settlesAt, endsAt],
    'once',
  )
}

export interface DueDebit {
  id: number
  accountId: number
  clearsAt: string
  isClearing: boolean
}

/** The debits of an organisation whose clearing days end next. */
export function nextClearing(database: Queryable, organisationId: number, limit: number): Promise<DueDebit[]> {
  return database.query(
    `select d.id, d.account_id as "accountId", d.clears_at as "clearsAt", p.status = 'Clearing' as "isClearing"
     from (
       select id, account_id, clears_at from debit
       where organisation_id = $1::bigint and clears_at is not null and cleared_at is null
       order by clears_at, id limit $2) d
     cross join lateral (select status from payment where id = d.id offset 0) p
     order by d.clears_at, d.id`,
    [organisationId, limit],
    'once',
  )
}
