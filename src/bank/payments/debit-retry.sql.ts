import type { Queryable } from '../../database/database.ts'

/** The retries of a debit that left before the database was restored, and whether one is an open exception. */
export async function lostRetries(database: Queryable, paymentId: number): Promise<{ count: number; isOpen: boolean }> {
  const [row] = await database.query<{ count: number; isOpen: boolean }>(
    `select count(*)::int as count, coalesce(bool_or(resolved_at is null), false) as "isOpen" from ach_exception
     where payment_id = $1::bigint and kind = 'payment_lost'`,
    [paymentId],
  )
  return row ?? { count: 0, isOpen: false }
}

/** The debit that an entry, which left before the database was restored, presented again; undefined if none fits. */
export async function findRetried(
  database: Queryable,
  sent: { organisationId: number; digest: Buffer; routingNumber: string; amount: number },
): Promise<{ id: number } | undefined> {
  const [row] = await database.query<{ id: number }>(
    `select id from payment
     where organisation_id = $1::bigint and direction = 'Debit' and status in ('Clearing', 'Sent', 'Returned') and amount = $4::bigint
       and link is null and external_account_id in (
         select id from external_account
         where organisation_id = $1::bigint and number_digest = $2::bytea and routing_number = $3::text)
     order by (status = 'Returned') desc, id desc limit 1`,
    [sent.organisationId, sent.digest, sent.routingNumber, sent.amount],
  )
  return row
}

/** The debits of an organisation that are presented again next, by themselves. */
export function dueRetries(
  database: Queryable,
  organisationId: number,
  { until, most }: { until: string; most: number },
): Promise<{ id: number; at: string }[]> {
  return database.query(
    `select id, retry_at as at from debit
     where organisation_id = $1::bigint and retry_at is not null and retry_at <= $2::timestamptz
     order by retry_at, id limit $3`,
    [organisationId, until, most],
    'once',
  )
}

export async function dropRetry(database: Queryable, id: number): Promise<void> {
  await database.query('update debit set retry_at = null where id = $1::bigint', [id], 'once')
}
