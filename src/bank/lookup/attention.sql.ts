import type { PaymentLimits } from '../../banking/accounts/account-limits.ts'
import { RATE_DAYS } from '../../banking/ach/return-rates.ts'
import type { Queryable } from '../../database/database.ts'
import { MOST, SHOWN, type Waiting } from '../../tools/attention.ts'
import { isFailing } from '../../webhooks/endpoints/failing.ts'

/** Rows that wait, the oldest first and at most one more than are counted: `id`, `since`, `amount`, and the word for why. */
const queues = {
  failingEndpoints: `select id, coalesce(failing_since, created_at) as since, 0::bigint as amount,
      coalesce(disabled_reason, (
        select coalesce('Answer ' || (log -> -1 ->> 'responseStatus'), log -> -1 ->> 'error') from webhook_delivery
        where endpoint_id = e.id and status = 'Pending' and not blocked order by due_at desc, id desc limit 1)) as why
    from webhook_endpoint e
    where organisation_id = $1::bigint and deleted_at is null and ${isFailing}`,
  returnedPayments: `select source_id as id, created_at as since, amount, substr(description, length('Return ') + 1) as why
    from transfer
    where organisation_id = $1::bigint and source_kind = 'payment_return' and description like 'Return %'
      and created_at >= $2::timestamptz
    union all select d.id, d.returned_at, p.amount, p.return_code
    from debit d cross join lateral (select amount, return_code from payment where id = d.id offset 0) p
    where d.organisation_id = $1::bigint and d.returned_at >= $2::timestamptz`,
  reviewedPayments: `select r.id, r.created_at as since, p.amount, r.reason as why
    from payment_review r cross join lateral (select amount from payment where id = r.id offset 0) p
    where r.organisation_id = $1::bigint and r.decision is null`,
  // Those that wait for their applicants share the index: 10,000 are looked at.
  reviewedApplications: `select id, created_at as since, 0::bigint as amount, 'complete' as why from (
      select id, created_at, status from application
      where organisation_id = $1::bigint and status in ('AwaitingDocuments', 'PendingReview')
      order by created_at, id limit 10000) a
    where status = 'PendingReview'`,
  reviewedExternalAccounts: `select id, created_at as since, 0::bigint as amount, 'screening' as why
    from external_account
    where organisation_id = $1::bigint and review = 'PendingReview' and deleted_at is null`,
  overSettlements: `select id, created_at as since, settled - amount as amount, merchant_name as why
    from card_authorization
    where organisation_id = $1::bigint and over_settlement = 'Open'`,
  railExceptions: `select id, created_at as since, amount, kind as why from ach_exception
    where organisation_id = $1::bigint and resolved_at is null`,
  // The first organisation is the operator. Movements of later days than the last statement may still be shown by the next one.
  openItems: `select id, day::timestamp at time zone 'America/New_York' as since, abs(amount) as amount,
      case when side = 'statement' then 'onStatementOnly' else 'inLedgerOnly' end as why from settlement_item
    where match_id is null and split_because is null and withdrawn_at is null and owner is null
      and day <= (select max(as_of) from bank_statement where replaced_at is null and not is_interim)
      and $1::bigint = (select min(id) from organisation where ended_at is null)`,
}
export type QueueName = keyof typeof queues

const counted = Object.entries(queues)
  .map(
    ([name, rows]) => `select '${name}' as name, count(*) as count, coalesce(sum(amount), 0)::bigint as amount,
      min(since) as since, coalesce((array_agg(id::text order by since, id))[1:${SHOWN}], '{}') as ids,
      array_agg(why) as whys
    from (select * from (${rows}) q order by since, id limit ${MOST + 1}) w`,
  )
  .join(' union all ')

/** Reads the queues of an organisation that have something in them. */
export async function listQueues(
  database: Queryable,
  organisationId: number,
  /** The day in bank time. It is a value: the function would be called for every row of an index. */
  today: string,
): Promise<(Waiting & { name: QueueName })[]> {
  return database.query(`select * from (${counted}) q where count > 0`, [organisationId, today], 'once')
}

/**
 * Bank time, the number of the last event before its day, whether a debit was returned in the days of return rates, and the
 * organisation's own limits with what is used of them.
 */
export interface Today {
  now: string
  before: number
  limits: (PaymentLimits & { enforced: boolean }) | null
  day: number
  month: number
  hasReturns: boolean
}

export async function findToday(database: Queryable, organisationId: number): Promise<Today | undefined> {
  const [row] = await database.query<Today>(
    `select t.now, event_sequence_at(o.id, date_trunc('day', t.now, 'UTC') - interval '1 millisecond') as before, o.limits,
       u.day, u.month, exists (
         select from debit where organisation_id = o.id and returned_at >= t.now - make_interval(days => ${RATE_DAYS})
       ) as "hasReturns"
     from organisation o cross join lateral (select bank_time(o.id) as now offset 0) t
     cross join lateral (
       select coalesce(sum(used) filter (where period = to_char(t.now at time zone 'UTC', 'YYYY-MM-DD')), 0)::bigint as day,
         coalesce(sum(used) filter (where period = to_char(t.now at time zone 'UTC', 'YYYY-MM')), 0)::bigint as month
       from organisation_usage where organisation_id = o.id) u
     where o.id = $1::bigint`,
    [organisationId],
    'once',
  )
  return row
}
