import type { Mandate } from '../../../banking/external-accounts/external-account.ts'
import { arrayOf, bigint, boolean, integer, jsonb, rowSet, timestamptz } from '../../../database/arrays.ts'
import type { Queryable } from '../../../database/database.ts'
import type { DebitSource } from './debits.ts'

/** The columns of a new debit. */
export interface DebitRow {
  /** Id of the payment. */
  id: number
  organisationId: number
  accountId: number
  externalAccountId: number
  createdAt: string
  /** The mandate with which it was made; null for a reversal. */
  mandate: Mandate | null
  clearingDays: number
  /** Whether the account is credited at the settlement. */
  early: boolean
}

export function readSources(transaction: Queryable, ids: number[]): Promise<DebitSource[]> {
  return transaction.query(
    `select id, customer_id as "customerId", name, routing_number as "routingNumber",
       account_number as "accountNumber", account_type as "accountType", type,
       review is not distinct from 'PendingReview' as "underReview", permissions, mandate,
       exists (
         select from debit d cross join lateral (select status, review_note from payment where id = d.id offset 0) p
         where d.external_account_id = e.id and d.mandate is not null
           and (p.status = 'Sent' or p.review_note is not null and p.status in ('Pending', 'Clearing'))) as known
     from external_account e where id = any($1::bigint[]) and deleted_at is null`,
    [arrayOf('bigint', ids)],
    'once',
  )
}

/** Amounts and numbers of the debits of an account, without those that were canceled or rejected. */
export interface UsedByDebits {
  /** Id of the account. */
  id: number
  /** On the UTC day in bank time, and in its month. */
  day: number
  month: number
  dayCount: number
  /** Credited early, or to be, and not through their clearing days. */
  early: number
}

/** Clearing days take at most 60 banking days, and a reviewer some days. */
const EARLY_DAYS = 120

/** Along the index of the payments of an account, which has those of a month at its end. */
export async function readUsedByDebits(
  transaction: Queryable,
  accountIds: number[],
  times: Map<number, string>,
): Promise<UsedByDebits[]> {
  if (accountIds.length === 0) return []
  return transaction.query(
    `select a.id, p.day, p.month, p."dayCount", d.early
     from unnest($1::bigint[]) n (id) join account a on a.id = n.id
     join unnest($2::bigint[], $3::timestamptz[]) t (organisation_id, now) on t.organisation_id = a.organisation_id
     cross join lateral (
       select coalesce(sum(amount) filter (where created_at >= date_trunc('day', t.now, 'UTC')), 0)::bigint as day,
         coalesce(sum(amount), 0)::bigint as month,
         (count(*) filter (where created_at >= date_trunc('day', t.now, 'UTC')))::int as "dayCount"
       from payment
       where account_id = a.id and created_at >= date_trunc('month', t.now, 'UTC')
         and direction = 'Debit' and type = 'achPayment' and status not in ('Canceled', 'Rejected')) p
     cross join lateral (
       select coalesce(sum(p.amount), 0)::bigint as early
       from debit d cross join lateral (select amount, status from payment where id = d.id offset 0) p
       where d.account_id = a.id and d.early and d.created_at >= t.now - make_interval(days => ${EARLY_DAYS})
         and (d.early_until is null or d.early_until > t.now)
         and p.status not in ('Canceled', 'Rejected', 'Returned')) d`,
    [accountIds, [...times.keys()], [...times.values()]],
    'once',
  )
}

const newDebits = rowSet<DebitRow>({
  id: bigint(({ id }) => id),
  organisation_id: bigint(({ organisationId }) => organisationId),
  account_id: bigint(({ accountId }) => accountId),
  external_account_id: bigint(({ externalAccountId }) => externalAccountId),
  created_at: timestamptz(({ createdAt }) => createdAt),
  mandate: jsonb(({ mandate }) => mandate && JSON.stringify(mandate)),
  clearing_days: integer(({ clearingDays }) => clearingDays),
  early: boolean(({ early }) => early),
})
const insertDebits = `insert into debit (${newDebits.names}) ${newDebits.select}`

export interface DebitReturn {
  id: number
  returnedAt: string
  /** When it is presented again without a request; null if it is not. */
  retryAt: string | null
}

interface ChangedDebits {
  inserted: DebitRow[]
  finished: number[]
  returned: DebitReturn[]
  notRetried: number[]
}

export async function writeDebits(
  transaction: Queryable,
  { inserted, finished, returned, notRetried }: ChangedDebits,
): Promise<void> {
  if (inserted.length > 0) await transaction.query(insertDebits, newDebits.values(inserted))
  if (finished.length > 0) {
    await transaction.query(
      `update debit set cleared_at = clears_at where id = any($1::bigint[]) and cleared_at is null`,
      [arrayOf('bigint', finished)],
    )
  }
  if (returned.length > 0) {
    await transaction.query(
      `update debit d set returned_at = r.at, retry_at = r.retry_at
       from unnest($1::bigint[], $2::timestamptz[], $3::timestamptz[]) r (id, at, retry_at) where d.id = r.id`,
      [
        returned.map(({ id }) => id),
        returned.map(({ returnedAt }) => returnedAt),
        returned.map(({ retryAt }) => retryAt),
      ],
    )
  }
  if (notRetried.length > 0) {
    await transaction.query(`update debit set retry_at = null where id = any($1::bigint[]) and retry_at is not null`, [
      arrayOf('bigint', notRetried),
    ])
  }
}
